package io.persist.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.persist.bench.Main;
import io.persist.command.Command;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No program says that all is well when what it printed is lost. */
class LostOutputTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"compare-peers", "workflow", "compare-rocksdb"})
    void shouldFailWhenTheDiskBelowTheOutputIsFull(String program) throws IOException, InterruptedException {
        File full = new File("/dev/full");
        assumeThat(full).exists();
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        program,
                        "--help")
                .redirectOutput(full)
                .redirectError(directory.resolve("err").toFile())
                .start();

        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(directory.resolve("err"))
                .content()
                .isEqualTo("persist: cannot write to standard output: No space left on device;"
                        + " what was printed is not whole\n");
        assertThat(process.exitValue()).isEqualTo(Command.FAILED);
    }
}

package io.persist.peers.trial.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProducerThreadsTest {

    @TempDir
    Path directory;

    /** A thread that finds no memory has none to say so with. */
    @Test
    void shouldEndWhenTheHeapIsFull() throws Exception {
        List<String> command = new ArrayList<>(ChildJvm.briefly(FullHeapRun.class, directory));
        command.add(1, "-Xmx64m");
        Path out = directory.resolve("out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("has ended").isTrue();
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(Files.readString(out)).isEqualTo("failed\n");
    }
}

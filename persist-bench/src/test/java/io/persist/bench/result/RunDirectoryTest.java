package io.persist.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {

    @TempDir
    Path directory;

    @Test
    void shouldForgetARunAndNothingElse() throws IOException {
        for (String own : new String[] {
            "run.json", "latencies.write.bin", "latencies.write.hlog", "latencies.hand-off.hlog", "latencies.hlog"
        }) {
            Files.createFile(directory.resolve(own));
        }
        Path[] others = {
            Files.createFile(directory.resolve("latencies.txt")),
            Files.createFile(directory.resolve("others.hlog")),
            Files.createFile(directory.resolve("latencies.write.hlog.gz")),
            Files.createDirectory(directory.resolve("latencies.response.hlog")),
            Files.createSymbolicLink(directory.resolve("latencies.tail.hlog"), directory.resolve("others.hlog"))
        };

        new RunDirectory(directory).forget();

        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactlyInAnyOrder(others);
        }
    }

    @Test
    void shouldHaveNothingToForgetWhereNoDirectoryIs() throws IOException {
        new RunDirectory(directory.resolve("none")).forget();

        assertThat(directory).isEmptyDirectory();
    }
}

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

    /** A killed run leaves logs that are empty, or end in the middle of a line, and no record. */
    @Test
    void shouldTellARunsFilesFromOthers() throws IOException {
        RunDirectory run = new RunDirectory(directory);
        Files.createFile(directory.resolve("run.json"));
        Files.createFile(directory.resolve("latencies.write.hlog"));
        Files.writeString(directory.resolve("latencies.flush.hlog"), "#[Pers");
        Files.writeString(directory.resolve("latencies.total.hlog"), "#[Persist, latencies of total in ns]\n");
        assertThat(run.stranger()).isEmpty();

        Path log = Files.writeString(directory.resolve("latencies.mine.hlog"), "#[Histogram log format version 1.3]\n");
        assertThat(run.stranger()).contains(log);

        Path record = Files.writeString(directory.resolve("run.json"), "{\"format\": 1, \"program\": \"message\"}");
        assertThat(run.stranger()).isEmpty();
        Files.writeString(record, "{\"format\": 1}");
        assertThat(run.stranger()).contains(record);
        Files.writeString(record, "mine");
        assertThat(run.stranger()).contains(record);
    }

    @Test
    void shouldHaveNothingToForgetWhereNoDirectoryIs() throws IOException {
        RunDirectory none = new RunDirectory(directory.resolve("none"));
        assertThat(none.stranger()).isEmpty();
        none.forget();

        assertThat(directory).isEmptyDirectory();
    }
}

package io.persist.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.command.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFilesTest {

    private static final RunFiles FILES = new RunFiles("rows", List.of("bin/persist", "rows"), Map.of());

    @TempDir
    Path directory;

    private static RunFiles.Measured measured(Map<String, Double> figures) {
        return new RunFiles.Measured(
                "rows of a test", Instant.ofEpochSecond(1), Map.of(), 1, 1_000_000, figures, List.of(), List.of());
    }

    private void assertRefused(Path file, String writer) throws IOException {
        byte[] before = Files.readAllBytes(file);
        for (RefusingCall each : List.<RefusingCall>of(RunFiles::refuseOthers, RunFiles::clear)) {
            assertThatThrownBy(() -> each.of("message", List.of(directory.resolve("none"), directory)))
                    .isInstanceOf(UsageException.class)
                    .hasMessage(file + " was written by " + writer + ", and this run would replace it; move it away, or"
                            + " name another directory with --output");
        }
        assertThat(file).hasBinaryContent(before);
    }

    private interface RefusingCall {

        void of(String program, List<Path> directories) throws IOException;
    }

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

        RunFiles.clear("message", List.of(directory));

        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactlyInAnyOrder(others);
        }
    }

    /** A killed run leaves logs that are empty, or end in the middle of a line, and no record. */
    @Test
    void shouldTellTheFilesOfAProgramFromOthers() throws IOException {
        List<Path> directories = List.of(directory);
        Files.createFile(directory.resolve("run.json"));
        Files.createFile(directory.resolve("latencies.write.hlog"));
        Files.writeString(directory.resolve("latencies.flush.hlog"), "#[Pers");
        HistogramLog.write(directory.resolve("latencies.hlog"), new Histogram(3), Instant.ofEpochSecond(1), 1);
        RunFiles.refuseOthers("message", directories);

        Path log = Files.writeString(directory.resolve("latencies.mine.hlog"), "#[Histogram log format version 1.3]\n");
        assertRefused(log, "no run of this version");

        Path record = Files.writeString(directory.resolve("run.json"), "{\"format\": 1, \"program\": \"message\"}");
        RunFiles.refuseOthers("message", directories);
        for (String other : List.of("{\"format\": 1}", "{\"format\": 2, \"program\": \"message\"}", "mine")) {
            Files.writeString(record, other);
            assertRefused(record, "no run of this version");
        }
        FILES.write(directory, measured(Map.of()), Map.of());
        assertRefused(record, "bin/persist rows");
    }

    @Test
    void shouldHaveNothingToForgetWhereNoDirectoryIs() throws IOException {
        RunFiles.clear("message", List.of(directory.resolve("none")));

        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldWriteTheSeriesThatHaveValuesAndThreeDecimalsOfFigures() throws IOException {
        Histogram one = new Histogram(3);
        one.recordValue(1000);
        FILES.write(
                directory, measured(Map.of("rows/s", 1.23456)), Map.of("a batch", one, "nothing", new Histogram(3)));
        RunFiles.addFigure(directory, "device B/B", 2.00049);

        RunResult result = new RunDirectory(directory).load();
        assertThat(result.series()).containsExactly(new RunResult.Series("a batch", "latencies.a-batch.hlog"));
        assertThat(result.figures()).containsExactly(Map.entry("rows/s", 1.235), Map.entry("device B/B", 2.0));
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left.map(Path::getFileName).map(Path::toString))
                    .containsExactlyInAnyOrder("run.json", "latencies.a-batch.hlog");
        }
    }
}

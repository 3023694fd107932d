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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
        assertThatThrownBy(() -> take("message", directory.resolve("none"), directory))
                .isInstanceOf(UsageException.class)
                .hasMessage(file + " was written by " + writer + ", and this run would replace it; move it away, or"
                        + " name another directory with --output");
        assertThat(file).hasBinaryContent(before);
        assertThat(directory.resolve("run.lock")).as("given back").doesNotExist();
    }

    private RunOutput take(String program, Path... directories) throws IOException {
        return RunOutput.take(program, directory, List.of(directories));
    }

    private void write(Map<String, Histogram> latencies) throws IOException {
        try (RunOutput output = take("rows", directory)) {
            output.clear();
            FILES.write(directory, measured(Map.of()), latencies);
        }
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

        try (RunOutput output = take("message", directory)) {
            output.clear();
        }

        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactlyInAnyOrder(others);
        }
    }

    /** A killed run leaves logs that are empty, or end in the middle of a line, and no record. */
    @Test
    void shouldTellTheFilesOfAProgramFromOthers() throws IOException {
        Files.createFile(directory.resolve("run.json"));
        Files.createFile(directory.resolve("latencies.write.hlog"));
        Files.writeString(directory.resolve("latencies.flush.hlog"), "#[Pers");
        HistogramLog.write(directory.resolve("latencies.hlog"), new Histogram(3), Instant.ofEpochSecond(1), 1);
        take("message", directory).close();

        Path log = Files.writeString(directory.resolve("latencies.mine.hlog"), "#[Histogram log format version 1.3]\n");
        assertRefused(log, "no run of this version");

        Path record = Files.writeString(directory.resolve("run.json"), "{\"format\": 1, \"program\": \"message\"}");
        take("message", directory).close();
        for (String other : List.of("{\"format\": 1}", "{\"format\": 2, \"program\": \"message\"}", "mine")) {
            Files.writeString(record, other);
            assertRefused(record, "no run of this version");
        }
        try (RunOutput output = take("rows")) {
            output.clear();
            assertThatThrownBy(() -> FILES.write(directory, measured(Map.of()), Map.of()))
                    .as("it came after the first look")
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(record + " was written by no run of this version");
        }
        Files.delete(record);
        Files.delete(log);
        write(Map.of());
        assertRefused(record, "bin/persist rows");
    }

    @Test
    void shouldHaveNothingToForgetWhereNoDirectoryIs() throws IOException {
        try (RunOutput output = take("message", directory.resolve("none"))) {
            output.clear();
        }

        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldWriteTheSeriesThatHaveValuesAndThreeDecimalsOfFigures() throws IOException {
        Histogram one = new Histogram(3);
        one.recordValue(1000);
        try (RunOutput output = take("rows", directory)) {
            output.clear();
            FILES.write(
                    directory,
                    measured(Map.of("rows/s", 1.23456)),
                    Map.of("a batch", one, "nothing", new Histogram(3)));
            FILES.addFigure(directory, Instant.ofEpochSecond(1), "device B/B", 2.00049);
        }

        RunResult result = new RunDirectory(directory).load();
        assertThat(result.series()).containsExactly(new RunResult.Series("a batch", "latencies.a-batch.hlog"));
        assertThat(result.figures()).containsExactly(Map.entry("rows/s", 1.235), Map.entry("device B/B", 2.0));
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left.map(Path::getFileName).map(Path::toString))
                    .containsExactlyInAnyOrder("run.json", "latencies.a-batch.hlog");
        }
    }

    /** A program that did not take its output would share it with another one. */
    @Test
    void shouldWriteNothingOutsideOfAnOutputThatWasTaken() {
        assertReplaced(() -> RunFiles.begin("rows", directory));
        assertReplaced(() -> FILES.write(directory, measured(Map.of()), Map.of()));
        assertReplaced(() -> RunFiles.forgetRuns(directory, Pattern.compile(".*"), "rows"));
        assertThat(directory).isEmptyDirectory();
    }

    /** One on another machine may not have seen the lock. */
    @Test
    void shouldLeaveNoRecordBesideTheLatenciesOfAnother() throws IOException {
        Path lock = directory.resolve("run.lock");
        Path log = directory.resolve("latencies.write.hlog");
        for (boolean isSameFile : new boolean[] {true, false}) {
            try (RunOutput output = take("rows", directory)) {
                output.clear();
                RunFiles.begin("rows", directory);
                if (!isSameFile) {
                    Files.delete(lock);
                }
                Files.writeString(lock, "bin/persist packet\nprocess 1\nof-another-machine\n");
                Files.createFile(log);
                assertReplaced(() -> FILES.write(directory, measured(Map.of()), List.of()));
                assertReplaced(() -> FILES.addFigure(directory, Instant.ofEpochSecond(1), "device B/B", 2));
                RunFiles.abandon(directory);
            }
            assertThat(log).exists();
            assertThat(lock).content().startsWith("bin/persist packet");
            assertThat(new RunDirectory(directory).hasResult()).isFalse();
            Files.delete(log);
        }
    }

    /** Another program may have begun and ended meanwhile. */
    @Test
    void shouldAddNothingToTheRecordOfAnother() throws IOException {
        try (RunOutput output = take("rows", directory)) {
            output.clear();
            RunFiles.begin("rows", directory);
            Path record = Files.writeString(directory.resolve("run.json"), "{\"format\": 1, \"program\": \"packet\"}");
            assertReplaced(() -> FILES.write(directory, measured(Map.of()), List.of()));
            assertReplaced(() -> FILES.addFigure(directory, Instant.ofEpochSecond(1), "device B/B", 2));
            assertThat(record).hasContent("{\"format\": 1, \"program\": \"packet\"}");
        }
    }

    @Test
    void shouldAddNoFigureToALaterRunOfTheSameProgram() throws IOException {
        try (RunOutput output = take("rows", directory)) {
            output.clear();
            FILES.write(directory, measured(Map.of()), Map.of());
            assertReplaced(() -> FILES.addFigure(directory, Instant.ofEpochSecond(2), "device B/B", 2));
            assertThat(new RunDirectory(directory).load().figures()).isEmpty();
            Files.delete(directory.resolve("run.json"));
            assertReplaced(() -> FILES.addFigure(directory, Instant.ofEpochSecond(1), "device B/B", 2));
        }
    }

    private void assertReplaced(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IOException.class)
                .hasMessage(directory + " was deleted, moved or taken by another run meanwhile, and the files there"
                        + " are not of this one, of which there is only what it prints; give each an --output of its"
                        + " own, and leave that where it is");
    }
}

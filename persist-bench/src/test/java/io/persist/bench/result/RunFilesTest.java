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
        assertThatThrownBy(() -> FILES.write(directory, measured(Map.of()), Map.of()))
                .as("it came after the first look")
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(record + " was written by no run of this version");
        Files.delete(record);
        Files.delete(log);
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
        FILES.addFigure(directory, Instant.ofEpochSecond(1), "device B/B", 2.00049);

        RunResult result = new RunDirectory(directory).load();
        assertThat(result.series()).containsExactly(new RunResult.Series("a batch", "latencies.a-batch.hlog"));
        assertThat(result.figures()).containsExactly(Map.entry("rows/s", 1.235), Map.entry("device B/B", 2.0));
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left.map(Path::getFileName).map(Path::toString))
                    .containsExactlyInAnyOrder("run.json", "latencies.a-batch.hlog");
        }
    }

    /** Of another process, which has the number of this one. */
    private static String lockOf(String program, long second) {
        return RunLock.text(program, second, "of-another-process");
    }

    private static long second() {
        return RunLock.second(ProcessHandle.current());
    }

    @Test
    void shouldRefuseADirectoryWhereARunIsUnderWay() throws IOException {
        Path lock = Files.writeString(directory.resolve("run.lock"), lockOf("message", second()));
        Path log = Files.writeString(directory.resolve("latencies.write.hlog"), "#[Persist, latencies of another one");
        String line = directory + " is in use by a run of bin/persist message, process "
                + ProcessHandle.current().pid()
                + "; wait until that has ended, or name another directory with --output";

        for (RefusingCall each : List.<RefusingCall>of(RunFiles::refuseOthers, RunFiles::clear)) {
            assertThatThrownBy(() -> each.of("message", List.of(directory)))
                    .isInstanceOf(UsageException.class)
                    .hasMessage(line);
        }
        assertThatThrownBy(() -> RunFiles.begin("message", directory))
                .isInstanceOf(IOException.class)
                .hasMessage(line);
        assertThatThrownBy(() -> RunLock.take(directory, "message")).hasMessage(line);
        RunFiles.end(directory);
        assertThat(lock).hasContent(lockOf("message", second()));
        assertThat(log).isNotEmptyFile();
    }

    /** A process that was killed has left it, or the machine has failed while it was written. */
    @Test
    void shouldTakeTheLockOfARunThatIsDead() throws IOException {
        Path lock = directory.resolve("run.lock");
        for (String left : List.of(lockOf("packet", second() - 3600), "")) {
            Files.writeString(lock, left);
            RunFiles.begin("message", directory);
            RunFiles.begin("message", directory); // its own
            Files.createFile(directory.resolve("latencies.write.hlog"));
            RunFiles.abandon(directory);
            assertThat(directory).isEmptyDirectory();
        }
    }

    @Test
    void shouldLeaveALockThatIsSomebodyElses() throws IOException {
        Path lock = Files.writeString(directory.resolve("run.lock"), "mine");
        assertRefused(lock, "no run of this version");
    }

    /** Two programs may have begun at the same moment, or one on another machine. */
    @Test
    void shouldLeaveNoRecordBesideTheLatenciesOfAnother() throws IOException {
        RunFiles.begin("rows", directory);
        String other = lockOf("packet", second());
        Files.writeString(directory.resolve("run.lock"), other);
        Path log = Files.createFile(directory.resolve("latencies.write.hlog"));
        assertReplaced(() -> FILES.write(directory, measured(Map.of()), List.of()));
        RunFiles.abandon(directory);
        assertThat(log).exists();
        assertThat(directory.resolve("run.lock")).hasContent(other);
        assertThat(new RunDirectory(directory).hasResult()).isFalse();

        Files.delete(directory.resolve("run.lock")); // the other one has ended
        Path record = Files.writeString(directory.resolve("run.json"), "{\"format\": 1, \"program\": \"packet\"}");
        assertReplaced(() -> FILES.write(directory, measured(Map.of()), List.of()));
        assertReplaced(() -> FILES.addFigure(directory, Instant.ofEpochSecond(1), "device B/B", 2));
        assertThat(record).hasContent("{\"format\": 1, \"program\": \"packet\"}");
    }

    @Test
    void shouldAddNoFigureToALaterRunOfTheSameProgram() throws IOException {
        FILES.write(directory, measured(Map.of()), Map.of());
        assertReplaced(() -> FILES.addFigure(directory, Instant.ofEpochSecond(2), "device B/B", 2));
        assertThat(new RunDirectory(directory).load().figures()).isEmpty();
        Files.delete(directory.resolve("run.json"));
        assertReplaced(() -> FILES.addFigure(directory, Instant.ofEpochSecond(1), "device B/B", 2));
    }

    private void assertReplaced(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IOException.class)
                .hasMessage("another run has taken " + directory + " meanwhile, and the files there are not of this"
                        + " one, of which there is only what it prints; give each an --output of its own");
    }
}

package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.Program.Kind;
import io.persist.bench.doctor.DeviceWrites;
import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunOutput;
import io.persist.bench.result.RunResult;
import io.persist.command.Command;
import io.persist.command.Text;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a program writes of its run, besides the latencies. */
class RunRecordTest {

    @TempDir
    Path directory;

    /** So that the line can be typed as it is. */
    @Test
    void shouldQuoteADirectoryWithABlank() throws IOException {
        Path blank = Files.createDirectory(directory.resolve("a run"));
        assertThat(Kind.MESSAGE.small(blank, "-c", "200").out())
                .contains("to see them: bin/persist report '" + blank.resolve("output") + "'" + System.lineSeparator());
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    void shouldWriteWhatTheRunWasAndWhatCameOfIt(Kind kind) throws IOException {
        Instant before = Instant.now().minusMillis(1);
        Program program = kind.small(directory, "-c", "200", "-y", "--writeMode", "file");
        RunResult result = load();

        assertThat(program.out())
                .contains(", run.json in " + directory.resolve("output") + "; to see them: bin/persist report "
                        + directory.resolve("output") + System.lineSeparator());
        assertThat(result.name()).isEqualTo(kind.command + " FILE SYNCED");
        assertThat(result.program()).isEqualTo(kind.command);
        assertThat(result.command())
                .startsWith("bin/persist", kind.command, "-c", "200", "-y", "--writeMode", "file")
                .contains("--output", directory.resolve("output").toString());
        assertThat(Instant.parse(result.startedAt())).isBetween(before, Instant.now());
        assertThat(result.environment()).containsKeys("JVM", "CPUs", "kernel", "file system", "synced write p50");
        assertThat(result.parameters())
                .containsEntry("count", "200")
                .containsEntry("syncOnCommit", "true")
                .containsEntry("writeMode", program.parameter("writeMode"));
        assertThat(result.count()).isEqualTo(200);
        assertThat(Math.round(result.perSecond())).isEqualTo(program.number("(msgs|packets)/sec post warmup"));
        assertThat(result.figures().get("syncs")).isGreaterThanOrEqualTo(200.0);
        assertThat(result.figures())
                .containsKeys("payload MB/s", "rolls", "average sync µs", "stalls", "stalled ms", "longest stall ms");
        assertThat(result.figures().get("prepared MiB")).isPositive();
        assertThat(result.figures().containsKey("device B/B"))
                .isEqualTo(DeviceWrites.of(directory).bytes().isPresent());
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    void shouldNameTheHistogramLogOfEachSeries(Kind kind) throws IOException {
        Program program = kind.small(directory, "-c", "300", "-r", "100000", "-d");
        RunResult result = load();

        assertThat(result.name()).isEqualTo(kind.command + " MAPPED BUFFERED detached");
        assertThat(result.series()).extracting(RunResult.Series::name).contains("hand-off", "response", "durable");
        for (RunResult.Series series : result.series()) {
            File file = directory.resolve("output").resolve(series.file()).toFile();
            assertThat(values(file))
                    .isEqualTo(program.iterations(series.name()))
                    .isPositive();
        }
    }

    @Test
    void shouldTellInWhichIntervalWhatHappened() throws IOException {
        // 12 segments of 1 MB.
        Program program = Program.small(directory, "-c", "60000");
        RunResult result = load();

        assertThat(result.intervals()).isNotEmpty();
        assertThat(result.intervals()).extracting(RunResult.Interval::endNs).isSorted();
        assertThat(sum(result, "rolls"))
                .isEqualTo(program.number("rolls"))
                .isEqualTo(Math.round(result.figures().get("rolls")))
                .isPositive();
        assertThat(result.intervals().stream()
                        .mapToLong(RunResult.Interval::count)
                        .sum())
                .isEqualTo(60_000);
        assertThat(result.intervals())
                .allSatisfy(interval -> assertThat(interval.events()).doesNotContainValue(0L));
    }

    @Test
    void shouldCountTheTimeUntilAllIsDurable() throws IOException {
        Program program = Program.small(directory, "-c", "2000", "-d", "-y");

        assertThat(program.out()).contains("which makes " + Text.grouped(Math.round(load().perSecond())) + " msgs/sec");
    }

    @Test
    void shouldBeThereOnlyWithTheLatencyFilesItBelongsTo() throws IOException {
        Program.small(directory, "-c", "10");
        Program.small(directory, "-c", "20", "--noLatencyWrites");
        assertThat(load().count()).isEqualTo(10);

        // A run that fails has replaced the latency files already.
        Files.delete(directory.resolve("output/latencies.write.hlog"));
        Files.createDirectory(directory.resolve("output/latencies.write.hlog"));
        assertThat(Program.small(directory, "-c", "30").code()).isEqualTo(Command.FAILED);
        assertThat(new RunDirectory(directory.resolve("output")).hasResult()).isFalse();
    }

    /** The report shows what latencies it finds if no record says whose they are. */
    @Test
    void shouldLeaveNoLatenciesOfTheRunBeforeBesideItsOwn() throws IOException {
        Program.small(directory, "-c", "10", "-d");
        Path output = directory.resolve("output");
        Path series = output.resolve("latencies.write.hlog");
        assertThat(output.resolve("latencies.durable.hlog")).isNotEmptyFile();

        Files.createDirectory(series);
        assertThat(Program.small(directory, "-c", "30").code()).isEqualTo(Command.FAILED);

        try (Stream<Path> left = Files.list(output)) {
            assertThat(left).containsExactlyInAnyOrder(series, output.resolve("latencies.write.bin"));
        }
    }

    @Test
    void shouldNotReplaceWhatIsSomebodyElses() throws IOException {
        Path output = Files.createDirectory(directory.resolve("output"));
        String packet = "{\"format\": 1, \"program\": \"packet\"}";
        String[][] others = {
            {"run.json", "{\"mine\": true}", "no run of this version"},
            {"latencies.app.hlog", "{\"mine\": true}", "no run of this version"},
            {"run.json", packet, "bin/persist packet"}
        };
        for (String[] each : others) {
            Path other = Files.writeString(output.resolve(each[0]), each[1]);

            Program refused = Program.small(directory, "-c", "10");

            assertThat(refused.code()).isEqualTo(Command.USAGE);
            assertThat(refused.err())
                    .hasLineCount(1)
                    .startsWith("persist message: " + other + " was written by " + each[2]
                            + ", and this run would replace it; move it away, or name another directory with"
                            + " --output");
            assertThat(output).isDirectoryNotContaining(file -> !file.equals(other));
            assertThat(other).hasContent(each[1]);
            assertThat(Program.small(directory, "-c", "10", "--noLatencyWrites").code())
                    .isZero();
            Files.delete(other);
        }
    }

    /** Two at once would take each other's latencies for their own. */
    @Test
    void shouldRefuseAnOutputOfARunThatIsUnderWay() throws IOException {
        Path output = Files.createDirectory(directory.resolve("output"));
        Path lock = output.resolve("run.lock");
        try (RunOutput other = RunOutput.take("packet", output, List.of())) {
            other.clear();
            Program refused = Program.small(directory, "-c", "10");

            assertThat(refused.code()).isEqualTo(Command.USAGE);
            assertThat(refused.err())
                    .hasLineCount(1)
                    .startsWith("persist message: " + output + " is in use by a run of bin/persist packet, process "
                            + ProcessHandle.current().pid()
                            + "; wait until that has ended, or name another directory with --output");
            assertThat(output).isDirectoryNotContaining(file -> !file.equals(lock));
        }
        assertThat(Program.small(directory, "-c", "10").code()).isZero();
        assertThat(lock).doesNotExist();
    }

    private RunResult load() throws IOException {
        return new RunDirectory(directory.resolve("output")).load();
    }

    private static long sum(RunResult result, String event) {
        return result.intervals().stream()
                .mapToLong(interval -> interval.events().getOrDefault(event, 0L))
                .sum();
    }

    private static long values(File log) throws IOException {
        long values = 0;
        try (HistogramLogReader reader = new HistogramLogReader(log)) {
            while (reader.nextIntervalHistogram() instanceof Histogram interval) {
                values += interval.getTotalCount();
            }
        }
        return values;
    }
}

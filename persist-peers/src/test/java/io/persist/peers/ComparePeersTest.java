package io.persist.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunResult;
import io.persist.command.Command;
import io.persist.command.CommandLine;
import io.persist.command.Run;
import io.persist.peers.engine.all.Engines;
import io.persist.peers.profile.Kind;
import io.persist.peers.profile.ProfilerLibrary;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.process.ChildJvm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program as a whole, and what it says of wrong use. */
class ComparePeersTest {

    @TempDir
    Path directory;

    private static Run run(String... args) {
        return Run.of(new ComparePeers(), args);
    }

    @Test
    void shouldPrintATablePerModeAndLeaveRunsAndNothingElse() throws IOException {
        Path logs = Files.createDirectory(directory.resolve("logs"));
        Path runs = directory.resolve("runs");
        Path json = directory.resolve("peers.json");
        Run run = run(
                "--quick",
                "--engines",
                "persist,bare-copy",
                "--modes",
                "sync-10,reopen",
                "--messages",
                "1000",
                "--reopen-mib",
                "1",
                "--warmup",
                "0",
                "--heap",
                "256m",
                "--dir",
                logs.toString(),
                "--output",
                runs.toString(),
                "--json",
                json.toString());

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("## sync-10").contains("## reopen").doesNotContain("failed");
        assertThat(run.out().lines().filter(line -> line.startsWith("| bare-copy ")))
                .hasSize(2);
        assertThat(run.err().lines()).hasSize(4).allMatch(line -> line.matches("\\[\\d of 4.*] .*(us|MiB) .*\\d"));
        assertThat(logs).isEmptyDirectory();

        RunResult result = new RunDirectory(runs.resolve("sync-10-persist")).load();
        assertThat(result.count()).isBetween(10L, 1000L);
        assertThat(latencies(runs.resolve("sync-10-persist")
                        .resolve(result.series().get(0).file())))
                .isEqualTo(result.count() / 10);
        assertThat(new RunDirectory(runs.resolve("reopen-bare-copy")).load().figures())
                .containsEntry("log MiB", 1.0)
                .containsKey("open ms");
        assertThat(json).content().contains("\"bare-copy\"", "\"baseline\": \"persist\"", "\"latencies\": [");
    }

    /** Else a page shows latencies at a rate that nobody has appended at. */
    @Test
    void shouldLeaveTheRateAndTheTimeOfEachModeAndWhatSurvives() throws IOException {
        Path logs = Files.createDirectory(directory.resolve("logs"));
        Path runs = directory.resolve("runs");
        Run run = run(("--engines persist-file --modes open-loop-500k,listen-thread,sync --rounds 1 --seconds 0.01"
                        + " --messages 1000 --warmup 0 --heap 256m --dir " + logs + " --output " + runs)
                .split(" "));

        assertThat(run.code()).as(run.err()).isZero();
        RunResult fast = new RunDirectory(runs.resolve("open-loop-500k-persist-file")).load();
        assertThat(fast.name()).isEqualTo("persist-file open-loop-500k (an orderly end, weaker)");
        assertThat(fast.parameters())
                .containsEntry("rate", "500000")
                .containsEntry("messages", "1000")
                .containsEntry("survives", "an orderly end, weaker")
                .doesNotContainKeys("reopen-mib", "sustained-gb");
        assertThat(new RunDirectory(runs.resolve("listen-thread-persist-file"))
                        .load()
                        .parameters())
                .containsEntry("rate", "10000")
                .containsEntry("seconds", "0.1");
        RunResult synced = new RunDirectory(runs.resolve("sync-persist-file")).load();
        assertThat(synced.name()).isEqualTo("persist-file sync");
        assertThat(synced.parameters()).containsEntry("survives", "a power cut").doesNotContainKey("rate");
    }

    @Test
    void shouldShowHowASustainedLoadWentOn() throws IOException {
        Path logs = Files.createDirectory(directory.resolve("logs"));
        Path runs = directory.resolve("runs");
        Path json = directory.resolve("peers.json");
        Run run = run(
                "--modes",
                "sustained",
                "--engines",
                "persist,bare-sequential,sqlite",
                "--rounds",
                "2",
                "--sustained-gb",
                "0.001",
                "--sustained-seconds",
                "0",
                "--sustained-max-gb",
                "0.002",
                "--warmup",
                "0.01",
                "--heap",
                "256m",
                "--dir",
                logs.toString(),
                "--output",
                runs.toString(),
                "--json",
                json.toString());

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("- A sustained load appends at least 0.001 GB, for at least 0.0 s, and at most 0.002 GB: ")
                .contains("- \"device B/B\" are bytes written for each byte of messages, ")
                .contains("| first ops/s |", "| stall ms |", "| device B/B |", "| CPU s/M |", "Left out: sqlite: ")
                .doesNotContain("failed");
        assertThat(run.err().lines()).hasSize(4);
        assertThat(logs).isEmptyDirectory();

        RunResult result = new RunDirectory(runs.resolve("sustained-bare-sequential")).load();
        assertThat(result.count()).isGreaterThanOrEqualTo(2 * 3906);
        assertThat(result.intervals().stream()
                        .mapToLong(RunResult.Interval::count)
                        .sum())
                .isEqualTo(result.count());
        assertThat(result.intervals()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(result.intervals()).extracting(RunResult.Interval::endNs).isSorted();
        assertThat(result.figures()).containsKeys("close s", "sync s", "CPU s/M", "synced ops/s");
        try (HistogramLogReader log = new HistogramLogReader(
                runs.resolve("sustained-bare-sequential/latencies.hlog").toFile())) {
            long values = 0;
            for (int i = 0; i < result.intervals().size(); i++) {
                values += ((AbstractHistogram) log.nextIntervalHistogram()).getTotalCount();
            }
            assertThat(values).isEqualTo(result.count());
        }
        assertThat(json).content().containsPattern("\"perSecond\": \\[\\s*\\[\\s*\\d+");
    }

    @Test
    @Tag("nightly")
    void shouldLeaveAFlameGraphPerModeAndEngineAndSayWhereTheTimeGoes() throws IOException {
        assumeThat(ProfilerLibrary.missing()).isEmpty();
        Path logs = Files.createDirectory(directory.resolve("logs"));
        Path profiles = directory.resolve("profiles");
        Path json = directory.resolve("peers.json");
        Run run = run(
                "--quick",
                "--engines",
                "persist",
                "--modes",
                "buffered,replay,sync",
                "--heap",
                "256m",
                "--messages",
                "14000",
                "--seconds",
                "0.05",
                "--warmup",
                "0",
                "--dir",
                logs.toString(),
                "--profile",
                profiles.toString(),
                "--json",
                json.toString());

        assertThat(run.code()).as(run.err()).isZero();
        for (String mode : List.of("buffered", "replay", "sync")) {
            assertThat(run.err()).containsPattern("\\[\\d of 6.*] " + mode + ", profile, persist: [1-9]\\d* samples, ");
            List<Double> shares = shares(run.out(), mode);
            assertThat(shares).hasSize(Kind.values().length);
            assertThat(shares.stream().mapToDouble(share -> share).sum()).isBetween(99.5, 100.5);
            Kind expected = mode.equals("sync") ? Kind.DEVICE : Kind.JOURNAL;
            assertThat(shares.get(expected.ordinal())).as(run.out()).isPositive();
            assertThat(profiles.resolve(mode + "-persist.html"))
                    .content()
                    .contains("persist in mode " + mode, "<canvas");
        }
        assertThat(profiles).isDirectoryNotContaining(file -> !file.toString().endsWith("-persist.html"));
        assertThat(logs).isEmptyDirectory();
        assertThat(run.out()).containsOnlyOnce("### Profile: buffered, persist").contains("| - ");
        // The rounds are those that were asked for.
        assertThat(json).content().containsPattern("\"rounds\": \\[\\s*\\{[^}]*}\\s*]");
    }

    /** Of all kinds, in their order. */
    private static List<Double> shares(String out, String mode) {
        String profile = out.substring(out.indexOf("### Profile: " + mode + ", persist"));
        return Arrays.stream(Kind.values())
                .map(kind -> Pattern.compile("\\| " + Pattern.quote(kind.label()) + " *\\| *([0-9.]+) % \\|")
                        .matcher(profile))
                .filter(Matcher::find)
                .map(matcher -> Double.valueOf(matcher.group(1)))
                .toList();
    }

    private static long latencies(Path file) throws IOException {
        try (HistogramLogReader log = new HistogramLogReader(file.toFile())) {
            EncodableHistogram histogram = log.nextIntervalHistogram();
            assertThat(log.nextIntervalHistogram()).isNull();
            return ((AbstractHistogram) histogram).getTotalCount();
        }
    }

    @Test
    void shouldPrintWhatItHasOfAModeWhenInterrupted() throws IOException, InterruptedException {
        PeersParameters flags = new PeersParameters();
        CommandLine.of(flags)
                .parse(
                        "--engines",
                        "persist,bare-copy",
                        "--modes",
                        "sync-10,reopen",
                        "--rounds",
                        "1",
                        "--messages",
                        "100",
                        "--warmup",
                        "0",
                        "--heap",
                        "256m",
                        "--dir",
                        directory.toString());
        Plan plan = Plan.of(flags, Long.MAX_VALUE);
        List<String> jvmFlags = ChildJvm.flags(flags.heap());
        Surroundings surroundings = Surroundings.of(List.of(), directory, jvmFlags, flags.engines());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        BooleanSupplier inTheSecondTrial =
                () -> err.toString(StandardCharsets.UTF_8).contains("[2 of 4");

        int code = new Comparison(flags, plan, surroundings, jvmFlags, inTheSecondTrial)
                .run(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));

        assertThat(code).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("what had been measured is in the tables above");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("## sync-10", "| persist ")
                .doesNotContain("| bare-copy ", "failed", "## reopen");
    }

    @Test
    void shouldGoOnAfterAFailureAndSaySo() throws IOException {
        Path logs = Files.createDirectory(directory.resolve("logs"));
        Path runs = directory.resolve("runs");
        Path earlier =
                Files.createDirectories(runs.resolve("open-loop-persist")).resolve(RunDirectory.FILE);
        Files.writeString(earlier, "{\"format\": 1, \"program\": \"compare-peers\"}");
        Run run = run(
                "--engines",
                "persist",
                "--modes",
                "open-loop",
                "--rounds",
                "2",
                "--heap",
                "1k",
                "--warmup",
                "0",
                "--output",
                runs.toString(),
                "--dir",
                logs.toString());

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(2).allMatch(line -> line.contains("failed: "));
        assertThat(run.out()).contains("| failed |").contains("- open-loop, round 2, persist: ");
        assertThat(logs).isEmptyDirectory();
        assertThat(earlier).as("of an earlier run").doesNotExist();
    }

    @Test
    void shouldNotReplaceTheRunOfAnotherProgram() throws IOException {
        Path runs = directory.resolve("runs");
        Path record = Files.createDirectories(runs.resolve("sync-persist")).resolve(RunDirectory.FILE);
        Files.writeString(record, "{\"format\": 1, \"program\": \"other\"}");

        Run run = run("--quick", "--engines", "persist", "--dir", directory.toString(), "--output", runs.toString());

        assertThat(run.code()).isEqualTo(Command.USAGE);
        assertThat(run.err())
                .startsWith("persist compare-peers: " + record
                        + " was written by bin/persist other, and this run would replace it")
                .hasLineCount(1);
        assertThat(record).content().contains("other");
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--messages 1000000000 --size 1048576 | the largest trial takes about ",
                "--modes sustained --sustained-gb 9000 --sustained-max-gb 9000 | a sustained load of 9000.0 GB needs ",
            })
    void shouldSayBeforeItStartsThatThereIsTooLittleSpace(String args, String message) {
        Run run = run(args.split(" "));

        assertThat(run.code()).isEqualTo(Command.FAILED);
        assertThat(run.err()).startsWith("persist compare-peers: " + message).hasLineCount(1);
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--engines nobody | --engines nobody is none of persist, ",
                "--modes fast | --modes fast is none of sustained, ",
                "--rounds 0 | --rounds 0 is out of range; ",
                "--seconds soon | --seconds soon is not a number; ",
                "--size 15 | --size 15 is out of range; ",
                "--heap much | --heap much is no size; ",
                "--engines bare-dsync --modes buffered | nothing is left to compare",
                "--json /no/such/place/x | --json /no/such/place/x cannot be written; ",
                "--profile /dev/null/x | --profile /dev/null/x cannot be made ",
                "--sustained-max-gb 1 | --sustained-max-gb 1.0 is less than --sustained-gb 5.0; ",
                "--fast | unknown flag --fast; ",
            })
    void shouldSayWhatIsWrongInOneLine(String args, String message) {
        Run run = run(args.split(" "));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).startsWith("persist compare-peers: " + message).hasLineCount(1);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldListFlagsEnginesAndModes() {
        Run run = run("--help");

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("--reopen-mib MIB").contains("Exit code:");
        assertThat(Engines.all()).allSatisfy(kind -> assertThat(run.out()).contains("  " + kind.id() + " "));
        assertThat(Mode.values()).allSatisfy(mode -> assertThat(run.out()).contains("  " + mode.id() + " "));
    }
}

package io.persist.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.report.ReportCommand;
import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunResult;
import io.persist.command.Command;
import io.persist.command.Run;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CacheCommandTest {

    private static final String SMALL = "--items 300 --requests 1001 --threads 2 --clients 5 --warmup 0 ";

    @TempDir
    private Path directory;

    private static Run run(Command command, String arguments) {
        return Run.of(command, arguments.strip().split(" +"));
    }

    private Path logs() {
        return directory.resolve("logs");
    }

    private Run cache(String arguments) {
        return run(new CacheCommand(), SMALL + "--logsPath " + logs() + " " + arguments);
    }

    private static long number(String text) {
        return Long.parseLong(text.replace(",", ""));
    }

    @ParameterizedTest
    @CsvSource({"1:9, off, map", "1:9, async, store", "3:7, sync, store", "1:0, sync, store", "0:1, async, store"})
    void shouldMakeEachRequestOnceAndLeaveNothing(String ratio, String mode, String engine) {
        Run run = cache("--ratio " + ratio + " --mode " + mode + " --percentiles 50,99.9");
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isEqualTo(Command.OK);
        assertThat(run.out()).contains(" avg ms | p50 ms | p99.9 ms | max ms | ARCUS requests/s |");
        Matcher row = Pattern.compile("\\| \\S+ \\| " + mode + " \\| " + engine
                        + " \\| [0-9,]+ \\| ([0-9,]+) \\| ([0-9,]+) \\| ([0-9,]+) \\|"
                        + "( \\d+\\.\\d{3} \\|){4} [0-9,]+ \\|")
                .matcher(run.out());
        assertThat(row.find()).as(run.out()).isTrue();
        long sets = number(row.group(1));
        assertThat(sets + number(row.group(2))).isEqualTo(1001);
        int partOfSets = ratio.charAt(0) - '0';
        int whole = partOfSets + ratio.charAt(2) - '0';
        assertThat((double) sets * whole / partOfSets)
                .satisfies(all -> assertThat(partOfSets == 0 ? sets == 0 : all >= 1001 && all < 1201)
                        .as("sets=" + sets)
                        .isTrue());
        assertThat(number(row.group(3))).as("misses").isZero();
        if (!mode.equals("off")) {
            assertThat(run.out()).contains(" items with an acknowledged set 0 are lost.");
        }
        assertThat(logs()).doesNotExist();
    }

    @Test
    void shouldRunTheMatrixWithProgressAndTheRatiosOfArcus() throws IOException {
        Files.createDirectory(logs());
        Path csv = directory.resolve("all.csv");
        Run run = cache("--all --rounds 2 --seconds 0 --csv " + csv);
        assertThat(run.code()).as(run.err()).isEqualTo(Command.OK);
        // Each round begins with another mode.
        assertThat(run.err().lines().filter(line -> line.startsWith("[")).limit(4))
                .containsExactly(
                        "[1/30] insert (1:0, pattern P), off, round 1 ...",
                        "[2/30] insert (1:0, pattern P), async, round 1 ...",
                        "[3/30] insert (1:0, pattern P), sync, round 1 ...",
                        "[4/30] insert (1:0, pattern P), async, round 2 ...");
        assertThat(run.err()).contains("[30/30] 5:5 (5:5, pattern R), off, round 2 ...\n");
        assertThat(run.out())
                .containsPattern("\\| insert \\| \\d+\\.\\d\\d \\| 0\\.68 \\| \\d+\\.\\d\\d \\| 0\\.88 \\|\n")
                .containsPattern("\\| retrieve \\| \\d+\\.\\d\\d \\| 1\\.00 \\| ")
                .containsPattern("\\| 5:5 \\| \\d+\\.\\d\\d \\| 0\\.88 \\| \\d+\\.\\d\\d \\| 0\\.96 \\|\n")
                .contains("requests/s are medians of 2 rounds", "| 81,700 |", "Its ratios compare, its times do not.");
        List<String> lines = Files.readAllLines(csv);
        assertThat(lines).hasSize(31);
        assertThat(lines.get(0))
                .isEqualTo(
                        "test,mode,engine,round,requests_per_second,sets,gets,misses,elapsed_ns,avg_ns,p90_ns,p95_ns,p99_ns,"
                                + "max_ns,open_ns,items,lost");
        assertThat(lines.subList(1, 31)).allSatisfy(line -> {
            String[] cells = line.split(",", -1);
            assertThat(cells).hasSize(17);
            assertThat(Long.parseLong(cells[5]) + Long.parseLong(cells[6])).isEqualTo(1001);
            assertThat(cells[16]).isEqualTo(cells[1].equals("off") ? "" : "0");
        });
        assertThat(logs()).isEmptyDirectory();
    }

    @Test
    void shouldLeaveARunForTheReport() throws IOException {
        Path output = directory.resolve("results");
        Path data = Files.createDirectory(directory.resolve("data"));
        Run run = cache("--mode sync --ratio 5:5 --checkpoint 0 --chkptRateMBps 1000 --dataPath " + data + " --output "
                + output);
        assertThat(run.code()).as(run.err()).isEqualTo(Command.OK);
        assertThat(run.out())
                .containsPattern("(?m)^  checkpoint     0$")
                .containsPattern("(?m)^  chkptRateMBps  1000$")
                .containsPattern("(?m)^  syncInterval   10 ms \\(not used: mode sync\\)$")
                .contains("  second      sets/s      gets/s     syncs/s  checkpoint MB    CPU %\n")
                .containsPattern("Checkpoint from 0(\\.\\d)? s on, took [0-9.]+ s\\.");
        Path cell = output.resolve("5-5-sync");
        RunResult result = new RunDirectory(cell).load();
        assertThat(result.program()).isEqualTo("cache");
        assertThat(result.count()).isEqualTo(1001);
        assertThat(result.intervals().stream()
                        .mapToLong(RunResult.Interval::count)
                        .sum())
                .isEqualTo(1001);
        assertThat(result.levels())
                .isNotEmpty()
                .allSatisfy(
                        level -> assertThat(level.values()).containsOnlyKeys("requests/s", "checkpoint MB/s", "CPU %"));
        List<String> seconds = Files.readAllLines(cell.resolve("seconds.csv"));
        assertThat(seconds.get(0)).isEqualTo("end_ns,sets,gets,syncs,checkpoint_bytes,cpu_percent");
        long checkpointBytes = seconds.stream()
                .skip(1)
                .mapToLong(line -> Long.parseLong(line.split(",")[4]))
                .sum();
        assertThat(checkpointBytes)
                .as("the seconds end with the requests, perhaps before it")
                .isNotNegative();
        Run report = run(new ReportCommand(), output + " --output " + directory.resolve("report.html"));
        assertThat(report.code()).as(report.err()).isZero();
        assertThat(Files.readString(directory.resolve("report.html")))
                .contains("checkpoint MB/s", "cache 5:5 sync store");
        try (Stream<Path> left = Files.list(data)) {
            assertThat(left).isEmpty();
        }
    }

    /** A run of half a second shows what the machine has done meanwhile, and not what a log costs. */
    @Test
    void shouldGoOnUntilTheTimeIsOverButInsertEachItemOnce() throws IOException {
        Path csv = directory.resolve("all.csv");
        assertThat(cache("--mode off --seconds 0.3 --ratio 5:5 --csv " + csv).code())
                .isZero();
        assertThat(Long.parseLong(Files.readAllLines(csv).get(1).split(",")[8])).isGreaterThanOrEqualTo(300_000_000);

        Run insert = cache("--mode off --seconds 0.05 --ratio 1:0 --csv " + csv);
        assertThat(insert.out()).containsPattern("(?m)^  seconds +0\\.05 at least \\(not used: an insert\\)$");
        assertThat(Files.readAllLines(csv).get(1))
                .startsWith("insert,off,map,1,")
                .contains(",1001,0,0,");
    }

    /** Nothing remains of an earlier call, of however many rounds that was. */
    @Test
    void shouldLeaveARunForEachRound() throws IOException {
        Path output = directory.resolve("results");
        cache("--mode off --ratio 5:5 --output " + output);
        assertThat(output.resolve("5-5-off")).isNotEmptyDirectory();
        cache("--mode off --ratio 5:5 --rounds 2 --output " + output);
        assertThat(new RunDirectory(output.resolve("5-5-off")).hasResult()).isFalse();
        assertThat(new RunDirectory(output.resolve("5-5-off-2")).load().name())
                .isEqualTo("cache 5:5 off map, checkpoint none, round 2 of 2");
    }

    @Test
    void shouldNotReplaceTheRunOfAnotherProgram() throws IOException {
        Path record =
                Files.createDirectories(directory.resolve("results/5-5-off-2")).resolve(RunDirectory.FILE);
        Files.writeString(record, "{\"format\": 1, \"program\": \"other\"}");

        Run refused = cache("--mode off --ratio 5:5 --rounds 2 --output " + directory.resolve("results"));

        assertThat(refused.code()).isEqualTo(Command.USAGE);
        assertThat(refused.err())
                .startsWith(
                        "persist cache: " + record + " was written by bin/persist other, and this run would replace it")
                .hasLineCount(1);
        assertThat(record).content().contains("other");
        assertThat(directory.resolve("results/5-5-off-1")).doesNotExist();
    }

    /** Another one would delete the rounds that are done. */
    @Test
    void shouldHaveItsOutputForItselfAlsoBetweenItsRounds() {
        List<Run> refused = new ArrayList<>();
        String arguments = "--mode async --ratio 1:0 --rounds 2 --output " + directory.resolve("results");
        CacheEngine.Kind nested = new CacheEngine.Kind() {

            @Override
            public String id() {
                return StoreEngine.KIND.id();
            }

            @Override
            public CacheEngine open(CacheEngine.Place place) throws IOException {
                refused.add(cache(arguments));
                return StoreEngine.KIND.open(place);
            }
        };
        Run run = run(new CacheCommand(List.of(nested)), SMALL + "--logsPath " + logs() + " " + arguments);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(refused).hasSize(4).allSatisfy(other -> {
            assertThat(other.code()).isEqualTo(Command.USAGE);
            assertThat(other.err())
                    .startsWith("persist cache: " + directory.resolve("results") + " is in use by a run of bin/persist")
                    .hasLineCount(1);
        });
    }

    /** What is measured was compiled for its own requests: here for gets alone. */
    @Test
    void shouldWarmUpWithTheTestItself() {
        List<AtomicInteger> gets = new ArrayList<>();
        CacheEngine.Kind counting = new CacheEngine.Kind() {

            @Override
            public String id() {
                return StoreEngine.KIND.id();
            }

            @Override
            public CacheEngine open(CacheEngine.Place place) throws IOException {
                CacheEngine engine = StoreEngine.KIND.open(place);
                AtomicInteger count = new AtomicInteger();
                gets.add(count);
                return (CacheEngine) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {CacheEngine.class}, (self, method, arguments) -> {
                            if (method.getName().equals("get")) {
                                count.incrementAndGet();
                            }
                            return method.invoke(engine, arguments);
                        });
            }
        };
        Run run = run(
                new CacheCommand(List.of(counting)),
                "--items 30 --requests 7 --threads 1 --clients 1 --warmup 12 --ratio 0:1 --mode async --logsPath "
                        + logs());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(gets.get(0)).hasValue(12);
    }

    @Test
    void shouldSayThatACheckpointCameTooLate() {
        assertThat(cache("--mode async --checkpoint 1000").out())
                .contains("No checkpoint: the run was over before; give more --requests.");
        assertThat(cache("--mode off --checkpoint 0").out()).contains("checkpoint     0 (not used: mode off)");
        assertThat(cache("--mode async --checkpoint auto").out()).contains("  checkpoint     auto\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--items 0 | --items 0 is out of range; give a value from 1 to 100,000,000",
                "--requests 0 | --requests 0 is out of range",
                "--valueSize 15 | --valueSize 15 is out of range; give a value from 16 to 1,048,576",
                "--threads 0 | --threads 0 is out of range",
                "--clients 0 | --clients 0 is out of range",
                "--threads 1000 --clients 1001 | --threads 1000 with --clients 1,001 each are 1,001,000 clients; give at",
                "--ratio 1 | --ratio 1 is no ratio of sets to gets; give one such as 1:9 or 1:0",
                "--ratio 0:0 | --ratio 0:0 is no ratio",
                "--pattern S | --pattern S is none of P, R; choose one of them",
                "--mode fast | --mode fast is none of off, async, sync; choose one",
                "--rounds 0 | --rounds 0 is out of range",
                "--seconds -1 | --seconds -1 is out of range",
                "--engine redis | --engine redis is none of store, rocksdb; choose one of them",
                "--engine rocksdb | --engine rocksdb is not on this class path; run it by bin/persist cache",
                "--checkpoint soon | --checkpoint soon is none of none, auto, or the second of the run",
                "--chkptRateMBps 1 | --chkptRateMBps 1 is out of range; give a value from 2",
                "--percentiles 90,x | --percentiles 90,x is no list of numbers",
                "--percentiles 101 | --percentiles 101 is out of range",
                "--mode off --items 90000000 --valueSize 1048576 | --items 90,000,000 in mode off need a heap of ",
                "--all --items 90000000 --valueSize 1048576 | --items 90,000,000 in mode off need a heap of ",
                "--all --mode off | --all has every ratio, pattern and mode; leave --ratio, --pattern, --mode out",
                "--logsPath /dev/null | --logsPath /dev/null cannot be made",
                "--csv /proc/none/there.csv | --csv /proc/none/there.csv cannot be written",
            })
    void shouldRefuseWhatIsOfNoUse(String arguments, String message) {
        Run run = cache(arguments);
        assertThat(run.code()).isEqualTo(Command.USAGE);
        assertThat(run.err()).startsWith("persist cache: " + message).hasLineCount(1);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldLeaveNoneOfTheDirectoriesThatItHasMade() throws IOException {
        Files.createDirectory(directory.resolve("there"));
        Run run = run(
                new CacheCommand(),
                SMALL + "--mode async --logsPath " + directory.resolve("there/a/b/logs") + " --dataPath "
                        + directory.resolve("there/a/data"));
        assertThat(run.code()).as(run.err()).isEqualTo(Command.OK);
        assertThat(directory.resolve("there")).isEmptyDirectory();

        Run refused = cache("--dataPath /dev/null");
        assertThat(refused.code()).isEqualTo(Command.USAGE);
        assertThat(logs()).doesNotExist();

        Path output = directory.resolve("output/deep");
        assertThat(cache("--output " + output + " --csv /proc/none/there.csv").code())
                .isEqualTo(Command.USAGE);
        assertThat(output.getParent()).doesNotExist();
    }

    @Test
    void shouldSayThatThereIsTooLittleSpace() {
        Run run = cache("--items 100000000 --valueSize 1048576");
        assertThat(run.code()).isEqualTo(Command.FAILED);
        assertThat(run.err())
                .containsPattern(
                        "persist cache: the run takes about [0-9.]+ TiB, but only .* are free in .*; give fewer");
        assertThat(logs()).doesNotExist();
    }
}

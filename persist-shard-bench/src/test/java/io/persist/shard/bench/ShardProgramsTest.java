package io.persist.shard.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.persist.bench.report.ReportCommand;
import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunResult;
import io.persist.command.Command;
import io.persist.shard.postgres.server.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs as a user runs them, each for a moment. */
class ShardProgramsTest {

    @TempDir
    Path directory;

    private Path scratch() throws IOException {
        return Files.createDirectories(directory.resolve("scratch"));
    }

    private Path output() {
        return directory.resolve("runs");
    }

    @Test
    void shouldMeasureEachBenchmarkOnceAndLeaveNothing() throws IOException {
        Ended ended = Ended.of("shard-bench --seconds 0 --warmup 0 --dir " + scratch() + " --output " + output())
                .isWell();

        assertThat(ended.lines())
                .filteredOn(line -> line.startsWith("| small |"))
                .hasSize(18);
        for (String backend : List.of("mem", "file")) {
            assertThat(ended.out())
                    .contains("| small | writes | " + backend + " | 8 |")
                    .contains("| small | write-to-listen | " + backend + " | 8 |")
                    .contains("| small | bare-write | " + backend + " | 1 |")
                    .contains("| small | snapshot | " + backend + " | 1 |");
            RunResult run = new RunDirectory(output().resolve("shard-bench-" + backend + "-small")).load();
            assertThat(run.series())
                    .extracting(RunResult.Series::name)
                    .hasSize(9)
                    .contains("writes", "cas-per-cpu");
            assertThat(run.count()).isGreaterThan(16);
            assertThat(run.perSecond()).as("of different operations").isZero();
        }
        assertThat(ended.err()).contains("[9/9] file small encode ...");
        assertThat(scratch()).isEmptyDirectory();
    }

    @Test
    void shouldRunTheOpenLoopUntilAllIsWrittenAndRead() throws IOException {
        Path metrics = directory.resolve("metrics");
        Ended ended = Ended.of("shard --backend file --num_writers 2 --num-readers 2 --runtime=200ms"
                        + " --records_per_second=5000 --batch-size 300 --logging-granularity 50ms --metrics-port 0"
                        + " --metrics-file " + metrics + " --dir " + scratch() + " --output " + output())
                .isWell();

        assertThat(ended.out())
                .contains("what Materialize calls its latency")
                .contains("1,000 of 1,000 records in ", "of 0.31 that were asked for", "bytes for each byte")
                .containsPattern("\\| durable \\| 8 \\|");
        assertThat(ended.lines())
                .anyMatch(line -> line.contains(" s  writer 1 has written 1,000 records"))
                .anyMatch(line -> line.contains(" s  reader 1 has read 1,000 records"));
        assertThat(ended.err()).startsWith("metrics: http://127.0.0.1:").hasLineCount(1);
        assertThat(Files.readString(metrics))
                .contains("# TYPE persist_shard_records_written_total counter")
                .contains("persist_shard_records_written_total{writer=\"1\"} 1000\n")
                .contains("persist_shard_reader_lag_records{reader=\"0\"} 0\n")
                .contains("persist_shard_durable_seconds_count{writer=\"0\"} 4\n")
                .containsPattern("persist_shard_consensus_compare_and_set_total [1-9]");
        RunResult run = new RunDirectory(output().resolve("shard-file")).load();
        assertThat(run.count()).isEqualTo(1_000);
        assertThat(run.intervals().stream().mapToLong(RunResult.Interval::count).sum())
                .isEqualTo(1_000);
        assertThat(run.figures()).containsKeys("MiB/s", "largest lag records");
        assertThat(scratch()).isEmptyDirectory();
    }

    /** So that a long run has a bound of space, and tells whether the disk or the shard was too slow. */
    @Test
    void shouldSumKeysThatComeAgainAndMeasureTheDiskBare() throws IOException {
        Ended ended = Ended.of("shard --backend file --runtime=200ms --records_per_second=20000 --batch-size 250"
                        + " --distinct-keys 300 --bare 1ms --dir " + scratch() + " --output " + output())
                .isWell();

        assertThat(ended.out())
                .contains("The contents in the end: 300 keys, each as often as it was written.")
                .containsPattern(
                        "\\| one file, a sync for each write \\| [0-9.]*[1-9][0-9.]* \\| [0-9.]*[1-9][0-9.]* \\| [0-9.]+ % \\|")
                .containsPattern("\\| objects: a file for each, synced, renamed \\| [0-9.]*[1-9][0-9.]* \\|")
                .containsPattern("s  objects [^;]+, files [1-9][^;]+; this process has ")
                .containsPattern("\\| quarter 4 \\| [0-9.]+ \\|")
                .containsPattern("\\| builder \\| [0-9.]+ \\| [0-9.]+ % \\|")
                .containsPattern("\\| the rate is held \\| [0-9.]+ of 1.22 MiB/s \\| [a-zA-Z]+ \\|")
                .containsPattern("\\| 75 % of the disk bare, one file \\| [0-9.]+ % of ")
                .containsPattern("\\| 75 % of the disk bare, objects \\| [0-9.]+ % of ");
        assertThat(new RunDirectory(output().resolve("shard-file")).load().figures())
                .containsKeys("disk bare MiB/s", "disk bare in objects MiB/s", "written MiB/s");
        assertThat(scratch()).isEmptyDirectory();
    }

    @Test
    void shouldNoticeThatItReadsSomethingElse() throws IOException {
        Path place = directory.resolve("place");
        String flags = " --shard-id s1 --blob-uri file://" + place.resolve("objects") + " --consensus-uri journal://"
                + place.resolve("journal") + " --runtime 100ms --records-per-second 1000 --batch-size 10 --dir "
                + scratch();
        Ended.of("shard --distinct-keys 7 --num-readers 0" + flags).isWell();

        Ended ended = Ended.of("shard --distinct-keys 5 --num-writers 0" + flags);
        assertThat(ended.code()).isEqualTo(Command.FAILED);
        assertThat(ended.err()).contains("reader 0 was given key ").hasLineCount(1);
    }

    @Test
    void shouldMeasureAppendsAfterMoreAndMoreStates() throws IOException {
        Path csv = directory.resolve("slope.csv");
        Ended ended = Ended.of(
                        "shard-cas --sizes 0,300 --measurements 5 --rollup_threshold 10 --warmup 3 --tag t1 --out "
                                + csv + " --dir " + scratch() + " --output " + output())
                .isWell();

        assertThat(ended.lines()).hasSize(4);
        assertThat(ended.out()).contains("| 0 | 5 | ", "| 300 | 5 | ").contains(" 1.00 |");
        List<String> lines = Files.readAllLines(csv);
        assertThat(lines).hasSize(11).startsWith("tag,backend,blob,size,rep,ms");
        assertThat(lines.get(10)).matches("t1,mem,mem,300,4,[0-9]+\\.[0-9]{6}");
        assertThat(new RunDirectory(output().resolve("shard-cas-mem")).load().series())
                .extracting(RunResult.Series::name)
                .containsExactly("0 states", "300 states");
    }

    @Test
    void shouldBeDrawn() throws IOException {
        Ended.of("shard --runtime 100ms --dir " + scratch() + " --output " + output())
                .isWell();
        Path page = directory.resolve("page.html");
        int code = new ReportCommand()
                .run(new String[] {output().toString(), "--output", page.toString()}, System.out, System.err);

        assertThat(code).isEqualTo(Command.OK);
        assertThat(Files.readString(page)).contains("shard mem", "handed over", "reader 0 lag records");
    }

    /** Shards at a place that is there: one that is new goes, one that has a name stays and is gone on with. */
    @Test
    void shouldLeaveTheShardThatWasNamedOnly() throws IOException {
        Path place = directory.resolve("place");
        String uris = " file://" + place.resolve("objects") + " journal://" + place.resolve("journal");
        String flags = uris.replaceFirst(" ", " --blob-uri ").replace(" journal", " --consensus-uri journal")
                + " --runtime 100ms --records-per-second 1000 --dir " + scratch();
        Ended.of("shard" + flags).isWell();
        Ended.of("shard --shard-id s1 --record-size-bytes 600" + flags).isWell();
        assertThat(Ended.of("shard -s s1 --num-writers 0 --num-readers 1" + flags)
                        .isWell()
                        .out())
                .contains("100 of 100 records in ")
                .doesNotContain("Written: ", "the rate is held");

        List<String> shards = Ended.of("shards list" + uris).isWell().lines();
        assertThat(shards).hasSize(3);
        assertThat(shards).anyMatch(line -> line.matches("s1 +[0-9]+ +100 .*"));
        assertThat(shards).anyMatch(line -> line.matches("s[0-9a-f]{8}-.* EMPTY +EMPTY +1 +0 +0 +0 B +0"));
        assertThat(place.resolve("objects")).isNotEmptyDirectory();
        Ended.of("shards verify" + uris).isWell();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "shard-bench --backend foo | --backend foo is none of mem, file, postgres, s3",
                "shard-bench --blob-uri mem:// | --blob-uri and --consensus-uri belong together",
                "shard-bench --blob-uri s9://u:geheim@h/ --consensus-uri mem:// | s9://u:***@h/: no blob of this scheme",
                "shard-bench --sizes large | --sizes large is none of small, throughput",
                "shard-bench --only reads | --only reads is none of writes,",
                "shard-bench --seconds -1 | --seconds -1 is out of range",
                "shard-bench --warmup x | --warmup x is not a number",
                "shard-bench --dir /proc/none | --dir /proc/none cannot be made",
                "shard-bench --output /proc/none | --output /proc/none cannot be made",
                "shard-bench --nope | unknown flag --nope",
                "shard --backend mem,file | --backend mem,file is 2; give one of",
                "shard --num-writers -1 | --num-writers -1 is out of range",
                "shard --num-readers 65 | --num-readers 65 is out of range",
                "shard --num-writers 0 --num-readers 0 | are 0; give one of them",
                "shard --num-writers 0 | --num-writers 0 only reads, and a new shard has nothing",
                "shard --blob-uri mem://a --consensus-uri mem://b --num-writers 0 | name one by --shard-id",
                "shard --benchmark-type mz-source-model | --benchmark-type mz-source-model is none of raw-writer",
                "shard --runtime soon | --runtime soon is no time; give one such as 60s",
                "shard --runtime 0s | --runtime in seconds 0 is out of range",
                "shard --records-per-second 0 | --records-per-second 0 is out of range",
                "shard --record-size-bytes 16 | --record-size-bytes 16 is out of range",
                "shard --record-size-bytes 18 | has no room for 6,000 different keys",
                "shard --batch-size 0 | --batch-size 0 is out of range",
                "shard --records-per-second 1000000 --batch-size 1 --runtime 1h | batches of --batch-size 3,600,000,000",
                "shard --logging-granularity 0 | --logging-granularity in seconds 0 is out of range",
                "shard --shard-id S1 | --shard-id S1 is none",
                "shard --shard-id s1 | --shard-id is of use with --blob-uri",
                "shard --distinct-keys 0 | --distinct-keys 0 is out of range",
                "shard --distinct-keys 5 --num-readers 0 | bounds nothing without a reader",
                "shard --bare 1s | --bare measures the disk of --dir, where the objects of mem are not",
                "shard --bare 1s --blob-uri file:///none --consensus-uri mem:// | where the objects of file:///none and",
                "shard --bare 2h | --bare in seconds 7,200 is out of range",
                "shard --metrics-port 70000 | --metrics-port 70,000 is out of range",
                "shard --metrics-port 0 --internal-http-listen-addr localhost:0 | say the same",
                "shard --internal-http-listen-addr 0.0.0.0:1 | is no port of this machine alone",
                "shard --metrics-file /no/such/file | --metrics-file /no/such/file cannot be written",
                "shard-cas --sizes 0,x | --sizes 0,x is no list of numbers",
                "shard-cas --measurements 0 | --measurements 0 is out of range",
                "shard-cas --rollup-threshold -1 | --rollup-threshold -1 is out of range",
                "shard-cas --warmup -1 | --warmup -1 is out of range",
                "shard-cas --tag a/b | --tag a/b is none",
                "shard-cas --out /no/such/file | --out /no/such/file cannot be written",
                "shards | no command is given; choose one of list, show, verify, gc",
                "shards drop | unknown command 'drop'",
                "shards list file:///tmp | give the URI of the blob, and the URI of the consensus",
                "shards list /tmp /tmp | /tmp is no URI of a blob",
                "shards show mem://a mem://b | is the memory of another process",
                "shards verify s9://u:geheim@h/ y://z | s9://u:***@h/: no blob of this scheme",
                "shards gc --force | unknown flag --force"
            })
    void shouldSayInOneLineWhatIsWrong(String line, String says) {
        Ended ended = Ended.of(line);

        assertThat(ended.code()).isEqualTo(Command.USAGE);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err())
                .startsWith("persist " + line.replaceFirst(" .*", ""))
                .contains(says)
                .doesNotContain("geheim")
                .hasLineCount(1);
    }

    @Test
    void shouldSayThatThereIsTooLittleSpace() throws IOException {
        Ended ended = Ended.of("shard --backend file --records-per-second 1000000 --record-size-bytes 1000000 --runtime"
                + " 1000s --dir " + scratch());

        assertThat(ended.code()).isEqualTo(Command.FAILED);
        assertThat(ended.err()).contains("the run takes about ").hasLineCount(1);
        assertThat(scratch()).isEmptyDirectory();
    }

    @Test
    void shouldSayThatThereIsNoPostgres() throws IOException {
        System.setProperty("persist.postgres", directory.toString());
        try {
            Ended ended = Ended.of("shard-bench --backend postgres --dir " + scratch());
            assertThat(ended.code()).isEqualTo(Command.FAILED);
            assertThat(ended.err())
                    .contains("are not found", "or name servers that are there")
                    .hasLineCount(1);
            assertThat(scratch()).isEmptyDirectory();
        } finally {
            System.clearProperty("persist.postgres");
        }
    }

    @Test
    @Tag("nightly")
    void shouldStartServersAndLeaveNothing() throws IOException {
        assumeThat(PostgresServer.whyMissing()).isNull();
        Ended ended = Ended.of("shard-bench --backend postgres,s3 --seconds 0 --warmup 0 --dir " + scratch())
                .isWell();

        assertThat(ended.lines())
                .filteredOn(line -> line.startsWith("| small |"))
                .hasSize(18);
        assertThat(ended.out()).containsPattern("writes \\| s3 \\| 8 \\|.*\\| 45 ms \\|");
        assertThat(scratch()).isEmptyDirectory();
        Ended.of("shard --backend s3 --runtime 1s --records-per-second 1000 --num-writers 2 --dir " + scratch()
                        + " --output " + output())
                .isWell();
        assertThat(scratch()).isEmptyDirectory();
        assertThat(new RunDirectory(output().resolve("shard-s3")).load().levels())
                .allMatch(level -> level.values().get("files MiB") > 16); // PostgreSQL's log has 16 MiB at least
    }

    @Test
    void shouldSayThatThePortIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Ended ended =
                    Ended.of("shard --runtime 100ms --metrics-port " + taken.getLocalPort() + " --dir " + scratch());

            assertThat(ended.code()).isEqualTo(Command.FAILED);
            assertThat(ended.err())
                    .contains("--metrics-port " + taken.getLocalPort() + " cannot be used")
                    .hasLineCount(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shard-bench", "shard", "shard-cas", "shards", "shards list", "shards gc"})
    void shouldHaveHelp(String program) {
        assertThat(Ended.of(program + " --help").isWell().out()).contains("Usage: bin/persist " + program, "--help");
    }
}

package io.persist.kafka.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.persist.bench.result.RunDirectory;
import io.persist.command.Command;
import io.persist.command.Run;
import io.persist.kafka.bench.server.EngineKind;
import io.persist.kafka.bench.server.ServerSpec;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program as a user runs it; what has a broker runs at night. */
class KafkaProgramTest {

    @TempDir
    Path directory;

    private static Run run(String... args) {
        return Run.of(new KafkaProgram(), args);
    }

    private Run runHere(String... args) {
        return run(Stream.concat(Arrays.stream(args), Stream.of("--dir", directory.toString()))
                .toArray(String[]::new));
    }

    @Test
    void shouldNotReplaceTheRunOfAnotherProgram() throws IOException {
        Path runs = directory.resolve("runs");
        Path record = Files.createDirectories(runs.resolve("rocksdb-2")).resolve(RunDirectory.FILE);
        Files.writeString(record, "{\"format\": 1, \"program\": \"other\"}");

        Run refused = runHere("compare", "1", "1", "1", "--rounds", "2", "--output", runs.toString());

        assertThat(refused.code()).isEqualTo(Command.USAGE);
        assertThat(refused.err())
                .startsWith(
                        "persist kafka: " + record + " was written by bin/persist other, and this run would replace it")
                .hasLineCount(1);
        assertThat(record).content().contains("other");
        assertThat(refused.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rounds 2 | no command is given",
                "foo | foo is no command; give one of compare, launchTests",
                "compare 1 2 | give W SIZE T",
                "compare 0 1 1 | W 0 is out of range",
                "launchTests 1 1 x | T x is out of range",
                "launchTests --engine persist,rocksdb | --engine has to be one for launchTests",
                "compare --engine foo | --engine foo is none of persist, rocksdb, memory",
                "setup x | x is too much for setup",
                "workflowMetrics 3 4 | 4 is too much for workflowMetrics",
                "workflowMetrics x | N x is out of range",
                "compare --guarantee maybe | --guarantee maybe is none of",
                "compare --set foo | --set foo is no list of settings",
                "compare --heap x | --heap x is no size",
                "compare --application a/b | --application a/b names no topic",
                "compare --punctuate 0 | --punctuate 0 is out of range",
                "compare --timer-delay -1 | --timer-delay -1 is out of range",
                "compare --warmup 100 | --warmup 100 is out of range",
                "compare --window 0 | --window 0 is out of range",
                "compare --rounds 0 | --rounds 0 is out of range",
                "server --port 70000 | --port 70,000 is out of range",
                "setup --bootstrap localhost | --bootstrap localhost is no address",
                "storeMetrics --server here | --server here is no address",
                "compare --json /no/such/file | --json /no/such/file cannot be written",
                "launchTests --rounds 2 | --rounds is for compare only; leave it out",
                "restore --rounds 1 | --rounds is for compare only",
                "compare --port 5000 | --port is for server only",
                "launchTests --bootstrap localhost:1 --port 1 | --port is for server only",
                "launchTests --server localhost:1 | --server is for workflowMetrics and storeMetrics with --bootstrap",
                "storeMetrics --server localhost:1 | --server is for workflowMetrics and storeMetrics with --bootstrap",
                "server --output runs | --output is for compare, and without --bootstrap for launchTests",
                "setup --json all.json | --json is for compare, and without --bootstrap for launchTests",
                "restore --bootstrap localhost:1 --output runs | --output is for compare",
                "restore 1 1 1 --bootstrap localhost:1 | 1 is too much for restore",
                "server --heap 2g | --heap is for what starts a server in a process of its own only; leave it out",
                "launchTests --bootstrap localhost:1 --heap 2g | --heap is for what starts a server",
                "launchTests --bootstrap localhost:1 --engine rocksdb | --engine is for what runs a server only",
                "setup --engine rocksdb | --engine is for what runs a server only",
                "setup --guarantee exactly_once_v2 | --guarantee is for what runs a server only; leave it out",
                "setup --set a=b | --set is for what runs a server only",
                "setup --punctuate 1 | --punctuate is for what runs a server only",
                "launchTests --bootstrap localhost:1 --timer-delay 1 | --timer-delay is for what runs a server only",
                "storeMetrics --bootstrap localhost:1 --window 1 | --window is for what runs a server only",
                "server --warmup 5 | --warmup is for compare, and without --bootstrap for launchTests",
                "compare --nope 1 | unknown flag --nope"
            })
    void shouldSayInOneLineWhatIsWrong(String args, String says) {
        Run ended = runHere(args.split(" "));

        assertThat(ended.code()).isEqualTo(Command.USAGE);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).startsWith("persist kafka: ").contains(says).hasLineCount(1);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldSayThatThereIsTooLittleSpace() {
        Run ended = runHere("compare", "1000000", "900000", "1000000");

        assertThat(ended.code()).isEqualTo(Command.FAILED);
        assertThat(ended.err()).contains("the run takes about ").hasLineCount(1);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldFailWhenTheDiskBelowTheOutputIsFull() throws IOException, InterruptedException {
        File full = new File("/dev/full");
        assumeThat(full).exists();
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KafkaProgram.class.getName(),
                        "--help")
                .redirectOutput(full)
                .redirectError(directory.resolve("err").toFile())
                .start();

        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(directory.resolve("err")).content().contains("cannot write to standard output");
        assertThat(process.exitValue()).isEqualTo(Command.FAILED);
    }

    @Test
    void shouldHaveHelp() {
        assertThat(run("--help").isWell().out()).contains("bin/persist kafka compare", "--bootstrap", "Exit code");
    }

    @Test
    void shouldSayThatNoServerAnswers() {
        Run ended = run("storeMetrics", "--bootstrap", "localhost:1", "--server", "localhost:1");

        assertThat(ended.code()).isEqualTo(Command.FAILED);
        assertThat(ended.err()).contains("no server answers at localhost:1").hasLineCount(1);
    }

    @Test
    @Tag("nightly")
    void shouldCompareEnginesAndLeaveNothing() throws IOException {
        Path output = directory.resolve("runs");
        Path scratch = Files.createDirectory(directory.resolve("scratch"));
        Run ended = run(
                "compare",
                "20",
                "100",
                "20",
                "--engine",
                "persist,rocksdb,memory",
                "--rounds",
                "2",
                "--punctuate",
                "0.1",
                "--timer-delay",
                "0",
                "--dir",
                scratch.toString(),
                "--output",
                output.toString(),
                "--json",
                directory.resolve("all.json").toString());

        ended.isWell();
        assertThat(ended.out())
                .contains("| | persist, median of 2 | rocksdb, median of 2 | memory, median of 2 |")
                .contains("| commands/s |", "| get p99.9 µs |", "| delete max ms |", "| range max ms |")
                .contains("| longest pause ms |", "| kill -9 to RUNNING ms |", "| restore s |", "| peak files MB |")
                .contains("| store's share of the time % |", "| peak RSS MB |");
        assertThat(ended.err().lines()).anyMatch(line -> line.equals("rocksdb, round 2 of 2: kill -9"));
        assertThat(scratch).isEmptyDirectory();
        for (String run : List.of("persist-1", "persist-2", "rocksdb-1", "rocksdb-2", "memory-1", "memory-2")) {
            var result = new RunDirectory(output.resolve(run)).load();
            assertThat(result.count()).isEqualTo((20 + 2 * 20 * 20) * 8 / 10); // behind the warm-up
            assertThat(result.series()).anyMatch(series -> series.name().equals("put"));
            assertThat(result.figures().get("store's share of the time %")).isBetween(0.0, 100.0);
            assertThat(result.figures().get("timers deleted")).isBetween(1.0, 400.0);
            assertThat(result.figures().get("records restored after kill -9")).isGreaterThanOrEqualTo(0);
            assertThat(result.figures().get("restored records/s")).isPositive();
        }
    }

    @Test
    @Tag("nightly")
    void shouldAnswerMetricsUnderExactlyOnce() {
        String windows = runHere("workflowMetrics", "1", "--window", "600", "--guarantee", "exactly_once_v2")
                .isWell()
                .out();
        assertThat(windows).startsWith("{\"metrics\":[{\"windowStart\":").contains("\"totalTaskStarts\":");
        assertThat(windows.split("windowStart", -1)).hasSize(2);

        String metrics = runHere("storeMetrics", "--engine", "persist").isWell().out();
        assertThat(metrics).startsWith("{").contains("\"put-rate 0_0\"", "\"index-memory-bytes 0_0\"");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    @Tag("nightly")
    void shouldDoOnePartEachOnABrokerThatIsThere() throws Exception {
        try (Broker broker = Broker.start(directory.resolve("broker"))) {
            String at = broker.bootstrap();
            assertThat(run("setup", "--bootstrap", at).isWell().out()).contains("persist-workflows-input");
            run("setup", "--bootstrap", at).isWell();
            run("launchTests", "10", "100", "10", "--bootstrap", at).isWell();
            ServerSpec spec = new KafkaFlags()
                    .spec(at, "persist-workflows", EngineKind.PERSIST, directory.resolve("state"), 0, 0);
            try (ServerProcess server = ServerProcess.start(spec, "256m", directory)) {
                server.awaitRunning();
                while (server.status().commands() < 210) {
                    Thread.onSpinWait();
                }
                server.stop();
            }
            Files.createDirectory(directory.resolve("other"));
            assertThat(run(
                                    "restore",
                                    "--bootstrap",
                                    at,
                                    "--dir",
                                    directory.resolve("other").toString())
                            .isWell()
                            .out())
                    .startsWith("restored ");
            assertThat(directory.resolve("other")).isEmptyDirectory();
        }
    }

    /** The signal goes to the program alone, while it waits for the first word of its server. */
    @Test
    @Tag("nightly")
    void shouldLeaveNothingBehindIfItIsEndedWhileAServerStarts() throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KafkaProgram.class.getName(),
                        "compare",
                        "--dir",
                        directory.toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader says = program.inputReader(StandardCharsets.UTF_8)) {
            while (!says.readLine().endsWith(": starting")) {}
            while (program.children().findAny().isEmpty()) {
                assertThat(program.isAlive()).isTrue();
            }
            List<ProcessHandle> servers = program.children().toList();
            for (ProcessHandle server : servers) { // so that it never says it
                new ProcessBuilder("kill", "-STOP", Long.toString(server.pid()))
                        .start()
                        .waitFor();
            }
            program.destroy();
            program.waitFor();
            try (Stream<Path> left = Files.list(directory)) {
                assertThat(left).isEmpty();
            }
            assertThat(servers).noneMatch(ProcessHandle::isAlive);
        } finally {
            program.destroyForcibly();
        }
    }
}

package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunResult;
import io.persist.command.Command;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The program as a user starts it. */
class CommandFormsTest {

    /** Segments of 1 MiB: those of 64 MiB take a program seconds to fill, and the device to write. */
    private static final String SMALL = " --segmentSize 1";

    @TempDir
    Path directory;

    static Stream<String> commands() {
        return Drawn.of(
                1,
                "com.neeve.perf.persist.MessageLogger -k ./logs",
                "com.neeve.perf.persist.PacketLogger -l ./logs",
                "com.neeve.perf.persist.StoreLogger -l ./logs",
                "io.persist.bench.Main message -k ./logs",
                "io.persist.bench.Main packetlogger -l ./logs",
                "io.persist.bench.StoreLoggerMain -l ./logs");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldRunTheCommandOfTheRumiSuite(String program) throws Exception {
        Result result = java(program + " -c 1000 -r -1 -f false -y false -t 0.2 -i 0.05" + SMALL);

        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("Warm up complete.", "Wrote 1,000 ", " post warmup.", "all verified.");
        assertThat(directory.resolve("logs/results")).isDirectoryRecursivelyContaining("glob:**/latencies.write.bin");
        assertThat(directory.resolve("logs")).isDirectoryRecursivelyContaining("glob:**/control");
        assertThat(result.out()).contains("Left on the disk: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.persist.bench.Main help",
                "com.neeve.perf.persist.MessageLogger -k bench -c 10 -t 0 -i 0.01 --segmentSize 1"
            })
    void shouldFailWhenTheDiskBelowTheOutputIsFull(String command) throws Exception {
        Process process = ChildProgram.builder(directory, command)
                .redirectOutput(new File("/dev/full"))
                .start();

        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(directory.resolve("err"))
                .content()
                .isEqualTo("persist: cannot write to standard output: No space left on device;"
                        + " what was printed is not whole\n");
        assertThat(process.exitValue()).isEqualTo(Command.FAILED);
    }

    /** The last one is not told where: it keeps everything in one folder of the working directory. */
    @Test
    void shouldRunTheThreeCommandsOfTheRumiSuiteInOneFolderAndAgain() throws Exception {
        String[] commands = {"MessageLogger -k ./logs", "PacketLogger -l ./logs", "StoreLogger"};
        for (String command : commands) {
            assertThat(runsAgain(command)).as(command).isFalse();
        }
        assertThat(directory.resolve("logs/store/control")).isRegularFile();
        for (String command : Drawn.of(1, commands).toList()) {
            assertThat(runsAgain(command)).as(command).isTrue();
        }
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("logs", "out", "err");
        }
    }

    /** Runs it; returns whether it has found a log. */
    private boolean runsAgain(String command) throws Exception {
        Result result = java(
                "com.neeve.perf.persist." + command + " -c 50 -r -1 -f false -y false -j null -t 0 -i 0.01" + SMALL);

        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isZero();
        return result.out().contains(" already; this run ");
    }

    @Test
    void shouldExitWithTheCodeOfTheProgram() throws Exception {
        Result result = java("com.neeve.perf.persist.MessageLogger -c none");

        assertThat(result.code()).isEqualTo(Command.USAGE);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(java("io.persist.bench.Main nothing").code()).isEqualTo(Command.USAGE);
    }

    /** The results of an earlier run stay too. */
    @Test
    void shouldCleanUpAndMeasureNothingWhenItIsInterruptedWhileItWarmsUp() throws Exception {
        String logs = directory.resolve("logs").toString();
        Program earlier = Program.message("-k", logs, "-c", "100", "-t", "0", "-i", "0.01", "--segmentSize", "1");
        assertThat(earlier.code()).isZero();
        RunDirectory results = new RunDirectory(directory.resolve("logs/results/messages"));
        Process process = start("io.persist.bench.Main message -k ./logs -c 1000000 -r 1000 -t 60 -i 0.01" + SMALL);
        Path scratch = directory.resolve("logs/persist-warmup-" + process.pid());
        Program.await("the warm-up", () -> !process.isAlive() || Files.exists(scratch));
        process.destroy();

        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(scratch).doesNotExist();
        assertThat(out())
                .contains("Interrupted before the run began: nothing was measured")
                .doesNotContain("Warm up complete", "Opened ");
        assertThat(results.load().count()).isEqualTo(100);
        assertThat(directory.resolve("err")).isEmptyFile();
    }

    /** It has cells for a minute, since who interrupts it may have no CPU for some seconds. */
    @Test
    void shouldWriteWhatTheDeviceDidUntilItWasInterrupted() throws Exception {
        String many = IntStream.range(0, 60).mapToObj(Integer::toString).collect(Collectors.joining(","));
        Process process = start("io.persist.bench.Main device --engine channel --op write --pattern seq,rand"
                + " --fileSize 64k --block 4096 --seconds 0.5 --warmup 0 --json all.json --csv all.csv --syncEvery "
                + many);
        Program.await("a cell", () -> !process.isAlive() || out().contains("1/120"));
        process.destroy();

        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(out()).containsPattern("Interrupted: \\d{1,2} of 120 cells were measured\\.");
        assertThat(directory.resolve("all.csv")).content().contains("channel,seq,write,");
        assertThat(directory.resolve("all.json")).content().contains("\"cells\"");
    }

    @Test
    void shouldBindTheWriterThreadWithoutNoise() throws Exception {
        Result result = java("io.persist.bench.Main message -k ./logs -c 1000 -d -j 1 -t 0 -i 0.01" + SMALL);

        assertThat(result.code()).isZero();
        // From JDK 24 on the JVM itself warns of native code.
        assertThat(result.err().lines().filter(line -> !line.isEmpty() && !line.startsWith("WARNING: ")))
                .isEmpty();
        if (Runtime.version().feature() < 24) {
            assertThat(result.err()).isEmpty();
        }
    }

    @Test
    void shouldPrintWhatSeveralProducersHaveMeasuredWhenInterrupted() throws Exception {
        Process process = start("io.persist.bench.Main message -k ./logs -c 1000000 -r 1000 -t 0 -i 0.01 -d -y"
                + " --producers 2 --printIntervalStats" + SMALL);
        Program.await("an interval", () -> !process.isAlive() || out().contains("interval"));
        process.destroy();

        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(out()).containsSubsequence("last record  synced ", "Interrupted:", "Closed in ");
        assertThat(directory.resolve("err")).isEmptyFile();
        RunResult result = new RunDirectory(directory.resolve("logs/results/messages")).load();
        assertThat(result.count()).isPositive().isLessThan(1_000_000);
        assertThat(result.intervals()).isNotEmpty();
    }

    private Result java(String command) throws IOException, InterruptedException {
        Process process = start(command);
        boolean ended = process.waitFor(2, TimeUnit.MINUTES);
        if (!ended) {
            process.destroyForcibly();
        }
        assertThat(ended).isTrue();
        return new Result(
                process.exitValue(), out(), Files.readString(directory.resolve("err"), StandardCharsets.UTF_8));
    }

    private String out() {
        try {
            return Files.readString(directory.resolve("out"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process start(String command) throws IOException {
        return ChildProgram.start(directory, command);
    }

    private record Result(int code, String out, String err) {}
}

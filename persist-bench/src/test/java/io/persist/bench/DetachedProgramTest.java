package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.record.NumberedMessages;
import io.persist.log.read.Tailer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The program "message" with a writer thread. */
class DetachedProgramTest {

    @TempDir
    Path directory;

    static Stream<String> modes() {
        return Drawn.of(
                6,
                "",
                "-f",
                "-y",
                "-y -n 7",
                "--writeMode file",
                "-f --writeMode file",
                "-f --writeMode file -n 7",
                "-y --writeMode file",
                "-y -m rwd",
                "--syncInterval 1",
                "-q 1",
                "-q 1 --whenFull fail",
                "-q 2 --whenFull 1",
                "--waitStrategy busySpin",
                "--waitStrategy yielding",
                "--waitStrategy sleeping");
    }

    @ParameterizedTest
    @MethodSource("modes")
    void shouldMeasureEachRecordsHandOffAndDurability(String flags) throws IOException {
        for (int producers : new int[] {1, 3}) {
            String[] args = ("-d -c 200 --producers " + producers + " -k " + directory.resolve("logs" + producers) + " "
                            + flags)
                    .strip()
                    .split(" ");

            Program program = Program.small(directory, args);

            assertThat(program.err()).isEmpty();
            assertThat(program.code()).isZero();
            assertThat(program.out()).contains("Wrote 200 messages @ ", "Read 200 messages @ ", "all verified.");
            assertThat(program.iterations("hand-off")).isEqualTo(200);
            assertThat(program.iterations("durable")).isEqualTo(200);
            assertThat(directory.resolve("output/latencies.hand-off.bin")).hasSize(4 * 200);
            assertThat(directory.resolve("output/latencies.durable.bin")).hasSize(4 * 200);
        }
    }

    @Test
    void shouldTellTheStoryOfTheWriterThread() throws IOException {
        Program program = Program.small(directory, "-d", "true", "-q", "100", "-c", "100", "-n", "8", "-y");

        assertThat(program.parameter("detached")).isEqualTo("true");
        assertThat(program.parameter("queueDepth")).isEqualTo("128");
        assertThat(program.parameter("producers")).isEqualTo("1");
        assertThat(program.parameter("waitStrategy")).isEqualTo("blocking");
        assertThat(program.parameter("whenFull")).isEqualTo("block");
        assertThat(program.out())
                .containsSubsequence(
                        "Wrote 100 messages @ ",
                        "Detached",
                        "last record  synced ",
                        " us after its hand-off, which makes ",
                        "commits      13, ",
                        " commits per sync",
                        "batches      ",
                        " records on average, ",
                        "queue        ",
                        " of 128 entries used at most, full ",
                        "Latencies in microseconds:",
                        "hand-off ",
                        "durable ",
                        "durable: until synced, from the actual start.",
                        "Written to latencies.{hand-off,durable}.{bin,hlog}, run.json in ");
        assertThat(fileNames())
                .containsExactlyInAnyOrder(
                        "latencies.hand-off.bin",
                        "latencies.hand-off.hlog",
                        "latencies.durable.bin",
                        "latencies.durable.hlog",
                        "run.json");
    }

    @Test
    void shouldMeasureFromTheIntendedStartTooWithARate() throws IOException {
        Program program = Program.small(directory, "-d", "-c", "300", "-r", "30000", "--producers", "3");

        assertThat(program.iterations("hand-off")).isEqualTo(300);
        assertThat(program.iterations("response")).isEqualTo(300);
        assertThat(program.iterations("durable")).isEqualTo(300);
        assertThat(program.out()).contains("durable: until written by the writer thread, from the intended start.");
        assertThat(fileNames()).hasSize(7).contains("latencies.response.bin", "run.json");
    }

    @Test
    void shouldCountTheDurabilityThatWasAskedFor() {
        assertThat(Program.small(directory, "-d", "-c", "10").out()).contains("last record  written ");
        assertThat(Program.small(directory, "-d", "-f", "-c", "10").out()).contains("last record  flushed ");
        assertThat(Program.small(directory, "-d", "-y", "-c", "10").out()).contains("last record  synced ");
    }

    @Test
    void shouldMarkTheCommits() {
        Program.small(directory, "-d", "-c", "12", "-n", "5");

        List<Long> starts = new ArrayList<>();
        try (Tailer tailer = Tailer.open(directory.resolve("logs/messages"))) {
            while (tailer.next()) {
                if (tailer.startsCommit()) {
                    starts.add(tailer.sequence());
                }
            }
        }
        assertThat(starts).containsExactly(1L, 6L, 11L);
    }

    @Test
    void shouldDealOutTheMessagesToTheProducers() {
        Program.small(directory, "-d", "-c", "100", "--producers", "3", "--messageSize", "20");

        List<Long> numbers = new ArrayList<>();
        try (Tailer tailer = Tailer.open(directory.resolve("logs/messages"))) {
            while (tailer.next()) {
                assertThat(tailer.payload().remaining()).isEqualTo(28);
                numbers.add(NumberedMessages.number(tailer.payload()));
            }
        }
        assertThat(numbers).hasSize(100).doesNotHaveDuplicates().allMatch(number -> number >= 0 && number < 100);
    }

    @Test
    void shouldWriteTheLinesOfAFileByManyProducersEvenIfTheyAreAlike() throws IOException {
        Path file = Files.writeString(directory.resolve("lines"), "one\none\ntwo\none\n");

        Program program =
                Program.small(directory, "-d", "--producers", "4", "-c", "1000", "--messages", file.toString());

        assertThat(program.out()).contains("Read 1,000 messages @ ", "all verified.");
    }

    @Test
    void shouldWarmUpTheSameWay() {
        Program program = Program.small(directory, "-d", "-c", "100", "-t", "0.3", "--producers", "2", "-n", "3");

        assertThat(program.code()).isZero();
        assertThat(program.out()).contains("Warm up complete.", "Read 100 messages @ ");
        assertThat(directory.resolve("logs")).isDirectoryNotContaining("glob:**warmup*");
    }

    @Test
    void shouldSayWhichThreadIsBoundToWhichCpu() {
        Program detached = Program.small(directory, "-d", "-j", "0x1", "-c", "10");
        Program attached = Program.small(directory, "-j", "[0]", "-c", "10");

        assertThat(detached.code()).isZero();
        assertThat(detached.parameter("affinity")).isEqualTo("0x1, the writer thread on CPU 0");
        assertThat(attached.code()).isZero();
        assertThat(attached.parameter("affinity")).isEqualTo("[0], the appending thread on CPU 0");
    }

    private List<String> fileNames() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("output"))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}

package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.persist.MessageLogger;
import io.persist.bench.doctor.DeviceWrites;
import io.persist.bench.result.RunDirectory;
import io.persist.command.Command;
import io.persist.log.LogConfig;
import io.persist.log.read.Tailer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageLoggerMainTest {

    @TempDir
    Path directory;

    @Test
    void shouldTellTheWholeStoryOfARun() {
        Program program = Program.small(directory, "-c", "1000");

        assertThat(program.err()).isEmpty();
        assertThat(program.code()).isZero();
        assertThat(program.parameter("count")).isEqualTo("1,000");
        assertThat(program.out())
                .containsSubsequence(
                        "Parameters",
                        "Disk: ",
                        "Sync: ",
                        "Host: ",
                        "JVM: ",
                        "Clock: System.nanoTime() takes ",
                        "No warm up.",
                        "Opened " + directory.resolve("logs/messages") + " in ",
                        "new log",
                        "Space that was prepared before the clock started: ",
                        "Wrote 1,000 messages @ ",
                        " msgs/sec post warmup.",
                        "The appender ",
                        "metric",
                        "write ",
                        "1000 ",
                        "Closed in ",
                        " stalls (",
                        "Synced ",
                        " us after closing. ",
                        "Reopened ",
                        "log was closed",
                        "Read 1,000 messages @ ",
                        " msgs/sec, all verified.");
        assertThat(program.out().lines()).allSatisfy(line -> assertThat(line).isEqualTo(line.stripTrailing()));
    }

    @Test
    void shouldWriteTheLatencyFilesOfTheSeries() throws IOException {
        Program.small(directory, "-c", "500");

        assertThat(fileNames("output"))
                .containsExactlyInAnyOrder("latencies.write.bin", "latencies.write.hlog", "run.json");
        assertThat(directory.resolve("output/latencies.write.bin")).hasSize(4 * 500);
    }

    @Test
    void shouldMeasureFromTheIntendedStartTooWithARate() throws IOException {
        Program program = Program.small(directory, "-c", "500", "-r", "20000");

        assertThat(program.parameter("rate")).isEqualTo("20,000 per second");
        assertThat(program.out().lines()).anyMatch(line -> line.startsWith("response "));
        assertThat(fileNames("output")).hasSize(5).contains("latencies.response.bin", "latencies.response.hlog");
        assertThat(directory.resolve("output/latencies.response.bin")).hasSize(4 * 500);
    }

    @Test
    void shouldPrintTheTableWithoutFilesToo() throws IOException {
        Program program = Program.small(directory, "-c", "500", "--noLatencyWrites");

        assertThat(program.out()).contains("99.9999%ile");
        assertThat(directory.resolve("output")).doesNotExist();
    }

    @Test
    void shouldPrintALinePerInterval() {
        Program program = Program.small(directory, "-c", "500", "-r", "20000", "--printIntervalStats");

        assertThat(program.out()).containsSubsequence("interval", "avg(d)", "avg(o)", "Wrote 500 messages");
        assertThat(program.out().lines()).anyMatch(line -> line.matches("write [\\d.]+ s .*"));
    }

    @Test
    void shouldAppendToALogThatIsThere() {
        Program.small(directory, "-c", "300");
        Program program = Program.small(directory, "-c", "200");

        assertThat(program.code()).isZero();
        assertThat(program.out())
                .contains("The log has 300 messages already; this run appends to them")
                .contains("Read 200 messages @ ");
        assertThat(records("logs/messages")).hasSize(500);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-f",
                "-y",
                "-z",
                "-m rws",
                "-m rwd",
                "-m rw --writeMode file -a 512",
                "--readMode file -b 512",
                "-n 7",
                "-f true -y false -d false -q 64",
                "--syncInterval 1"
            })
    void shouldRunInEveryMode(String flags) {
        Program program = Program.small(directory, ("-c 100 " + flags).split(" "));

        assertThat(program.err()).isEmpty();
        assertThat(program.code()).isZero();
        assertThat(program.out()).contains("Read 100 messages @ ");
    }

    @Test
    void shouldShowTheEffectiveValuesInTheParametersBlock() {
        Program program = Program.small(
                directory, "-c", "5", "-m", "rwd", "-a", "512", "--readMode", "file", "-b", "256", "-n", "2");

        assertThat(program.parameter("writeMode")).isEqualTo("file, buffer of 512 bytes, as --logMode rwd wants it");
        assertThat(program.parameter("readMode")).isEqualTo("file, buffer of 256 bytes");
        assertThat(program.parameter("logMode")).isEqualTo("rwd");
        assertThat(program.parameter("numPerCommit")).isEqualTo("2");
        assertThat(program.parameter("queueDepth")).contains("not used");
        assertThat(program.parameter("affinity")).isEqualTo("none");
    }

    @Test
    void shouldSyncOnEachCommitOnly() {
        assertThat(syncs(Program.small(directory, "-c", "50", "-n", "5", "-y"))).isBetween(10, 12);
        assertThat(syncs(Program.small(directory, "-c", "50", "-n", "5"))).isLessThan(5);
    }

    private static int syncs(Program program) {
        return Integer.parseInt(program.out().replaceAll("(?s).* (\\d+) syncs.*", "$1"));
    }

    @Test
    void shouldTellOneMessageInTheSingular() {
        Program program = Program.small(directory, "-c", "1", "--messageSize", "1");

        assertThat(program.out()).containsSubsequence("pattern of 1 byte", "Wrote 1 message @ ", "Read 1 message @ ");
    }

    @Test
    void shouldJournalTheLinesOfAFileOnceByDefault() throws IOException {
        Path file = Files.writeString(directory.resolve("lines"), "one\ntwo\nthree\n");

        Program program = Program.small(directory, "--messages", file.toString());

        assertThat(program.parameter("count")).isEqualTo("3");
        assertThat(records("logs/messages")).containsExactly("one", "two", "three");
    }

    @Test
    void shouldGoThroughTheMessagesAgainForALargerCount() throws IOException {
        Path file = Files.write(directory.resolve("records"), new byte[] {0, 0, 0, 1, 'a', 0, 0, 0, 2, 'b', 'c'});

        Program program =
                Program.small(directory, "--messages", file.toString(), "--messagesFormat", "length4", "-c", "5");

        assertThat(program.out()).contains("Read 5 messages @ ");
        assertThat(records("logs/messages")).containsExactly("a", "bc", "a", "bc", "a");
    }

    @Test
    void shouldJournalMessagesOfTheGivenSize() {
        Program.small(directory, "--messageSize", "1000", "-c", "20");

        assertThat(records("logs/messages"))
                .hasSize(20)
                .doesNotHaveDuplicates()
                .allMatch(record -> record.length() == 1000);
    }

    /** So that what is measured by default is what a log does that nobody has prepared. */
    @Test
    void shouldWarmUpBeforeThereIsALogWhoseSpaceCouldBePrepared() {
        Program program = Program.small(directory, "-c", "10", "-t", "0.05");

        assertThat(program.out()).containsSubsequence("Warming up", "Warm up complete.", "Opened ", "Wrote 10 ");
    }

    @Test
    void shouldSayHowMuchSpaceWasPreparedBeforeTheClockStarted() {
        assertThat(Program.small(directory, "-c", "10", "-z", "-i", "0.0625").out())
                .contains(
                        "before the clock started: 64.0 MiB (--initialLogLength of 64.0 MiB, --zeroOutInitial: before");
        Path other = directory.resolve("other");
        assertThat(Program.small(directory, "-c", "10", "-i", "0", "-k", other.toString())
                        .out())
                .containsPattern("before the clock started: [\\d.]+ [KM]iB \\(--initialLogLength 0\\)\\.");
        assertThat(Program.small(directory, "-c", "10", "-i", "0.5", "-k", directory + "/third")
                        .out())
                .contains("(--initialLogLength of 512.0 MiB: in the background, while it is being written).");
    }

    @Test
    void shouldSayWhatTheAppenderWaitedFor() throws IOException {
        // 14 segments of 1 MB, of which two are ahead.
        Program program = Program.small(directory, "-c", "60000", "-i", "0");
        Map<String, Double> figures =
                new RunDirectory(directory.resolve("output")).load().figures();
        Matcher line = Pattern.compile("The appender waited for space (\\d+) times?: ([\\d.]+) us in all,"
                        + " ([\\d.]+) us the longest\\.")
                .matcher(program.out());

        if (figures.get("stalls") == 0) {
            assertThat(program.out()).contains("The appender never waited for space.");
            return;
        }
        assertThat(line.find()).as(program.out()).isTrue();
        assertThat(Double.valueOf(line.group(1))).isEqualTo(figures.get("stalls"));
        assertThat(Double.parseDouble(line.group(2)) / 1e3).isCloseTo(figures.get("stalled ms"), within(0.01));
        assertThat(Double.parseDouble(line.group(3)) / 1e3).isCloseTo(figures.get("longest stall ms"), within(0.01));
        assertThat(figures.get("longest stall ms")).isPositive().isLessThanOrEqualTo(figures.get("stalled ms"));
    }

    @Test
    void shouldSayWhatWasWrittenToTheDeviceOrWhyThatIsNotKnown() {
        Program program = Program.small(directory, "-c", "1000");

        DeviceWrites device = DeviceWrites.of(directory);
        assertThat(program.out())
                .containsPattern(
                        device.bytes().isPresent()
                                ? "Since it was opened, [\\d.]+ bytes for each byte of records were written to "
                                : "Bytes written to the device: not known, ")
                .contains(device.describe());
    }

    @Test
    void shouldExplainAllFlags() {
        Program program = Program.message("-h");

        assertThat(program.code()).isZero();
        assertThat(program.out())
                .contains("-c, --count N", "-t, --warmupTime", "-r, --rate", "-i, --initialLogLength")
                .contains(
                        "-z, --zeroOutInitial", "-a, --writeBufferSize", "-b, --readBufferSize", "-f, --flushOnCommit")
                .contains("-y, --syncOnCommit", "-d, --detached", "-q, --queueDepth", "-j, --affinity")
                .contains("--noLatencyWrites", "--printIntervalStats", "-h, --help", "-k, --logLocation")
                .contains("-m, --logMode", "-n, --numPerCommit", "--messageSize", "--messages FILE")
                .contains("--producers N", "--waitStrategy", "--whenFull", "--syncInterval")
                .contains("--messagesFormat", "--writeMode", "--readMode", "--segmentSize", "--output");
        assertThat(program.out().lines()).allMatch(line -> line.length() <= 120);
    }

    @Test
    void shouldFailInOneLineIfTheLogIsLocked() {
        LogConfig config = LogConfig.builder(directory.resolve("logs/messages"))
                .segmentLength(1 << 20)
                .build();
        try (MessageLogger holder = MessageLogger.open(config)) {
            Program program = Program.small(directory, "-c", "5");

            assertThat(program.code()).isEqualTo(Command.FAILED);
            assertThat(program.err().lines()).hasSize(1).allMatch(line -> line.startsWith("persist message: "));
            assertThat(holder.lastSequence()).isZero();
        }
    }

    @Test
    void shouldRefuseInOneLineWhatCannotWork() throws IOException {
        String file = Files.writeString(directory.resolve("file"), "x").toString();

        assertThat(usageError("-d", "-j", "[0,9000]"))
                .contains("--affinity names CPU 9000, which this machine does not have; choose from CPU 0");
        assertThat(usageError("--producers", "2")).contains("add --detached true");
        assertThat(usageError("-k", file)).contains("--logLocation " + file + " is no directory");
        assertThat(usageError("-k", "/proc/none")).contains("--logLocation /proc/none cannot be made");
        assertThat(usageError("--output", file)).contains("--output " + file + " cannot be made");
        assertThat(usageError("--messages", file + "s")).contains("--messages " + file + "s is no file");
        assertThat(usageError("--messageSize", "2000000")).contains("--segmentSize 1 holds messages of");
    }

    /** The command is right, and the disk too small. */
    @Test
    void shouldFailBeforeItWritesWhereThereIsTooLittleSpace() {
        Program program = Program.small(directory, "-c", "9999999999", "--messageSize", "1000000");

        assertThat(program.code()).isEqualTo(Command.FAILED);
        assertThat(program.err()).hasLineCount(1).contains("--count 9999999999 takes about");
        assertThat(directory).isEmptyDirectory();
    }

    private String usageError(String... args) {
        return Program.small(directory, args).usageError();
    }

    private List<String> records(String logs) {
        List<String> records = new ArrayList<>();
        try (Tailer tailer = Tailer.open(directory.resolve(logs))) {
            while (tailer.next()) {
                records.add(StandardCharsets.ISO_8859_1
                        .decode(tailer.payload().duplicate())
                        .toString());
            }
        }
        return records;
    }

    private List<String> fileNames(String name) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve(name))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}

package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.Program.Kind;
import io.persist.bench.measure.WarmUp;
import io.persist.command.Command;
import io.persist.file.disk.DirectoryStorage;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The flags that all programs have: what each does, in each of them. */
class CommonFlagsTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf({"--rate", "--printIntervalStats"})
    void shouldWriteAtTheRateAndMeasureFromTheIntendedStart(Kind kind) {
        Program program = kind.small(directory, "-c", "100", "-r", "2000", "--printIntervalStats");

        assertThat(program.out()).contains("Wrote 100 " + kind.noun + " @ ");
        // 99 intervals of half a millisecond take what they take; more than the rate is not possible.
        assertThat(program.number("(msgs|packets)/sec post warmup")).isLessThanOrEqualTo(2021);
        assertThat(program.iterations("response")).isEqualTo(100);
        assertThat(directory.resolve("output/latencies.response.bin")).hasSize(400);
        assertThat(program.out().lines()).anyMatch(line -> line.matches("write [\\d.]+ s .*"));
        assertThat(program.out()).contains("No warm up.");
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    void shouldEndAtOnceIfWhatItPrintsMeanwhileIsLost(Kind kind) {
        Program program = kind.watched(
                directory,
                line -> {
                    if (Thread.currentThread().getName().equals("latency-recorder")) {
                        throw new UncheckedIOException(new IOException("nobody reads it"));
                    }
                },
                "-c",
                "30000",
                "-r",
                "1000",
                "--printIntervalStats");

        assertThat(program.code()).isEqualTo(Command.FAILED);
        assertThat(program.err()).contains("nobody reads it").hasLineCount(1);
        // The next run goes on with what there is, if anything is: not all that was asked for.
        assertThat(kind.small(directory, "-c", "5").out()).contains("Wrote 5 ").doesNotContain(" has 30,000 ");
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf({"--warmupTime", "--noLatencyWrites"})
    void shouldWarmUpOnAScratchLog(Kind kind) throws IOException {
        List<Long> timesNs = new ArrayList<>();
        List<Program> programs = new ArrayList<>();
        Recorded recorded = Recorded.during(
                directory,
                () -> programs.add(kind.watched(
                        directory,
                        line -> timesNs.addAll(line.startsWith("Warm") ? List.of(System.nanoTime()) : List.of()),
                        "--count",
                        "50",
                        "--warmupTime",
                        "0.1",
                        "--noLatencyWrites")));
        Program program = programs.get(0);

        assertThat(program.err()).isEmpty();
        assertThat(program.out()).containsSubsequence("Warming up for 0.1 s", "Warm up complete.", "Wrote 50 ");
        assertThat(timesNs.get(1) - timesNs.get(0)).isGreaterThanOrEqualTo(100_000_000);
        Path scratch = WarmUp.directory(directory.resolve("logs"));
        assertThat(recorded.writes()).anyMatch(call -> call.isBelow(scratch));
        assertThat(program.iterations("write")).isEqualTo(50);
        assertThat(program.out()).doesNotContain("interval");
        assertThat(directory.resolve("output")).doesNotExist();
        assertThat(names(directory.resolve("logs"))).noneMatch(name -> name.startsWith("warmup"));
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf({"--count", "--messageSize"})
    void shouldWriteAsManyAndAsLongMessagesAsItIsTold(Kind kind) {
        kind.small(directory, "-c", "7", "--messageSize", "1000");

        // Around the message there is at most a key, and what makes it a packet or a transaction.
        assertThat(records(kind.log(directory.resolve("logs"))))
                .hasSize(7)
                .allSatisfy(record -> assertThat(record.length()).isBetween(1000, 1100));
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf({"--messages", "--messagesFormat"})
    void shouldWriteTheMessagesOfAFile(Kind kind) throws IOException {
        Path lines = Files.writeString(directory.resolve("lines"), "one\ntwo\nthree\n");
        Path lengths = Files.write(directory.resolve("lengths"), new byte[] {0, 0, 0, 1, 'a', 0, 0, 0, 2, '\n', 'c'});
        kind.small(directory, "--messages", lines.toString());
        Path other = directory.resolve("other");
        kind.small(
                directory,
                "--messages",
                lengths.toString(),
                "--messagesFormat",
                "length4",
                kind.logLocation,
                other.toString());

        assertThat(records(kind.log(directory.resolve("logs"))))
                .hasSize(3)
                .noneMatch(record -> record.contains("\n"))
                .satisfiesExactly(
                        one -> assertThat(one).contains("one"),
                        two -> assertThat(two).contains("two"),
                        three -> assertThat(three).contains("three"));
        assertThat(records(kind.log(other)))
                .satisfiesExactly(
                        one -> assertThat(one).contains("a"),
                        two -> assertThat(two).contains("\nc"));
    }

    /** A tailer of whatever the log holds. */
    private static Tailer open(Path log) {
        try {
            return Tailer.open(
                    DirectoryStorage.open(log),
                    TailerConfig.builder().anyContent().build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The payloads of a log's records, a character for each byte. */
    private static List<String> records(Path logs) {
        List<String> records = new ArrayList<>();
        try (Tailer tailer = open(logs)) {
            while (tailer.next()) {
                records.add(StandardCharsets.ISO_8859_1
                        .decode(tailer.payload().duplicate())
                        .toString());
            }
        }
        return records;
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf({"--logLocation", "--output"})
    void shouldKeepTheLogWhereItIsToldTo(Kind kind) throws IOException {
        Path other = directory.resolve("other");

        assertThat(kind.small(
                                directory,
                                "-c",
                                "1",
                                kind.logLocation,
                                other.toString(),
                                "--output",
                                other + "/latencies")
                        .code())
                .isZero();

        assertThat(names(kind.log(other))).contains("control");
        assertThat(names(other.resolve("latencies"))).contains("latencies.write.bin");
        assertThat(directory.resolve("logs")).doesNotExist();
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf({"--numPerCommit", "--syncOnCommit"})
    void shouldCommitEachNthWriteAndSyncItOnlyIfWanted(Kind kind) {
        assertThat(kind.small(directory, "-c", "40", "-n", "5", "-y").number("syncs"))
                .isBetween(8L, 12L);
        assertThat(kind.small(directory, "-c", "40", "-n", "5", "-f").number("syncs"))
                .isLessThan(8);
        // The store's records are its transactions.
        int each = kind == Kind.STORE ? 1 : 5;
        assertThat(commitStarts(kind)).hasSize(16).allMatch(sequence -> (sequence - 1) % each == 0);
    }

    private List<Long> commitStarts(Kind kind) {
        Stream.Builder<Long> starts = Stream.builder();
        try (Tailer tailer = open(kind.log(directory.resolve("logs")))) {
            while (tailer.next()) {
                if (tailer.startsCommit()) {
                    starts.add(tailer.sequence());
                }
            }
        }
        return starts.build().toList();
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    void shouldHandOverToAWriterThread(Kind kind) {
        Program program = kind.small(directory, "-c", "100", "-d", "-q", "100", "-j", "0x1", "-y");

        assertThat(program.code()).isZero();
        assertThat(program.out()).contains("last record  synced ", " of 128 entries used at most");
        assertThat(program.parameter("affinity")).isEqualTo("0x1, the writer thread on CPU 0");
        assertThat(program.iterations("durable")).isEqualTo(100);
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    void shouldWriteThroughTheBufferOfAFileThatIsSyncedWithEachWrite(Kind kind) {
        Program program = kind.small(directory, "-c", "5", "--logMode", "rwd", "-a", "512");

        assertThat(program.out()).contains("all verified");
        assertThat(program.parameter("logMode")).isEqualTo("rwd");
        assertThat(program.parameter("writeMode")).isEqualTo("file, buffer of 512 bytes, as --logMode rwd wants it");
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf("--help")
    void shouldExplainAllFlags(Kind kind) {
        Program program = kind.run("--help");

        assertThat(program.code()).isZero();
        assertThat(program.out())
                .contains("Usage: ", " " + kind.command + " ", "-c, --count N", "-t, --warmupTime", "-r, --rate")
                .contains("-i, --initialLogLength", "-z, --zeroOutInitial", "-a, --writeBufferSize")
                .contains("-b, --readBufferSize", "-f, --flushOnCommit", "-y, --syncOnCommit", "-d, --detached")
                .contains("-q, --queueDepth", "-j, --affinity", "--noLatencyWrites", "--printIntervalStats")
                .contains("-h, --help", kind.logLocation + ", --logLocation", "--logMode", "-n, --numPerCommit");
        assertThat(program.out().lines()).allMatch(line -> line.length() <= 120);
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    void shouldRefuseInOneLineWhatMakesNoSense(Kind kind) {
        for (String args : List.of(
                "-c 0",
                "-t -1",
                "-r 0",
                "-i x",
                "-z 2",
                "-a 1",
                "-b 1",
                "-f 2",
                "-y 2",
                "-d 2",
                "-q 0",
                "-j x",
                "--noLatencyWrites 2",
                "--printIntervalStats 2",
                "--logMode x",
                "-n 0",
                "--nothing",
                "5")) {
            Program program = kind.small(directory, args.split(" "));

            assertThat(program.code()).as(args).isEqualTo(Command.USAGE);
            assertThat(program.out()).as(args).isEmpty();
            assertThat(program.err().lines())
                    .as(args)
                    .hasSize(1)
                    .allMatch(line -> line.startsWith("persist " + kind.command + ": "));
        }
        assertThat(directory.resolve("logs")).doesNotExist();
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}

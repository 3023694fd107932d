package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.StoreLogger;
import io.persist.command.Command;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.read.StoreScan;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StoreLoggerMainTest {

    @TempDir
    Path directory;

    @Test
    void shouldTellTheWholeStoryOfARun() {
        Program program = Program.store(directory, "-c", "600", "-n", "6", "--keys", "100");

        assertThat(program.err()).isEmpty();
        assertThat(program.code()).isZero();
        assertThat(program.out())
                .containsSubsequence(
                        "Parameters",
                        "Disk: ",
                        "JVM: ",
                        "Clock: ",
                        "No warm up.",
                        "Opened " + directory.resolve("logs/store") + " in ",
                        "no checkpoint, then 0 transactions",
                        "Wrote 600 messages @ ",
                        " msgs/sec post warmup.",
                        "metric",
                        "prep ",
                        "write ",
                        "total ",
                        "Log, counted in ",
                        "transactions  100 of 6.0 changes and ",
                        "puts          600, values of 176.0 bytes on average",
                        "removes       0",
                        "keys          8.0 bytes on average",
                        "Read 600 messages by log @ ",
                        " msgs/sec post warmup, all verified.",
                        "Read 100 messages by key @ ",
                        "Read 100 messages by scan @ ",
                        "Store",
                        "keys         100",
                        " bytes per key",
                        "space ",
                        "checkpoints  0 written",
                        "compaction ",
                        "Closed in ",
                        "Reopened ",
                        "100 transactions with 600 changes",
                        " keys in the index, which has yet to get 100 changes, took ",
                        "Read 100 messages by scan @ ");
        assertThat(program.iterations("prep")).isEqualTo(600);
        assertThat(program.iterations("write")).isEqualTo(100);
        assertThat(program.iterations("total")).isEqualTo(600);
        assertThat(directory.resolve("output/latencies.write.bin")).hasSize(400);
        assertThat(directory.resolve("output/latencies.total.bin")).hasSize(2400);
    }

    @Test
    void shouldTellOneMessageInTheSingular() {
        Program first = Program.store(directory, "-c", "1");
        Program second = Program.store(directory, "-c", "1");

        assertThat(first.out())
                .containsSubsequence(
                        "Read 1 message by log @ ", "Read 1 message by key @ ", "Read 1 message by scan @ ");
        assertThat(second.out()).contains("The store has 1 key already");
    }

    static Stream<String> modes() {
        return Drawn.of(
                5,
                "-f",
                "-y -n 7",
                "-o rws",
                "--writeMode file --readMode file -b 256",
                "--keyOrder random --keys 40",
                "--keyOrder random -n 5",
                "--producers 3 --keys 50 -n 4",
                "-d",
                "-d -y -n 7 --producers 2 --keyOrder random --keys 30",
                "-d -f --writeMode file",
                "-d -q 1 --whenFull fail");
    }

    @ParameterizedTest
    @MethodSource("modes")
    void shouldReadBackWhatItPutInEveryMode(String flags) {
        Program program = Program.store(directory, ("-c 200 " + flags).split(" "));

        assertThat(program.err()).isEmpty();
        assertThat(program.code()).isZero();
        assertThat(program.out()).contains("Wrote 200 messages @ ", "Read 200 messages by log @ ", "Reopened ");
    }

    @Test
    @ShowsEffectOf(value = "--keys", in = Program.Kind.STORE)
    void shouldPutTheLastMessageOfEachKey() throws IOException {
        Path file = Files.writeString(directory.resolve("lines"), "a\nb\nc\nd\ne\n");

        Program program = Program.store(directory, "--messages", file.toString(), "--keys", "3");

        assertThat(program.parameter("keys")).isEqualTo("3, sequential");
        assertThat(state()).containsExactly(Map.entry(0L, "d"), Map.entry(1L, "e"), Map.entry(2L, "c"));
    }

    @Test
    void shouldHaveAsManyKeysAsMessagesByDefault() {
        Program.store(directory, "-c", "30");

        assertThat(state()).hasSize(30);
    }

    @Test
    @ShowsEffectOf(value = "--keyOrder", in = Program.Kind.STORE)
    void shouldComeToRandomKeysInAnotherOrder() {
        Program.store(directory, "-c", "1000", "--keys", "1000", "--keyOrder", "random", "--messageSize", "8");

        // With so many puts to so many keys, about one in e of the keys is never hit.
        assertThat(state().keySet()).hasSizeBetween(560, 700).allMatch(key -> key >= 0 && key < 1000);
    }

    @Test
    @ShowsEffectOf(value = "--lazyDeserialize", in = Program.Kind.STORE)
    void shouldMakeObjectsOnlyIfWanted() {
        assertThat(Program.store(directory, "-c", "20", "-k", "false").out())
                .containsSubsequence("by log @", "each made an object.", "by key @", "each made an object.");
        assertThat(Program.store(directory, "-c", "20", "-k").out()).doesNotContain("object");
        assertThat(Program.store(directory, "-c", "20").out()).doesNotContain("object");
    }

    @Test
    @ShowsEffectOf(
            value = {"--chkptIntervalMinLogSize", "--checkpointLocation"},
            in = Program.Kind.STORE)
    void shouldWriteCheckpointsWhereAndWhenItIsToldTo() throws IOException {
        Path checkpoints = directory.resolve("checkpoints");
        String[] args = {
            "-c",
            "12000",
            "--keys",
            "50",
            "--chkptIntervalMinLogSize",
            "1",
            "--checkpointLocation",
            checkpoints.toString()
        };

        Program with = Program.storeWithCheckpoint(directory, args);

        assertThat(with.number("written")).isPositive();
        assertThat(with.out()).containsSubsequence("Reopened ", "checkpoint checkpoint-", " with 50 keys");
        assertThat(names(checkpoints)).anyMatch(name -> name.endsWith(".chk"));
        assertThat(names(directory.resolve("logs/store"))).noneMatch(name -> name.endsWith(".chk"));
    }

    @Test
    @ShowsEffectOf(value = "--chkptIntervalPctSnapshot", in = Program.Kind.STORE)
    void shouldWriteNoCheckpointIfItIsToldNotTo() throws IOException {
        Program without = Program.store(
                directory, "-c", "12000", "--chkptIntervalMinLogSize", "1", "--chkptIntervalPctSnapshot", "0");

        assertThat(without.parameter("checkpoints")).isEqualTo("none");
        assertThat(names(directory.resolve("logs/store"))).noneMatch(name -> name.endsWith(".chk"));
    }

    @Test
    @ShowsEffectOf(value = "--maxSpaceRatio", in = Program.Kind.STORE)
    void shouldTakeSegmentsAwayAtTheSpaceThatItIsToldToTake() {
        Path first = directory.resolve("logs/store").resolve(LogFileName.segment(0));
        // About 1.7 times what lives is written: less than what is taken by default.
        Program program = Program.Kind.STORE.watched(
                directory,
                line -> {
                    if (line.startsWith("Wrote ")) {
                        Program.await("compaction", () -> !Files.exists(first));
                    }
                },
                ("-c 12000 --keys 10000 --keyOrder random --messageSize 1000 --chkptIntervalMinLogSize 1"
                                + " --maxSpaceRatio 1.2")
                        .split(" "));

        assertThat(program.err()).isEmpty();
        assertThat(program.number("segments? taken away")).isPositive();
    }

    @Test
    void shouldGoOnWithAStoreThatIsThere() {
        Program.store(directory, "-c", "50");
        Program second = Program.store(directory, "-c", "20", "--messageSize", "10");

        assertThat(second.code()).isZero();
        assertThat(second.out())
                .contains("The store has 50 keys already; this run goes on with it")
                .contains("Read 20 messages by log @ ", "Read 20 messages by key @ ", "Read 50 messages by scan @ ");
    }

    @Test
    void shouldWarmUpWithEachOfItsReads() {
        Program program = Program.store(directory, "-c", "100", "-t", "0.3", "--producers", "2", "-n", "3");

        assertThat(program.err()).isEmpty();
        assertThat(program.out()).contains("Warm up complete.", "Read 100 messages by log @ ");
    }

    @Test
    void shouldExplainItsOwnFlags() {
        assertThat(Program.Kind.STORE.run("-h").out())
                .contains("-o, --logMode", "-k, --lazyDeserialize", "--keys N", "--keyOrder", "--checkpointRate")
                .contains("--chkptIntervalPctSnapshot", "--chkptIntervalMinLogSize", "--checkpointLocation DIR")
                .contains("--maxSpaceRatio", "--compactionRate");
    }

    @Test
    void shouldFailInOneLineIfTheStoreIsOpenOrThereIsALogOfMessages() {
        StoreConfig config = StoreConfig.builder(LogConfig.builder(directory.resolve("logs/store"))
                        .segmentLength(1 << 20)
                        .build())
                .build();
        try (StoreLogger holder = StoreLogger.open(config)) {
            assertThat(failure("logs")).contains("log is open for writing elsewhere");
            assertThat(holder.size()).isZero();
        }
        Path other = directory.resolve("other/store");
        MessageLogger.open(LogConfig.builder(other).segmentLength(1 << 20).build())
                .close();

        assertThat(failure("other")).contains("MessageLogger");
    }

    private String failure(String log) {
        Program program =
                Program.store(directory, "-c", "5", "-l", directory.resolve(log).toString());
        assertThat(program.code()).isEqualTo(Command.FAILED);
        assertThat(program.err().lines()).hasSize(1).allMatch(line -> line.startsWith("persist storelogger: "));
        return program.err();
    }

    @Test
    void shouldRefuseInOneLineWhatCannotWork() throws IOException {
        String file = Files.writeString(directory.resolve("file"), "x").toString();

        assertThat(usageError("--keys", "0")).contains("--keys 0 is out of range");
        assertThat(usageError("--keys", "2", "--producers", "3")).contains("--keys 2 is less than --producers 3");
        assertThat(usageError("--keys", "2000000000", "--keyOrder", "random")).contains("too many for --keyOrder");
        assertThat(usageError("--keyOrder", "any")).contains("is none of sequential, random");
        assertThat(usageError("-n", "10000"))
                .contains("--segmentSize 1 holds transactions of", "or a smaller --numPerCommit or shorter messages");
        assertThat(usageError("--maxSpaceRatio", "1")).contains("--maxSpaceRatio 1 is out of range");
        assertThat(usageError("--checkpointRate", "0")).contains("--checkpointRate 0 is out of range");
        assertThat(usageError("--chkptIntervalPctSnapshot", "-1")).contains("is out of range");
        assertThat(usageError("--chkptIntervalMinLogSize", "-1")).contains("is out of range");
        assertThat(usageError("--checkpointLocation", file)).contains("is no directory");
        assertThat(usageError("--producers", "2", "-j", "1")).contains("add --detached true");
        assertThat(usageError("-m", "rw")).contains("unknown flag -m");
    }

    private String usageError(String... args) {
        return Program.store(directory, args).usageError();
    }

    /** What the store holds: keys as numbers, values as text. */
    private Map<Long, String> state() {
        Map<Long, String> state = new LinkedHashMap<>();
        LogConfig log = LogConfig.builder(directory.resolve("logs/store"))
                .segmentLength(1 << 20)
                .build();
        try (StoreLogger store = StoreLogger.open(StoreConfig.builder(log).build());
                StoreScan scan = store.scan(KeyRange.all(), Direction.FORWARD)) {
            while (scan.next()) {
                long key = scan.key().duplicate().order(ByteOrder.BIG_ENDIAN).getLong();
                state.put(key, StandardCharsets.ISO_8859_1.decode(scan.value()).toString());
            }
        }
        return state;
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}

package io.persist.tool.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.MessageLogger;
import io.persist.StoreLogger;
import io.persist.backup.Backup;
import io.persist.backup.BackupOptions;
import io.persist.backup.RestorePoint;
import io.persist.command.Run;
import io.persist.error.LogLockedException;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;
import io.persist.support.ChildJvm;
import io.persist.support.Records;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.Effect;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.StorePlace;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import io.persist.tool.read.CompareTool;
import io.persist.tool.read.DumpToolTest;
import io.persist.tool.repair.RepairTool;
import io.persist.tool.repair.VerifyTool;
import io.persist.tool.select.RecordRange;
import io.persist.tool.stats.CursorsTool;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupToolTest {

    private static final Path DIRECTORY = Path.of("backup");
    private static final Path ZIP = Path.of("backup.zip");

    private final CrashableStorage log = new CrashableStorage();
    private final CrashableStorage place = new CrashableStorage();

    private Run take(Path path) {
        return ToolLog.run(
                log,
                (storage, out, err) ->
                        BackupTool.take(storage, place, path, StorePlace.ONE, BackupOptions.DEFAULT, Output.TEXT, out));
    }

    private Run restore(Path path, CrashableStorage target) {
        return restore(path, target, RestorePoint.END);
    }

    private Run restore(Path path, CrashableStorage target, RestorePoint end) {
        return ToolLog.run(place, (storage, out, err) -> RestoreTool.restore(storage, path, target, end, out, err));
    }

    @Test
    void shouldSayWhatItCopiedAndWhenThereWasNothing() {
        ToolLog.closed(log, 300);
        Run run = take(DIRECTORY);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .startsWith("memory: backed up 3 segments of messages up to position ")
                .contains(", sequence 300 (4 files, ")
                .containsPattern("\n  copied and read back: 4 files, 16384 bytes; there already: 0 files, 0 bytes;"
                        + " took \\d+\\.\\d{3} s\n$");
        Run again = take(DIRECTORY);
        assertThat(again.code()).isEqualTo(ExitCode.NOTHING);
        assertThat(again.out()).startsWith("memory: nothing was copied, backup is up to date: 3 segments of messages ");
        try (Log writer = ToolLog.open(log)) {
            ToolLog.append(writer, 1);
        }
        assertThat(take(DIRECTORY).out())
                .contains("  copied and read back: 2 files, 8192 bytes; there already: 2 files, 8192 bytes; took ");
        CrashableStorage target = new CrashableStorage();
        Run restored = restore(DIRECTORY, target);
        assertThat(restored.code()).as(restored.err()).isZero();
        assertThat(restored.out()).startsWith("backup: restored 3 segments of ").contains("\nmemory: clean\n");
        assertThat(restore(DIRECTORY, target).err()).contains("directory is not empty");
    }

    @Test
    void shouldSayWhatItLeftOut() throws IOException {
        List<Long> positions = ToolLog.closed(log, 300);
        try (Tailer tailer = Tailer.open(log, "billing", TailerConfig.defaults())) {
            tailer.toPosition(positions.get(200));
            tailer.store();
        }
        take(DIRECTORY);
        CrashableStorage target = new CrashableStorage();
        Run run = restore(DIRECTORY, target, RestorePoint.afterSequence(100));
        long end = positions.get(100);
        long all = Backup.directory(place).verify().endPosition();
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .startsWith("backup: restored up to position " + end + ", sequence 100, of 3 segments of messages up to"
                        + " position " + all + ", sequence 300 (5 files, ")
                .contains("""
                        , to memory
                          left out: records 101 to 300, %d bytes of the log
                          cursor billing was at position %d, record 201: its reader has handled what was left \
                        out, and is refused until you remove the cursor
                        memory: clean
                        """.formatted(all - end, positions.get(200)));
        Run refused = restore(DIRECTORY, new CrashableStorage(), RestorePoint.beforePosition(end + 8));
        assertThat(refused.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(refused.err())
                .startsWith("persist: memory: the log cannot end at toPosition=" + (end + 8) + ": no record begins or")
                .contains("; the nearest place before that is toPosition=" + end + ", behind record 100; dump shows");
        assertThat(refused.err().lines()).hasSize(1);
    }

    @Test
    void shouldMakeNoDirectoryForWhatIsNoLog(@TempDir Path directory) {
        Path copy = directory.resolve("copy");
        assertThat(ToolLog.run(log, BackupTool.taking(copy, StorePlace.ONE, BackupOptions.DEFAULT, Output.TEXT))
                        .err())
                .contains("not a log: no segments");
        assertThat(ToolLog.run(log, ArchiveTool.packing(copy, ArchiveTool.Originals.KEEP))
                        .err())
                .contains("not a log: no segments");
        assertThat(copy).doesNotExist();
    }

    @Test
    void shouldSayWhatToDoAboutWhatAKilledRestoreHasLeft() {
        ToolLog.closed(log, 300);
        take(DIRECTORY);
        CrashableStorage target = new CrashableStorage();
        target.replace(LogFileName.CONTROL, new byte[1]);
        target.replace(LogFileName.segment(0) + ".tmp", new byte[1]);
        assertThat(restore(DIRECTORY, target).err())
                .contains("a run that was killed may have left " + LogFileName.segment(0) + ".tmp, ")
                .contains("delete what ends with .tmp and control, and try again");
        assertThat(target.list()).hasSize(2);
    }

    /** A directory is read by every tool as it is. */
    @Test
    void shouldBeReadByTheTools() {
        ToolLog.closed(log, 300);
        take(DIRECTORY);
        assertThat(ToolLog.run(place, new VerifyTool(Output.TEXT, base -> {})).out())
                .startsWith("memory: clean\n");
        for (LogTool tool : List.of(
                ToolLog.dump(RecordRange.ALL),
                new RepairTool(Effect.DRY_RUN),
                new CursorsTool(Output.TEXT),
                CompareTool.with(log, RecordRange.ALL, CompareTool.Commits.COMPARE, Output.TEXT))) {
            Run run = ToolLog.run(place, tool);
            assertThat(run.code()).as(run.out() + run.err()).isZero();
        }
        assertThat(ToolLog.sequences(
                        ToolLog.run(place, ToolLog.dump(RecordRange.ALL)).out()))
                .isEqualTo(DumpToolTest.numbers(1, 300));
    }

    /** Commits, checkpoints and compaction come at any time, in the middle of the backup too. */
    @Test
    void shouldBackUpAStoreThatGoesOn() {
        Seeds.run(12, seed -> {
            Random random = new Random(seed);
            CrashableStorage source = new CrashableStorage();
            CrashableStorage target = new CrashableStorage();
            ToolStore.compacted(source);
            try (StoreLogger store = ToolStore.open(source)) {
                boolean[] busy = new boolean[1];
                int[] round = new int[1];
                target.hook((number, what) -> {
                    if (!busy[0] && random.nextInt(6) == 0) {
                        busy[0] = true;
                        goOn(store, random, round);
                        busy[0] = false;
                    }
                });
                for (int run = 0; run < 3; run++) {
                    goOn(store, random, round);
                    int atLeast = round[0];
                    boolean isZip = run == 2;
                    Path path = isZip ? ZIP : DIRECTORY;
                    CrashableStorage there = isZip ? new CrashableStorage() : target;
                    Run taken = ToolLog.run(
                            source,
                            (log, out, err) -> BackupTool.take(
                                    log, there, path, StorePlace.ONE, BackupOptions.DEFAULT, Output.TEXT, out));
                    assertThat(taken.code()).as(taken.err()).isZero();
                    CrashableStorage restored = new CrashableStorage();
                    Run back = ToolLog.run(
                            there,
                            (log, out, err) -> RestoreTool.restore(log, path, restored, RestorePoint.END, out, err));
                    assertThat(back.code()).as(back.out() + back.err()).isZero();
                    boolean isAnyBeside = restored.list().stream().anyMatch(name -> name.endsWith(".chk"));
                    assertThat(back.out().contains(": mv memory/checkpoint-*.chk DIRECTORY\n"))
                            .isEqualTo(isAnyBeside);
                    try (StoreLogger copy = ToolStore.open(restored)) {
                        assertThat(number(copy)).isBetween(atLeast, round[0]);
                        assertThat(copy.get(ToolStore.bytes("big"))).isNotNull();
                    }
                }
            }
        });
    }

    private static void goOn(StoreLogger store, Random random, int[] round) {
        for (int i = random.nextInt(4); i >= 0; i--) {
            round[0]++;
            ToolStore.put(store, "number", "" + round[0]);
            ToolStore.put(store, "key-" + random.nextInt(5), "v".repeat(random.nextInt(1500)));
            ToolStore.put(store, "number", "" + round[0]);
        }
        switch (random.nextInt(4)) {
            case 0 -> store.checkpoint();
            case 1 -> store.compact(Long.MAX_VALUE);
            default -> ToolStore.put(store, "other", "value");
        }
    }

    private static int number(StoreLogger store) {
        var value = store.get(ToolStore.bytes("number"));
        return value == null
                ? 0
                : Integer.parseInt(StandardCharsets.UTF_8.decode(value).toString());
    }

    /** Another process writes, and goes on to be the only one who does: the backup opens no lock file. */
    @Test
    void shouldBackUpWhatAnotherProcessWrites(@TempDir Path place) throws Exception {
        Path directory = place.resolve("log");
        try (ChildJvm writer = ChildJvm.startBriefly(LiveWriter.class, directory)) {
            assertThat(writer.ask("500")).isEqualTo("500");
            for (int run = 1; run <= 3; run++) {
                writer.tell("700");
                Run taken = ToolLog.run(
                        DirectoryStorage.open(directory),
                        BackupTool.taking(place.resolve("backup"), StorePlace.ONE, BackupOptions.DEFAULT, Output.TEXT));
                assertThat(taken.code()).as(taken.err()).isIn(ExitCode.OK, ExitCode.NOTHING);
                assertThat(writer.hear()).isEqualTo("" + (500 + 700 * run));
                Path restored = place.resolve("restored-" + run);
                Run back = ToolLog.run(
                        DirectoryStorage.open(place.resolve("backup")),
                        new RestoreTool(place.resolve("backup"), restored, RestorePoint.END, BackupOptions.DEFAULT));
                assertThat(back.code()).as(back.out() + back.err()).isZero();
                try (MessageLogger copy = MessageLogger.open(config(restored))) {
                    assertThat(copy.lastSequence()).isBetween(500 + 700L * (run - 1), 500 + 700L * run);
                    assertThat(taken.out()).contains(", sequence " + copy.lastSequence() + " (");
                }
                assertThatExceptionOfType(LogLockedException.class)
                        .isThrownBy(() -> MessageLogger.open(config(directory)));
            }
        }
    }

    /** Checkpoints, and compaction that takes segments away, go on in the other process while the backup copies them. */
    @Test
    void shouldBackUpAStoreThatAnotherProcessWrites(@TempDir Path place) throws Exception {
        Path directory = place.resolve("store");
        try (ChildJvm writer = ChildJvm.startBriefly(LiveStore.class, directory)) {
            assertThat(writer.ask("500")).isEqualTo("500");
            for (int run = 1; run <= 4; run++) {
                writer.tell("1500");
                Run taken;
                do { // the writer may be the quicker one, each time that it tries
                    taken = ToolLog.run(
                            DirectoryStorage.open(directory),
                            BackupTool.taking(
                                    place.resolve("backup"), StorePlace.ONE, BackupOptions.DEFAULT, Output.TEXT));
                } while (taken.err().contains("try again"));
                assertThat(taken.code()).as(taken.err()).isIn(ExitCode.OK, ExitCode.NOTHING);
                int atMost = Integer.parseInt(writer.hear());
                Path restored = place.resolve("restored-" + run);
                Run back = ToolLog.run(
                        DirectoryStorage.open(place.resolve("backup")),
                        new RestoreTool(place.resolve("backup"), restored, RestorePoint.END, BackupOptions.DEFAULT));
                assertThat(back.code()).as(back.out() + back.err()).isZero();
                try (StoreLogger copy =
                        StoreLogger.open(StoreConfig.builder(config(restored)).build())) {
                    int number = number(copy);
                    assertThat(number).isBetween(atMost - 1500, atMost);
                    for (int i = 1; i <= LiveStore.KEYS; i++) { // its transaction is there, and none behind it
                        int last = number - (number - i) % LiveStore.KEYS;
                        assertThat(copy.getBytes(ToolStore.bytes("key-" + i % LiveStore.KEYS)))
                                .isEqualTo(LiveStore.value(last));
                    }
                }
            }
        }
    }

    private static LogConfig config(Path directory) {
        return LogConfig.builder(directory).segmentLength(64 << 10).build();
    }

    /** Appends as many records as each line says, and answers with the number of the last one. */
    static final class LiveWriter {

        private LiveWriter() {}

        public static void main(String[] arguments) throws IOException {
            try (MessageLogger log = MessageLogger.open(config(Path.of(arguments[0])))) {
                BufferedReader questions = ChildJvm.questions();
                for (String line = questions.readLine(); line != null; line = questions.readLine()) {
                    for (int i = Integer.parseInt(line); i > 0; i--) {
                        byte[] record = Records.of(log.lastSequence() + 1);
                        log.append(record, 0, record.length);
                        log.commit(i % 50 == 0 ? Durability.SYNCED : Durability.BUFFERED);
                    }
                    System.out.println(log.lastSequence());
                }
            }
        }
    }

    /** Commits as many transactions as each line says, with upkeep, and answers with the number of the last one. */
    static final class LiveStore {

        static final int KEYS = 20;

        private LiveStore() {}

        static byte[] value(int number) {
            return Records.of(number, 500);
        }

        public static void main(String[] arguments) throws IOException {
            StoreConfig config =
                    StoreConfig.builder(config(Path.of(arguments[0]))).build();
            try (StoreLogger store = StoreLogger.open(config)) {
                BufferedReader questions = ChildJvm.questions();
                int number = 0;
                for (String line = questions.readLine(); line != null; line = questions.readLine()) {
                    for (int i = Integer.parseInt(line); i > 0; i--) {
                        number++;
                        try (Transaction both = store.begin()) {
                            both.put(ToolStore.bytes("number"), ToolStore.bytes("" + number));
                            both.put(ToolStore.bytes("key-" + number % KEYS), value(number));
                            both.commit(i % 50 == 0 ? Durability.SYNCED : Durability.BUFFERED);
                        }
                        if (number % 100 == 0) {
                            store.checkpoint();
                            store.compact(Long.MAX_VALUE);
                        }
                    }
                    System.out.println(number);
                }
            }
        }
    }
}

package io.persist.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.StoreLogger;
import io.persist.backup.Backup.CutOffCursor;
import io.persist.backup.Backup.Restored;
import io.persist.command.Run;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import io.persist.tool.repair.VerifyTool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A log that is restored up to a position is one that was closed there. */
class RestorePointTest {

    private static final LogConfig CONFIG =
            LogConfig.builder(Path.of("memory")).segmentLength(4096).build();

    private final CrashableStorage log = new CrashableStorage();
    private final CrashableStorage place = new CrashableStorage();
    private final CrashableStorage target = new CrashableStorage();
    private final Backup backup = Backup.directory(place);

    /** A commit of three records each; returns where the records begin. */
    private List<Long> appendCommits(int count) {
        return append(3 * count, 3);
    }

    private List<Long> append(int records, int perCommit) {
        List<Long> positions = new ArrayList<>();
        try (Log writer = Log.open(CONFIG, log)) {
            for (int i = 1; i <= records; i++) {
                Records.append(writer);
                positions.add(writer.lastPosition());
                if (i % perCommit == 0) {
                    writer.commit(Durability.BUFFERED);
                }
            }
        }
        backup.take(log, log);
        return positions;
    }

    private Restored restore(RestorePoint end) {
        return backup.restore(target, end);
    }

    private long readAll() {
        try (Tailer tailer = Tailer.open(target, TailerConfig.defaults())) {
            return Records.readAll(tailer);
        }
    }

    /** It stands for the end of a backup, and nobody shall get all where a bound is given. */
    @Test
    void shouldRefuseABoundThatNoLogComesTo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RestorePoint.beforePosition(Long.MAX_VALUE))
                .withMessage("toPosition=9223372036854775807, min=0, max=9223372036854775806");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RestorePoint.afterSequence(Long.MAX_VALUE))
                .withMessage("toSequence=9223372036854775807, min=1, max=9223372036854775806");
        assertThat(RestorePoint.beforePosition(Long.MAX_VALUE - 1).isEnd()).isFalse();
        assertThat(RestorePoint.afterSequence(Long.MAX_VALUE - 1).isEnd()).isFalse();
    }

    private void requireItIsClean() {
        Run run = ToolLog.run(target, new VerifyTool(Output.TEXT, base -> {}));
        assertThat(run.code()).as(run.out() + run.err()).isZero();
        assertThat(run.out()).startsWith("memory: clean\n");
    }

    @Test
    void shouldEndBeforeThePositionAndBehindTheNumber() {
        List<Long> positions = appendCommits(40);
        CrashableStorage other = new CrashableStorage();
        Restored before = restore(RestorePoint.beforePosition(positions.get(60)));
        Restored behind = backup.restore(other, RestorePoint.afterSequence(60));
        assertThat(before.lastSequence()).isEqualTo(60);
        assertThat(before.endPosition()).isEqualTo(positions.get(60));
        assertThat(before.backup().lastSequence()).isEqualTo(120);
        assertThat(before.isWhole()).isFalse();
        assertThat(before.cutOff()).isEmpty();
        assertThat(behind).isEqualTo(before);
        assertThat(ToolLog.hashes(other)).isEqualTo(ToolLog.hashes(target));
        requireItIsClean();
        assertThat(readAll()).isEqualTo(60);
        try (Log writer = Log.open(CONFIG, target)) {
            assertThat(writer.recovery().start()).isEqualTo(Left.CLOSED);
            assertThat(writer.position()).isEqualTo(positions.get(60));
            assertThat(writer.lastPosition()).isEqualTo(positions.get(59));
            Records.append(writer, 100);
        }
        assertThat(readAll()).isEqualTo(160);
        requireItIsClean();
    }

    @Test
    void shouldBeTheWholeBackupAtItsEnd() {
        appendCommits(40);
        backup.restore(target);
        BackupManifest manifest = backup.verify();
        for (RestorePoint end : List.of(
                RestorePoint.END,
                RestorePoint.beforePosition(manifest.endPosition()),
                RestorePoint.afterSequence(120))) {
            CrashableStorage whole = new CrashableStorage();
            Restored restored = backup.restore(whole, end);
            assertThat(restored.isWhole()).isTrue();
            assertThat(restored.lastSequence()).isEqualTo(120);
            assertThat(ToolLog.hashes(whole)).isEqualTo(ToolLog.hashes(target));
        }
    }

    /** The segment before is sealed and stays so: who has read all of it stands behind the seal, or before it. */
    @Test
    void shouldEndAtTheBeginningOfASegment() throws IOException {
        long end;
        long first;
        try (Log writer = Log.open(CONFIG, log)) {
            Records.append(writer, 5);
            end = writer.commit(Durability.BUFFERED);
            first = writer.roll();
            Records.append(writer, 5);
        }
        assertThat(first).isEqualTo(4096 + SegmentHeader.LENGTH);
        backup.take(log, log);
        for (long position : List.of(end, first)) {
            CrashableStorage cut = new CrashableStorage();
            Restored restored = backup.restore(cut, RestorePoint.beforePosition(position));
            assertThat(restored.endPosition()).isEqualTo(first);
            assertThat(restored.lastSequence()).isEqualTo(5);
            assertThat(cut.list())
                    .containsExactlyInAnyOrder(
                            "control", "writer.lock", LogFileName.segment(0), LogFileName.segment(4096));
            try (Tailer tailer = Tailer.open(cut, TailerConfig.defaults())) {
                tailer.toPosition(end);
                tailer.toPosition(first);
            }
            try (Log writer = Log.open(CONFIG, cut)) {
                assertThat(writer.recovery().start()).isEqualTo(Left.CLOSED);
                assertThat(writer.position()).isEqualTo(first);
                Records.append(writer);
                assertThat(writer.lastPosition()).isEqualTo(first);
                assertThat(writer.lastSequence()).isEqualTo(6);
            }
        }
    }

    @Test
    void shouldBeEmptyBeforeTheFirstRecord() {
        appendCommits(40);
        Restored restored = restore(RestorePoint.beforePosition(SegmentHeader.LENGTH));
        assertThat(restored.lastSequence()).isZero();
        requireItIsClean();
        assertThat(readAll()).isZero();
        try (Log writer = Log.open(CONFIG, target)) {
            assertThat(writer.logId()).isEqualTo(restored.backup().logId());
            assertThat(writer.recovery().start()).isEqualTo(Left.CLOSED);
            Records.append(writer, 10);
        }
        assertThat(readAll()).isEqualTo(10);
    }

    /** As behind the end of each log: a segment may have a gigabyte. */
    @Test
    void shouldHaveHolesBehindTheEnd() {
        LogConfig config =
                LogConfig.builder(Path.of("memory")).segmentLength(1 << 20).build();
        try (Log writer = Log.open(config, log)) {
            for (int i = 0; i < 90; i++) {
                writer.append(Records.of(i + 1, 10_000), 0, 10_000);
                writer.commit(Durability.BUFFERED);
            }
        }
        backup.take(log, log);
        String file = LogFileName.segment(0) + ".tmp";
        List<String> steps = new ArrayList<>();
        target.hook((number, what) -> steps.add(what));
        restore(RestorePoint.afterSequence(1));
        List<String> cut = steps.subList(steps.indexOf("rename " + file) + 1, steps.size());
        assertThat(cut.stream().filter(("write " + file)::equals))
                .as("the record, and the last byte")
                .hasSize(2);
        assertThat(target.content(LogFileName.segment(0))).hasSize(1 << 20);
        requireItIsClean();
    }

    @Test
    void shouldNameTheNearestBoundaryBeforeAPlaceThatIsNone() {
        List<Long> positions = appendCommits(40);
        String help = "; dump shows where commits begin, Tailer.toFirst finds the first record of a time";
        String nearest = "; the nearest place before that is toPosition=" + positions.get(60) + ", behind record 60";
        long within = positions.get(61) + 8;
        assertRefused(
                RestorePoint.beforePosition(within),
                "the log cannot end at toPosition=" + within + ": no record begins or ends there" + nearest + help);
        assertRefused(
                RestorePoint.beforePosition(positions.get(62)),
                "the log cannot end at toPosition=" + positions.get(62) + ": record 63 does not begin a commit, and"
                        + " commits are not ignored" + nearest + help);
        assertRefused(
                RestorePoint.afterSequence(61),
                "the log cannot end at toSequence=61: record 62 does not begin a commit, and commits are not ignored"
                        + nearest + help);
        assertRefused(
                RestorePoint.beforePosition(positions.get(1)),
                "the log cannot end at toPosition=" + positions.get(1)
                        + ": record 2 does not begin a commit, and commits are not ignored; the"
                        + " nearest place before that is toPosition=64, behind record 0" + help);
        assertThat(restore(RestorePoint.beforePosition(positions.get(60))).lastSequence())
                .isEqualTo(60);
    }

    /** A program that never commits has one commit, and of each the first records may be all that a crash leaves. */
    @Test
    void shouldEndWithinACommitIfTheseDoNotMatter() {
        List<Long> positions = append(100, Integer.MAX_VALUE);
        RestorePoint within = RestorePoint.afterSequence(60).ignoringCommits();
        assertThat(restore(within).endPosition()).isEqualTo(positions.get(60));
        assertThat(readAll()).isEqualTo(60);
        requireItIsClean();
        long inside = positions.get(60) + 8;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> backup.restore(
                        new CrashableStorage(),
                        RestorePoint.beforePosition(inside).ignoringCommits()))
                .withMessageContaining("; the nearest place before that is toPosition=" + positions.get(60));
    }

    /** Of one commit over many segments. */
    @Test
    void shouldNameABoundaryInAnEarlierSegment() {
        try (Log writer = Log.open(CONFIG, log)) {
            Records.append(writer, 7);
            writer.commit(Durability.BUFFERED);
            Records.append(writer, 300);
        }
        backup.take(log, log);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> restore(RestorePoint.afterSequence(200)))
                .withMessageContaining(", behind record 7;");
        assertThat(target.list()).isEmpty();
    }

    private void assertRefused(RestorePoint end, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> restore(end)).withMessage(message);
        assertThat(target.list()).isEmpty();
    }

    @Test
    void shouldNotEndBehindTheBackup() {
        appendCommits(40);
        BackupManifest manifest = backup.verify();
        long end = manifest.endPosition();
        String ends = ": end position=" + end + ", last record=120; take a newer backup, or restore all of this one";
        assertRefused(RestorePoint.beforePosition(end + 8), "the backup ends before toPosition=" + (end + 8) + ends);
        assertRefused(RestorePoint.afterSequence(121), "the backup ends before toSequence=121" + ends);
        List<String> created = new ArrayList<>();
        target.hook((number, what) -> created.add(what));
        assertThatIllegalArgumentException().isThrownBy(() -> restore(RestorePoint.afterSequence(121)));
        assertThat(created).as("nothing is written before").noneMatch(what -> what.contains(".tmp"));
    }

    /** Its numbers would begin with 1 again. */
    @Test
    void shouldNotEndBeforeTheFirstRecordOfALogThatHasLostSome() {
        append(300, 1);
        try (Log writer = Log.open(CONFIG, log)) {
            writer.retire(writer.planRetention(RetentionRule.below(3 * 4096)), Retirement.DELETE);
        }
        backup.take(log, log);
        long position;
        long sequence;
        try (Tailer tailer = Tailer.open(log, TailerConfig.defaults())) {
            assertThat(tailer.next()).isTrue();
            position = tailer.position();
            sequence = tailer.sequence();
        }
        assertThat(sequence).isGreaterThan(10);
        for (RestorePoint end : List.of(
                RestorePoint.beforePosition(0),
                RestorePoint.beforePosition(4096),
                RestorePoint.beforePosition(position - 8),
                RestorePoint.beforePosition(position),
                RestorePoint.afterSequence(1),
                RestorePoint.afterSequence(sequence - 1))) {
            assertThatExceptionOfType(RetiredException.class)
                    .isThrownBy(() -> restore(end))
                    .withMessage("no record would be left of the backup: " + end + ", first record=" + sequence
                            + " at position=" + position
                            + "; restore an older backup, or read the archives of the log");
            assertThat(target.list()).isEmpty();
        }
    }

    @Test
    void shouldHaveABoundThatMakesSense() {
        assertThatIllegalArgumentException().isThrownBy(() -> RestorePoint.beforePosition(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> RestorePoint.afterSequence(0));
    }

    /** Compaction moves values that live to the end of the log, and what had them is gone. */
    @Test
    void shouldRefuseAStore() {
        try (StoreLogger store = ToolStore.open(log)) {
            ToolStore.overwrite(store, 10);
        }
        backup.take(log, log);
        for (RestorePoint end : List.of(RestorePoint.afterSequence(5), RestorePoint.beforePosition(64))) {
            assertRefused(
                    end,
                    "a store is restored as a whole, not up to " + end
                            + ": compaction may have moved values from before"
                            + " that to behind it; restore the newest backup from before");
        }
        assertThat(restore(RestorePoint.END).isWhole()).isTrue();
    }

    /** Their readers have handled what is not there any more, and nobody but the operator knows what is to be done. */
    @Test
    void shouldKeepCursorsUpToTheEndAndRefuseThoseBehind() throws IOException {
        appendCommits(40);
        Map<Integer, Long> stored = new HashMap<>();
        for (int count : List.of(0, 10, 60, 61, 120)) {
            try (Tailer tailer = Tailer.open(log, "after-" + count, TailerConfig.defaults())) {
                for (int i = 0; i < count; i++) {
                    tailer.next();
                }
                stored.put(count, tailer.store());
            }
        }
        log.replace("damaged.cursor", new byte[8192]);
        backup.take(log, log);
        Restored restored = restore(RestorePoint.afterSequence(60));
        assertThat(restored.cutOff())
                .containsExactly(
                        new CutOffCursor("after-120", stored.get(120), 121),
                        new CutOffCursor("after-61", stored.get(61), 62));
        try (Log writer = Log.open(CONFIG, target)) { // it has other records there soon
            Records.append(writer, 100);
        }
        for (int count : List.of(0, 10, 60)) {
            try (Tailer tailer = Tailer.open(target, "after-" + count, TailerConfig.defaults())) {
                assertThat(tailer.next()).isTrue();
                assertThat(tailer.sequence()).isEqualTo(count + 1);
            }
        }
        for (int count : List.of(61, 120)) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> Tailer.open(target, "after-" + count, TailerConfig.defaults()))
                    .withMessageContaining("is beyond a place where a repair or a restore has cut the log")
                    .withMessageContaining("--remove after-" + count);
        }
        assertThat(target.content("damaged.cursor")).isEqualTo(new byte[8192]);
    }

    @Test
    void shouldKeepWritersOutOfWhatItRestores() {
        appendCommits(40);
        List<String> steps = ToolLog.refusingWriters(target);
        restore(RestorePoint.afterSequence(60));
        target.hook((number, what) -> {});
        assertThat(steps).contains("rename control.tmp", "create control.tmp");
        assertThat(readAll()).isEqualTo(60);
    }

    /** Each step fails once: nothing is left, and the next attempt is as good as the first. */
    @Test
    void shouldLeaveNothingIfAnyStepFails() {
        appendCommits(40);
        RestorePoint end = RestorePoint.afterSequence(60);
        restore(end);
        int steps = target.operations();
        for (int step = 2; step <= steps; step++) { // the first one makes the file of the lock
            int failing = step;
            AtomicReference<String> failed = new AtomicReference<>("");
            CrashableStorage storage = new CrashableStorage().hook((number, what) -> {
                if (number == failing) {
                    failed.set(what);
                    throw new IOException("it fails: " + what);
                }
            });
            try {
                backup.restore(storage, end);
                assertThat(failed.get()).as("a search looks again").startsWith("map ");
            } catch (LogIOException e) {
                assertThat(e).hasMessageContaining("it fails: " + failed);
                assertThat(storage.list()).as(failed.get()).isEmpty();
                backup.restore(storage, end);
            }
            assertThat(storage.openHandles()).as(failed.get()).isZero();
            assertThat(ToolLog.hashes(storage)).isEqualTo(ToolLog.hashes(target));
        }
    }

    @Test
    void shouldLeaveNothingOnADiskThatIsFull() {
        appendCommits(40);
        long needed = 0;
        for (long capacity = 0; needed == 0; capacity += 1000) {
            CrashableStorage full = new CrashableStorage().capacityBytes(capacity);
            try {
                backup.restore(full, RestorePoint.afterSequence(60));
                needed = capacity;
            } catch (LogIOException e) {
                assertThat(e).hasMessageContaining("No space left on device");
                assertThat(full.list()).isEmpty();
            }
        }
        assertThat(needed).isGreaterThan(4096);
    }
}

package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.StoreLogger;
import io.persist.command.Run;
import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.support.DeadLog;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.tool.BadBlocks;
import io.persist.tool.Effect;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.StorePlace;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import io.persist.tool.print.EntryPrinter;
import io.persist.tool.print.EntryPrinter.Form;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.read.DumpTool;
import io.persist.tool.repair.SalvageTool.OldValues;
import io.persist.tool.select.RecordRange;
import io.persist.tool.select.SkipAndLimit;
import io.persist.tool.store.StoreScanTool;
import io.persist.tool.text.KeyFormat;
import io.persist.tool.text.PayloadStyle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The disk cannot read some blocks of a file: what is before and behind them can be had all the same. */
class UnreadableBlocksTest {

    private static final int SEGMENT_LENGTH = 4 * BadBlocks.LENGTH;
    private static final LogConfig CONFIG =
            LogConfig.builder(Path.of("memory")).segmentLength(SEGMENT_LENGTH).build();
    private static final String SECOND = LogFileName.segment(SEGMENT_LENGTH);
    private static final int FRAME_LENGTH = 128;
    private static final int LAST = 450;

    private final CrashableStorage disk = new CrashableStorage();
    private final CrashableStorage target = new CrashableStorage();
    private final List<Long> positions = new ArrayList<>();

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(disk.openHandles() + target.openHandles()).isZero();
    }

    private void write() {
        try (Log log = Log.open(CONFIG, disk)) {
            append(log, LAST);
            log.commit(Durability.SYNCED);
        }
    }

    private void append(Log log, int upTo) {
        for (int i = positions.size() + 1; i <= upTo; i++) {
            byte[] payload = ("record-" + i + "-".repeat(FRAME_LENGTH))
                    .substring(0, FRAME_LENGTH - 24)
                    .getBytes(StandardCharsets.UTF_8);
            log.append(payload, 0, payload.length);
            positions.add(log.lastPosition());
        }
    }

    /** A block in the middle of the second segment. */
    private Storage bad() {
        return new BadBlocks(disk, SECOND, BadBlocks.LENGTH, 2 * BadBlocks.LENGTH);
    }

    /** The numbers of the records that have no byte between the two positions. */
    private List<Long> without(long from, long to) {
        return LongStream.rangeClosed(1, positions.size())
                .filter(number -> {
                    long position = positions.get((int) number - 1);
                    return position >= to || position + FRAME_LENGTH <= from;
                })
                .boxed()
                .toList();
    }

    private List<Long> withoutBad() {
        return without(SEGMENT_LENGTH + BadBlocks.LENGTH, SEGMENT_LENGTH + 2 * BadBlocks.LENGTH);
    }

    private static Run verify(Storage log, Output output) {
        return ToolLog.run(log, new VerifyTool(output, base -> {}));
    }

    private Run salvage(Storage log, OldValues oldValues) {
        return ToolLog.run(log, new SalvageTool(() -> target, Output.TEXT, oldValues));
    }

    private static Run dumpSkipping(Storage log) {
        RecordPrinter printer = RecordPrinter.json(PayloadStyle.NONE);
        return ToolLog.run(log, new DumpTool(RecordRange.ALL, SkipAndLimit.ALL, printer, DumpTool.Damage.SKIP));
    }

    private List<Long> salvaged() {
        Run run = ToolLog.run(target, ToolLog.dump(RecordRange.ALL));
        assertThat(run.code()).as(run.err()).isZero();
        return ToolLog.sequences(run.out());
    }

    /** That is how a reader meets it: by the error of a page of a mapping. */
    @Test
    void shouldBeAnErrorForTheApplication() throws IOException {
        write();
        Storage bad = new BadBlocks(disk, LogFileName.segment(3 * SEGMENT_LENGTH), BadBlocks.LENGTH, SEGMENT_LENGTH);
        disk.delete(LogFileName.CONTROL);
        assertThatThrownBy(() -> Log.open(CONFIG, bad)).isInstanceOf(LogIOException.class);
    }

    @Test
    void shouldBeShownByVerifyWhichGoesOnBehindThem() {
        write();
        List<Long> left = withoutBad();
        Run run = verify(bad(), Output.TEXT);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.FAILURE);
        int before = SEGMENT_LENGTH + BadBlocks.LENGTH;
        long damaged = positions.stream()
                .filter(p -> p + FRAME_LENGTH > before)
                .findFirst()
                .orElseThrow();
        long behind = left.stream()
                .filter(number -> positions.get((int) (number - 1)) > before)
                .count();
        assertThat(run.out())
                .startsWith("memory: damaged at position " + damaged + ", file " + SECOND + ": cannot be read: "
                        + BadBlocks.REASON + "\n")
                .contains("\n  before the damage: " + (left.size() - behind) + " records, sequences 1 to ")
                .contains(" bytes with " + behind + " records, sequences ")
                .contains(
                        "\n  cannot be read: positions 20480 to 24576, file " + SECOND + ": " + BadBlocks.REASON + "\n")
                .contains("\n  what can be done: salvage writes a new log of all that can be read");
        assertThat(verify(bad(), Output.JSON).out())
                .contains("\"status\":\"damaged\"")
                .contains("\"damage\":\"cannot be read: " + BadBlocks.REASON + "\"")
                .contains("\"unreadable\":[{\"file\":\"" + SECOND + "\",\"fromByte\":4096,\"toByte\":8192,"
                        + "\"fromPosition\":20480,\"toPosition\":24576,\"why\":\"" + BadBlocks.REASON + "\"}]");
        assertThat(verify(disk, Output.JSON).out()).contains("\"unreadable\":[]");
    }

    /** Opening would fail there, though no record is missing. */
    @Test
    void shouldBeShownByVerifyWhereNoRecordIs() throws IOException {
        write();
        String last = LogFileName.segment(3 * SEGMENT_LENGTH);
        Storage bad = new BadBlocks(disk, last, SEGMENT_LENGTH - BadBlocks.LENGTH, SEGMENT_LENGTH);
        disk.delete(LogFileName.CONTROL);
        assertThatThrownBy(() -> Log.open(CONFIG, bad)).isInstanceOf(LogIOException.class);
        Run run = verify(bad, Output.TEXT);
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .startsWith("memory: damaged: 1 part of it cannot be read\n  450 records, sequences 1 to 450, ")
                .contains("\n  cannot be read: positions 61440 to 65536, file " + last + ": ");
        assertThat(salvage(bad, OldValues.REFUSE).code()).isZero();
        assertThat(salvaged()).hasSize(LAST);
    }

    @Test
    void shouldBeLeftOutBySalvageAndNothingElse() {
        write();
        Run run = salvage(bad(), OldValues.REFUSE);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.LOSSES);
        List<Long> left = withoutBad();
        assertThat(run.out())
                .startsWith("memory: " + left.size() + " records verify, sequences 1 to 450, ")
                .contains(", file " + SECOND + ": cannot be read: " + BadBlocks.REASON + "\n")
                .hasLineCount(2);
        assertThat(salvaged()).isEqualTo(left);
    }

    /** Each block in its turn: what has no byte there is in the new log, and in a dump. */
    @Test
    void shouldCostWhatIsInThemAndNothingElse() {
        write();
        for (long base = 0; base <= positions.get(LAST - 1); base += SEGMENT_LENGTH) {
            for (int from = 0; from < SEGMENT_LENGTH; from += BadBlocks.LENGTH) {
                int to = from + BadBlocks.LENGTH;
                List<Long> left = from == 0 ? without(base, base + SEGMENT_LENGTH) : without(base + from, base + to);
                Storage bad = new BadBlocks(disk, LogFileName.segment(base), from, to);
                CrashableStorage copy = new CrashableStorage();
                Run run = ToolLog.run(bad, new SalvageTool(() -> copy, Output.TEXT, OldValues.REFUSE));
                assertThat(run.code())
                        .as("from %s: %s", base + from, run.err())
                        .isEqualTo(left.size() == LAST ? ExitCode.OK : ExitCode.LOSSES);
                assertThat(ToolLog.sequences(
                                ToolLog.run(copy, ToolLog.dump(RecordRange.ALL)).out()))
                        .isEqualTo(left);
                assertThat(ToolLog.sequences(dumpSkipping(bad).out())).isEqualTo(left);
            }
        }
    }

    @Test
    void shouldCostASegmentWhereItsHeaderIs() {
        write();
        Storage bad = new BadBlocks(disk, SECOND, 0, BadBlocks.LENGTH);
        List<Long> left = without(SEGMENT_LENGTH, 2 * SEGMENT_LENGTH);
        Run run = salvage(bad, OldValues.REFUSE);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.LOSSES);
        assertThat(run.out())
                .contains(", positions 16384 to 32768, file " + SECOND + ": its records cannot be verified without its"
                        + " header: cannot be read: " + BadBlocks.REASON + "\n");
        assertThat(salvaged()).isEqualTo(left);
        assertThat(verify(bad, Output.TEXT).out())
                .startsWith("memory: damaged at position 16384, file " + SECOND + ": cannot be read: ")
                .contains("\n  cannot be read: positions 16384 to 20480, file " + SECOND + ": ");
        Run dump = dumpSkipping(bad);
        assertThat(dump.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(ToolLog.sequences(dump.out())).isEqualTo(left);
    }

    /** What was committed survives the end of its process, so it may be there. */
    @Test
    void shouldBeMissedWhereTheLastRecordsMayBe() throws IOException {
        Log log = Log.open(CONFIG, disk);
        append(log, 100);
        log.commit(Durability.SYNCED);
        append(log, 200);
        log.commit(Durability.BUFFERED);
        CrashableStorage killed = disk.afterKill();
        CrashableStorage onAnotherMachine = disk.crash(new Random(1), Loss.ALL_KEPT);
        CrashableStorage withoutControl = disk.afterKill();
        DeadLog.end(log);
        withoutControl.delete(LogFileName.CONTROL);
        for (Storage storage : List.of(killed, onAnotherMachine, withoutControl)) {
            for (int from = 0; from < 3 * BadBlocks.LENGTH; from += BadBlocks.LENGTH) {
                requireLastMissing(storage, from);
            }
            Storage bad = new BadBlocks(storage, SECOND, 3 * BadBlocks.LENGTH, SEGMENT_LENGTH);
            CrashableStorage copy = new CrashableStorage();
            Run run = ToolLog.run(bad, new SalvageTool(() -> copy, Output.TEXT, OldValues.REFUSE));
            assertThat(run.code()).as(run.out()).isZero(); // the log ends before these blocks
            assertThat(dumpSkipping(bad).code()).isZero();
        }
    }

    /** Of the second segment all from {@code from} on cannot be read. */
    private void requireLastMissing(Storage storage, int from) {
        Storage bad = new BadBlocks(storage, SECOND, from, SEGMENT_LENGTH);
        List<Long> left = without(SEGMENT_LENGTH + from, 2 * SEGMENT_LENGTH);
        CrashableStorage copy = new CrashableStorage();
        Run run = ToolLog.run(bad, new SalvageTool(() -> copy, Output.TEXT, OldValues.REFUSE));
        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(ExitCode.LOSSES);
        assertThat(run.out())
                .contains("  missing: records from " + (left.size() + 1) + " on, positions ")
                .contains("cannot be read: " + BadBlocks.REASON);
        Run dump = dumpSkipping(bad);
        assertThat(ToolLog.sequences(dump.out())).isEqualTo(left);
        assertThat(dump.code()).as(dump.err()).isEqualTo(ExitCode.FAILURE);
        assertThat(dump.err()).contains(" on nothing verifies: it cannot be read: " + BadBlocks.REASON);
    }

    @Test
    void shouldBeSkippedByADump() {
        write();
        Run stopped = ToolLog.run(bad(), ToolLog.dump(RecordRange.ALL));
        assertThat(stopped.code()).isEqualTo(ExitCode.FAILURE);
        Run run = dumpSkipping(bad());
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(ToolLog.sequences(run.out())).isEqualTo(withoutBad());
        assertThat(run.err())
                .contains("begins, is left out: it cannot be read: " + BadBlocks.REASON + "\n")
                .hasLineCount(1);
    }

    @Test
    void shouldBeRefusedByRepair() {
        write();
        var before = ToolLog.hashes(disk);
        for (Effect effect : Effect.values()) {
            Run run = ToolLog.run(bad(), new RepairTool(effect));
            assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.FAILURE);
            assertThat(run.out())
                    .startsWith("memory: not repaired, nothing was changed: not all of it can be read\n"
                            + "  cannot be read: positions 20480 to 24576, file " + SECOND + ": " + BadBlocks.REASON
                            + "\n  what can be done: salvage writes ");
            assertThat(ToolLog.hashes(disk)).isEqualTo(before);
        }
    }

    @Test
    void shouldBeDamageOfTheControlBlock() {
        write();
        Storage bad = new BadBlocks(disk, LogFileName.CONTROL, 0, BadBlocks.LENGTH);
        Run run = verify(bad, Output.TEXT);
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .as(run.err())
                .startsWith("memory: damaged: 1 part of it cannot be read\n")
                .contains("\n  cannot be read: bytes 0 to 4096 of control: " + BadBlocks.REASON);
        assertThat(salvage(bad, OldValues.REFUSE).code()).isZero();
        assertThat(salvaged()).hasSize(LAST);
    }

    private static StoreLogger open(Storage storage) {
        return StoreLogger.open(
                StoreConfig.builder(CONFIG)
                        .checkpointPercent(0)
                        .maxSpaceRatio(0)
                        .build(),
                storage,
                storage);
    }

    /** Each value fills a block or more, and the first checkpoint has all that come before the last segments. */
    private void writeStore() {
        try (StoreLogger store = open(disk)) {
            for (int i = 1; i <= 12; i++) {
                ToolStore.put(store, "key-" + (i + 10), "v".repeat(5000));
            }
            store.checkpoint();
            ToolStore.put(store, "one", "more");
        }
    }

    @Test
    void shouldBeSaidInThePlaceOfAValueByAScan() {
        writeStore();
        StoreScanTool scan = new StoreScanTool(
                KeyRange.all(),
                Direction.FORWARD,
                Long.MAX_VALUE,
                EntryPrinter.of(Form.TEXT, KeyFormat.TEXT, PayloadStyle.PREVIEW),
                StorePlace.ONE);
        Run run = ToolLog.run(new BadBlocks(disk, SECOND, BadBlocks.LENGTH, 2 * BadBlocks.LENGTH), scan);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out().lines()).hasSize(13);
        assertThat(run.out()).contains(" damaged: cannot read the log at position ");
        assertThat(run.err()).endsWith(" cannot be read\n");
    }

    /** Opening does not read what a checkpoint has, and a get refuses the value. */
    @Test
    void shouldBeNoReasonNotToOpenAStoreIfTheyAreInItsValues() {
        writeStore();
        Run run = verify(bad(), Output.TEXT);
        open(bad()).close();
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains("\n  cannot be read: positions 20480 to 24576, file " + SECOND + ": ")
                .contains("\n  recovery: from checkpoint-")
                .contains("\n  what can be done: nothing needs repair: get refuses a value that is damaged");
        assertThat(ToolLog.run(bad(), new RepairTool(Effect.APPLY)).out())
                .startsWith("memory: nothing to repair: a store opens this log");
        assertThat(salvage(bad(), OldValues.REFUSE).code()).isEqualTo(ExitCode.FAILURE);
        Run salvaged = salvage(bad(), OldValues.ACCEPT);
        assertThat(salvaged.code()).as(salvaged.err()).isEqualTo(ExitCode.LOSSES);
        assertThat(salvaged.out()).contains(": cannot be read: " + BadBlocks.REASON);
    }

    @Test
    void shouldTellToMoveACheckpointAway() throws IOException {
        writeStore();
        String newest = checkpoint();
        Storage bad = new BadBlocks(disk, newest, 0, BadBlocks.LENGTH);
        assertThatThrownBy(() -> open(bad)).isInstanceOf(LogIOException.class);
        String remedy =
                "\n  what can be done: repair does not help; move " + newest + " out of the directory: the store opens";
        Run run = verify(bad, Output.TEXT);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .startsWith("memory: the store does not open, though every record is good\n")
                .containsPattern("\n  cannot be read: bytes 0 to [0-9]+ of " + newest + ": " + BadBlocks.REASON)
                .contains(remedy);
        Run repair = ToolLog.run(bad, new RepairTool(Effect.APPLY));
        assertThat(repair.code()).as(repair.err()).isEqualTo(ExitCode.FAILURE);
        assertThat(repair.out()).contains(newest).contains(remedy);
        disk.delete(newest);
        open(disk).close();
    }

    /** Opening does not read values, and without their segment the store would not open any more. */
    @Test
    void shouldNotTellToMoveASegmentAwayThatHasUnreadableValues() throws IOException {
        writeStore();
        try (StoreLogger store = open(disk)) {
            for (int i = 1; i <= 6; i++) { // in segments that say that those before are synced
                ToolStore.put(store, "later-" + i, "v".repeat(5000));
            }
            store.checkpoint();
        }
        String newest = checkpoint();
        Storage bad = new BadBlocks(bad(), newest, 0, BadBlocks.LENGTH);
        assertThatThrownBy(() -> open(bad)).isInstanceOf(LogIOException.class);
        for (LogTool tool : List.of(new VerifyTool(Output.TEXT, base -> {}), new RepairTool(Effect.APPLY))) {
            assertThat(ToolLog.run(bad, tool).out())
                    .contains("  cannot be read: positions 20480 to 24576, file " + SECOND)
                    .contains("; move " + newest + " out of the directory: the store opens");
        }
        disk.delete(newest);
        open(bad()).close();
    }

    /** The end of its log: opening needs it. */
    @Test
    void shouldTellToSalvageAStoreThatDoesNotOpen() {
        writeStore();
        long last = 3 * SEGMENT_LENGTH;
        Storage bad = new BadBlocks(disk, LogFileName.segment(last), 0, BadBlocks.LENGTH);
        Run run = verify(bad, Output.TEXT);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .startsWith("memory: damaged at position " + last + ", ")
                .contains("\n  recovery: refused, cannot read ")
                .contains("\n  what can be done: repair does not help; put good copies back")
                .contains("salvage gets out what is left");
        assertThat(ToolLog.run(bad, new RepairTool(Effect.APPLY)).out())
                .startsWith("memory: not repaired, nothing was changed: not all of it can be read\n")
                .contains("salvage gets out what is left");
    }

    private String checkpoint() {
        return disk.list().stream()
                .filter(name -> CheckpointName.position(name).isPresent())
                .max(String::compareTo)
                .orElseThrow();
    }
}

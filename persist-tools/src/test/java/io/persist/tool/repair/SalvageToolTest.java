package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.command.Run;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.engine.Log;
import io.persist.store.KeyRange;
import io.persist.store.transaction.Transaction;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ExitCode;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.read.DumpTool;
import io.persist.tool.read.DumpToolTest;
import io.persist.tool.repair.SalvageTool.OldValues;
import io.persist.tool.select.RecordRange;
import io.persist.tool.select.SkipAndLimit;
import io.persist.tool.text.PayloadStyle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SalvageToolTest {

    private final CrashableStorage log = new CrashableStorage();
    private final CrashableStorage target = new CrashableStorage();

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(log.openHandles() + target.openHandles()).isZero();
    }

    private static Run salvage(CrashableStorage from, CrashableStorage to, Output output) {
        return ToolLog.run(from, new SalvageTool(() -> to, output, OldValues.REFUSE));
    }

    /** The numbers of a log's records, whose payloads are what was appended. */
    private static List<Long> records(CrashableStorage storage) {
        DumpTool dump = new DumpTool(RecordRange.ALL, RecordPrinter.json(PayloadStyle.TEXT));
        Run run = ToolLog.run(storage, dump);
        assertThat(run.code()).as(run.err()).isZero();
        List<Long> numbers = ToolLog.sequences(run.out());
        assertThat(run.out().lines())
                .zipSatisfy(numbers, (line, number) -> assertThat(line).contains("\"record-" + number + "\""));
        return numbers;
    }

    private static List<Long> without(long count, long from, long to) {
        List<Long> numbers = new ArrayList<>();
        for (long number = 1; number <= count; number++) {
            if (number < from || number > to) {
                numbers.add(number);
            }
        }
        return numbers;
    }

    @Test
    void shouldLoseOneRecordToOneFlippedByte() {
        List<Long> positions = ToolLog.closed(log, 300);
        ToolLog.damage(log, positions.get(99));
        Map<String, Long> before = ToolLog.hashes(log);
        Run run = salvage(log, target, Output.TEXT);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.LOSSES);
        assertThat(run.out())
                .startsWith("memory: 299 records verify, sequences 1 to 300, ")
                .contains(
                        "\n  missing: records 100 to 100, positions " + positions.get(99) + " to " + positions.get(100)
                                + ", file " + LogFileName.segment(0) + ": no whole record (BAD_CHECKSUM)\n");
        assertThat(ToolLog.hashes(log)).isEqualTo(before);
        assertThat(records(target)).isEqualTo(without(300, 100, 100));
        assertThat(ToolLog.run(target, new VerifyTool(Output.TEXT, base -> {})).out())
                .startsWith("memory: clean\n")
                .contains("or none has opened the log yet")
                .contains("1 vacated segment");
        try (Log writer = ToolLog.open(target)) {
            ToolLog.append(writer, 5);
        }
        assertThat(records(target)).hasSize(304).endsWith(304L, 305L);
    }

    /** Behind a record there is room for a seal, but not in a file that was cut there. */
    @Test
    void shouldKeepTheLastWholeRecordOfAFileThatWasCut() {
        List<Long> positions = ToolLog.closed(log, 20);
        int cut = positions.get(10).intValue();
        log.replace(LogFileName.segment(0), Arrays.copyOf(log.content(LogFileName.segment(0)), cut));
        Run run = salvage(log, target, Output.TEXT);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.LOSSES);
        assertThat(records(target)).isEqualTo(without(10, 0, 0));
    }

    @Test
    void shouldCopyAllOfALogThatIsWhole() {
        ToolLog.closed(log, 300);
        Run run = salvage(log, target, Output.TEXT);
        assertThat(run.code()).isZero();
        assertThat(run.out()).endsWith("  nothing is missing\n");
        assertThat(records(target)).isEqualTo(without(300, 0, 0));
        assertThat(salvage(log, target, Output.TEXT).err()).contains("directory is not empty");
        assertThat(records(target)).hasSize(300);
    }

    @Test
    void shouldNameTheDirectoryWhoseDiskIsFull() {
        ToolLog.closed(log, 300);
        target.capacityBytes(6000);
        Storage place = new Named("target", target);
        Run run = ToolLog.run(log, new SalvageTool(() -> place, Output.TEXT, OldValues.REFUSE));
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err())
                .contains("cannot write the salvaged log to target: ", "No space left")
                .hasLineCount(1);
        assertThat(target.list()).isEmpty();
    }

    private record Named(String description, Storage storage) implements ForwardingStorage {}

    @Test
    void shouldKeepWritersOutOfWhatItWrites() {
        ToolLog.closed(log, 300);
        List<String> steps = ToolLog.refusingWriters(target);
        Run run = salvage(log, target, Output.TEXT);
        target.hook((number, what) -> {});
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(steps).hasSizeGreaterThan(5).contains("rename control.tmp");
        try (Log writer = ToolLog.open(target)) {
            assertThat(writer.lastSequence()).isEqualTo(300);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9})
    void shouldCopyARecordOfAnyLength(int length) {
        try (Log writer = ToolLog.open(log)) {
            ToolLog.append(writer, 1);
            writer.append(new byte[length], 0, length);
            ToolLog.append(writer, 1);
        }
        assertThat(salvage(log, target, Output.TEXT).code()).isZero();
        assertThat(ToolLog.run(target, new VerifyTool(Output.TEXT, base -> {})).out())
                .startsWith("memory: clean\n");
        Run dump = ToolLog.run(target, ToolLog.dump(RecordRange.ALL));
        assertThat(dump.err()).isEmpty();
        assertThat(ToolLog.sequences(dump.out())).containsExactly(1L, 2L, 3L);
    }

    @Test
    void shouldGoOnBehindWhateverIsDamaged() throws Exception {
        List<Long> positions = ToolLog.closed(log, 500);
        ToolLog.flip(log, 4096, 20); // a header: nothing in its segment can be verified
        log.delete(LogFileName.segment(12288));
        Run run = salvage(log, target, Output.JSON);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.LOSSES);
        List<Long> left = positions.stream()
                .filter(position -> position / 4096 != 1 && position / 4096 != 3)
                .map(position -> positions.indexOf(position) + 1L)
                .toList();
        assertThat(records(target)).isEqualTo(left);
        assertThat(run.out())
                .contains("\"records\":" + left.size() + ",")
                .contains("{\"file\":\"" + LogFileName.segment(4096) + "\",\"fromPosition\":4096,\"toPosition\":8192,")
                .contains("cannot be verified without its header")
                .contains(
                        "{\"file\":\"" + LogFileName.segment(12288) + "\",\"fromPosition\":12288,\"toPosition\":16384,")
                .contains("\"why\":\"the segment is missing\"");
    }

    /** What is not touched is found, and nothing else is. */
    @Test
    void shouldFindExactlyWhatIsLeft() {
        Seeds.run(60, seed -> {
            Random random = new Random(seed);
            CrashableStorage damaged = new CrashableStorage();
            List<Long> positions = ToolLog.closed(damaged, 300);
            List<Long> left = without(300, 0, 0);
            for (int i = random.nextInt(4); i >= 0; i--) {
                int record = random.nextInt(290);
                int last = record + random.nextInt(8);
                long base = positions.get(record) / 4096 * 4096;
                byte[] bytes = damaged.content(LogFileName.segment(base));
                int from = (int) (positions.get(record) - base);
                int to = (int) Math.min(4096 - 32, positions.get(last) - base + 25);
                if (random.nextBoolean()) {
                    Arrays.fill(bytes, from, to, (byte) random.nextInt(256));
                } else {
                    byte[] noise = new byte[to - from];
                    random.nextBytes(noise);
                    System.arraycopy(noise, 0, bytes, from, noise.length);
                }
                damaged.replace(LogFileName.segment(base), bytes);
                int end = to;
                left.removeIf(number -> {
                    long position = positions.get((int) (number - 1)) - base;
                    return position >= from && position < end;
                });
            }
            CrashableStorage salvaged = new CrashableStorage();
            Run run = salvage(damaged, salvaged, Output.TEXT);
            assertThat(run.code()).as(run.out() + run.err()).isEqualTo(ExitCode.LOSSES);
            assertThat(records(salvaged)).as(run.out()).isEqualTo(left);
            ToolLog.open(salvaged).close();
        });
    }

    @Test
    void shouldNotMissWhatWasNeverAcknowledged() {
        CrashableStorage torn = DumpToolTest.tornLog();
        Run run = salvage(torn, target, Output.TEXT);
        assertThat(run.code()).as(run.out()).isZero();
        assertThat(records(target)).hasSize(10);
    }

    /** A payload that is a whole log: nothing in it is where it was written to. */
    @Test
    void shouldNotTakeAPayloadForRecords() {
        CrashableStorage inner = new CrashableStorage();
        ToolLog.closed(inner, 20);
        byte[] frames = Arrays.copyOfRange(inner.content(LogFileName.segment(0)), 64, 900);
        try (Log writer = ToolLog.open(log)) {
            ToolLog.append(writer, 3);
            writer.append(frames, 0, frames.length);
            ToolLog.append(writer, 3);
        }
        ToolLog.flip(log, 64 + 3 * 40, 20); // the type in the frame's header
        Run run = salvage(log, target, Output.TEXT);
        assertThat(run.out()).contains("6 records verify").contains("missing: records 4 to 4, ");
        assertThat(records(target)).containsExactly(1L, 2L, 3L, 5L, 6L, 7L);
    }

    @Test
    void shouldDumpWhatComesBehindDamage() throws Exception {
        List<Long> positions = ToolLog.closed(log, 500);
        ToolLog.damage(log, positions.get(9));
        ToolLog.flip(log, 4096, 20);
        ToolLog.damage(log, positions.get(449));
        RecordPrinter printer = RecordPrinter.json(PayloadStyle.PREVIEW);
        Run run = ToolLog.run(log, new DumpTool(RecordRange.ALL, SkipAndLimit.ALL, printer, DumpTool.Damage.SKIP));
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        List<Long> left = new ArrayList<>(without(500, 10, 10));
        left.remove(450L);
        left.removeIf(number -> positions.get((int) (number - 1)) / 4096 == 1);
        assertThat(ToolLog.sequences(run.out())).isEqualTo(left);
        assertThat(run.err().lines())
                .hasSizeGreaterThanOrEqualTo(3)
                .contains("persist: memory: from position " + positions.get(9) + " to " + positions.get(10)
                        + ", where record 11 begins, is left out: it is damaged");
    }

    /** No tailer opens a file that is shorter than its segment; what is left of it is for salvage. */
    @ParameterizedTest
    @ValueSource(longs = {0, 4096, 16384})
    void shouldSayThatADumpLeavesOutASegmentThatWasCutShort(long cut) {
        List<Long> positions = ToolLog.closed(log, 500);
        log.replace(LogFileName.segment(cut), Arrays.copyOf(log.content(LogFileName.segment(cut)), 2000));
        RecordPrinter printer = RecordPrinter.json(PayloadStyle.PREVIEW);
        Run run = ToolLog.run(log, new DumpTool(RecordRange.ALL, SkipAndLimit.ALL, printer, DumpTool.Damage.SKIP));
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        List<Long> left = without(500, 0, 0);
        left.removeIf(number -> positions.get((int) (number - 1)) / 4096 * 4096 == cut);
        assertThat(ToolLog.sequences(run.out())).isEqualTo(left);
        long next = cut + 4096 + 64;
        String upTo = positions.contains(next)
                ? " to " + next + ", where record " + (positions.indexOf(next) + 1) + " begins,"
                : " on";
        assertThat(run.err())
                .isEqualTo("persist: memory: from position " + (cut + 64) + upTo + " is left out: a dump cannot read"
                        + " that segment, of which salvage copies what verifies\n");
        assertThat(salvage(log, target, Output.TEXT).code()).isEqualTo(ExitCode.LOSSES);
        assertThat(records(target)).hasSizeGreaterThan(left.size()).containsAll(left);
    }

    @Test
    void shouldAskBeforeAStoreGetsOldValues() {
        try (StoreLogger store = ToolStore.open(log)) {
            ToolStore.put(store, "a", "old");
            ToolStore.put(store, "a", "new");
            ToolStore.put(store, "b", "value");
        }
        ToolLog.flip(log, 64 + 64, 40);
        Run refused = salvage(log, target, Output.TEXT);
        assertThat(refused.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(refused.out()).contains("nothing was written").contains("missing: records 2 to 2, ");
        assertThat(refused.err())
                .contains("older values and removed keys would be back")
                .contains("--acceptOldValues");
        assertThat(target.list()).isEmpty();
        Run accepted = ToolLog.run(log, new SalvageTool(() -> target, Output.TEXT, OldValues.ACCEPT));
        assertThat(accepted.code()).as(accepted.err()).isEqualTo(ExitCode.LOSSES);
        try (StoreLogger store = ToolStore.open(target)) {
            assertThat(value(store, "a")).isEqualTo("old");
            assertThat(value(store, "b")).isEqualTo("value");
        }
    }

    private static String value(StoreLogger store, String key) {
        return StandardCharsets.UTF_8.decode(store.get(ToolStore.bytes(key))).toString();
    }

    /** The log of a store says more than puts and removes of keys. */
    @Test
    void shouldCopyAllOfAStoreThatIsWhole() {
        try (StoreLogger store = ToolStore.open(log)) {
            for (String key : List.of("a1", "a2", "a3", "b1", "z")) {
                ToolStore.put(store, key, "value of " + key);
            }
            store.removeRange(KeyRange.prefix(ToolStore.bytes("a")));
            store.removeRange(KeyRange.from(ToolStore.bytes("y")));
            ToolStore.put(store, "a2", "again");
            Transaction transaction = store.begin();
            transaction.put(ToolStore.bytes("c1"), new byte[1]);
            transaction.removeRange(KeyRange.prefix(ToolStore.bytes("c")));
            transaction.put(ToolStore.bytes("c2"), new byte[1]);
            transaction.commit();
        }
        Run run = salvage(log, target, Output.TEXT);
        assertThat(run.code()).as(run.out() + run.err()).isZero();
        try (StoreLogger store = ToolStore.open(target)) {
            assertThat(store.size()).isEqualTo(3);
            assertThat(store.contains(ToolStore.bytes("c2"))).isTrue();
            assertThat(value(store, "a2")).isEqualTo("again");
            assertThat(value(store, "b1")).isEqualTo("value of b1");
        }
    }

    @Test
    void shouldGetAStoreOutThatHasLostItsCheckpoints() throws Exception {
        ToolStore.compacted(log);
        for (String name : log.list()) {
            if (name.endsWith(".chk")) {
                log.delete(name);
            }
        }
        assertThat(salvage(log, target, Output.TEXT).code()).isEqualTo(ExitCode.FAILURE);
        Run accepted = ToolLog.run(log, new SalvageTool(() -> target, Output.TEXT, OldValues.ACCEPT));
        assertThat(accepted.code())
                .as(accepted.out() + accepted.err())
                .isLessThan(5)
                .isNotEqualTo(ExitCode.FAILURE);
        try (StoreLogger store = ToolStore.open(target)) {
            assertThat(store.size()).isEqualTo(2);
        }
    }

    /** Of the only segment there is, so that no header says how long a segment is. */
    @Test
    void shouldGetAStoreOutOfASegmentThatWasCutShort() throws Exception {
        try (StoreLogger store = ToolStore.open(log)) {
            for (int i = 0; i < 20; i++) {
                ToolStore.put(store, "key" + i, "value " + i);
            }
            assertThat(store.position()).isLessThan(8000);
        }
        for (String name : log.list()) {
            if (!name.equals(LogFileName.segment(0))) {
                log.delete(name);
            }
        }
        log.replace(LogFileName.segment(0), Arrays.copyOf(log.content(LogFileName.segment(0)), 8008));
        target.replace("lost+found", new byte[0]);
        Run run = ToolLog.run(log, new SalvageTool(() -> target, Output.TEXT, OldValues.ACCEPT));
        assertThat(run.code()).as(run.out() + run.err()).isNotEqualTo(ExitCode.FAILURE);
        try (StoreLogger store = ToolStore.open(target)) {
            assertThat(store.size()).isEqualTo(20);
            assertThat(value(store, "key19")).isEqualTo("value 19");
        }
    }
}

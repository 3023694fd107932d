package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.format.LogFileName;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.Durability;
import io.persist.log.RecoveryReport;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.engine.Log;
import io.persist.store.StoreRecovery;
import io.persist.support.Await;
import io.persist.support.DeadLog;
import io.persist.support.Docs;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.tool.Output;
import io.persist.tool.RecoveryJson;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import io.persist.tool.read.DumpToolTest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What {@code verify} says before a log is opened is what opening it does, and what its report says. */
class RecoveryAgreementTest {

    private static final String DOCUMENT = "docs/operations.md";

    private static String verify(CrashableStorage storage) {
        return ToolLog.run(storage, new VerifyTool(Output.JSON, base -> {})).out();
    }

    private static String field(String json, String name) {
        return json.replaceFirst("(?s).*\"" + name + "\":\"?([^,\"}]*)[,\"}].*", "$1");
    }

    /** Opens the log and compares its report with what was verified before; returns the report. */
    private static RecoveryReport open(CrashableStorage storage, String row) {
        String before = verify(storage);
        RecoveryReport report;
        try (Log log = ToolLog.open(storage)) {
            report = log.recovery();
        }
        String after = RecoveryJson.of(report);
        String what = before + after;
        assertThat(field(before, "row"))
                .as(what)
                .isEqualTo(report.reason().row())
                .isEqualTo(row);
        for (String name : List.of("row", "firstPosition", "lastSequence", "syncedPosition")) {
            assertThat(field(after, name)).as(name + " of " + what).isEqualTo(field(before, name));
        }
        assertThat(field(after, "goodPosition")).as(what).isEqualTo(field(before, "tailPosition"));
        assertThat(field(after, "cutBytes")).as(what).isEqualTo(field(before, "bytesBehind"));
        assertThat(field(after, "cutRecords")).as(what).isEqualTo(field(before, "recordsBehind"));
        assertThat(report.explain())
                .contains("Row " + row + " of the recovery table: "
                        + report.reason().meaning())
                .contains(
                        report.cut().bytes() == 0
                                ? "Nothing was cut."
                                : "Cut off: " + report.cut().bytes() + " byte")
                .doesNotContain("\n");
        assertThat(report.cut().setAside())
                .allSatisfy(file -> assertThat(storage.list()).contains(file))
                .allSatisfy(file -> assertThat(report.explain()).contains(file));
        assertThat(report.cut().bytes() > 0).isEqualTo(!report.cut().setAside().isEmpty());
        return report;
    }

    /** A log of 10 synced records, whose writer goes on as {@code more} says and is killed. */
    private static CrashableStorage killed(Consumer<Log> more) {
        CrashableStorage storage = new CrashableStorage();
        Log log = ToolLog.open(storage);
        ToolLog.append(log, 10);
        log.commit(Durability.SYNCED);
        more.accept(log);
        CrashableStorage after = storage.afterKill();
        DeadLog.end(log);
        return after;
    }

    /** The same, and the power was cut: nothing is known but what was synced. */
    private static CrashableStorage powerCut(Consumer<Log> more) {
        CrashableStorage storage = new CrashableStorage();
        Log log = ToolLog.open(storage);
        ToolLog.append(log, 10);
        log.commit(Durability.SYNCED);
        more.accept(log);
        CrashableStorage after = storage.crash(new Random(1), Loss.ALL_KEPT);
        DeadLog.end(log);
        return after;
    }

    private static void putInt(CrashableStorage storage, long position, int value) {
        String name = LogFileName.segment(position / ToolLog.SEGMENT_LENGTH * ToolLog.SEGMENT_LENGTH);
        byte[] bytes = storage.content(name);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt((int) (position % ToolLog.SEGMENT_LENGTH), value);
        storage.replace(name, bytes);
    }

    @Test
    void shouldAgreeOnALogThatEndsHere() {
        CrashableStorage closed = new CrashableStorage();
        ToolLog.closed(closed, 300);
        assertThat(open(closed, "A").start()).isEqualTo(Left.CLOSED);
        assertThat(open(killed(log -> {}), "A").explain())
                .startsWith("The last writer ended without closing the log")
                .contains("Kept: all records up to number 10, positions 0 to 392, synced up to 392. Nothing was cut.");
    }

    @Test
    void shouldAgreeOnARecordThatWasNeverPublished() {
        CrashableStorage storage = killed(log -> {});
        byte[] bytes = storage.content(LogFileName.segment(0));
        bytes[392 + 16] = 1; // behind the end: stored, and not published
        storage.replace(LogFileName.segment(0), bytes);
        assertThat(open(storage, "B").cut().records()).isZero();
        assertThat(open(storage, "A").cut().bytes()).isZero();
    }

    /** Of a long record a part in its middle reached the device, in the segment behind the end. */
    @Test
    void shouldAgreeOnBytesInALaterSegment() {
        CrashableStorage storage = killed(log -> Await.segmentsAhead(log, 2));
        putInt(storage, ToolLog.SEGMENT_LENGTH + 2048, 77);
        assertThat(open(storage, "B").cut().setAside()).hasSize(1);
        assertThat(open(storage, "A").cut().bytes()).isZero();
    }

    @Test
    void shouldAgreeOnAnImpossibleLength() {
        CrashableStorage storage = killed(log -> {});
        putInt(storage, 392, 5);
        assertThat(open(storage, "C").explain()).contains("no whole record (BAD_LENGTH)");
    }

    @Test
    void shouldAgreeOnARecordThatIsNotWhole() {
        assertThat(open(DumpToolTest.tornLog(), "D").cut().bytes()).isEqualTo(1024);
    }

    /** What follows lies in the same segment and in whole segments behind it. */
    @Test
    void shouldAgreeOnAHoleBeforeLaterRecords() {
        for (int more : new int[] {5, 400}) {
            List<Long> positions = new ArrayList<>();
            CrashableStorage storage = powerCut(log -> positions.addAll(ToolLog.append(log, more)));
            putInt(storage, positions.get(2), 0);
            RecoveryReport report = open(storage, "E");
            assertThat(report.cut().records()).isEqualTo(more - 3);
            assertThat(report.start()).isEqualTo(Left.POWER_CUT);
            assertThat(report.cut().setAside()).hasSizeGreaterThanOrEqualTo(more / 100 + 1);
        }
    }

    @Test
    void shouldAgreeOnDamage() {
        CrashableStorage storage = new CrashableStorage();
        List<Long> positions = ToolLog.closed(storage, 300);
        ToolLog.damage(storage, positions.get(299));
        String before = verify(storage);
        assertThat(field(before, "row")).isEqualTo("F");
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> ToolLog.open(storage))
                .withMessageContaining("row F")
                .withMessageContaining("acknowledged up to position " + field(before, "acknowledgedPosition"))
                .satisfies(e -> assertThat(e.position()).isEqualTo(Long.parseLong(field(before, "tailPosition"))))
                .satisfies(e -> assertThat(e.file()).isEqualTo(field(before, "file")));
    }

    @Test
    void shouldAgreeAfterWhateverCrash() {
        TreeSet<String> rows = new TreeSet<>();
        Seeds.run(60, seed -> {
            Random random = new Random(seed);
            CrashableStorage storage = new CrashableStorage();
            Log log = ToolLog.open(storage);
            for (int i = random.nextInt(60); i >= 0; i--) {
                ToolLog.append(log, 1 + random.nextInt(10));
                if (random.nextInt(4) == 0) {
                    log.commit(Durability.values()[random.nextInt(3)]);
                }
                if (random.nextInt(10) == 0) {
                    storage.writeBack(random);
                }
            }
            if (random.nextBoolean()) {
                log.claim(50).payload().putLong(1);
            }
            Loss loss = Loss.values()[random.nextInt(Loss.values().length)];
            CrashableStorage after = switch (random.nextInt(3)) {
                case 0 -> storage.afterKill();
                case 1 -> DeadLog.ofNobody(storage.afterRemount(random, loss));
                default -> storage.crash(random, loss);
            };
            DeadLog.end(log);
            String row = field(verify(after), "row");
            rows.add(row);
            open(after, row);
        });
        System.out.println("RecoveryAgreementTest: rows " + rows);
    }

    @Test
    void shouldAgreeOnTheCheckpoints() {
        CrashableStorage storage = new CrashableStorage();
        try (StoreLogger store = ToolStore.open(storage)) {
            for (String key : List.of("a", "b", "c")) {
                ToolStore.put(store, key, "value");
                store.checkpoint();
            }
        }
        List<String> files = storage.list().stream()
                .filter(name -> CheckpointName.position(name).isPresent())
                .sorted()
                .toList();
        String newest = files.get(files.size() - 1);
        byte[] bytes = storage.content(newest);
        bytes[CheckpointHeader.LENGTH + 5] ^= 1;
        storage.replace(newest, bytes);
        String before = verify(storage);
        try (StoreLogger store = ToolStore.open(storage)) {
            StoreRecovery report = store.recovery();
            assertThat(field(before, "recoveryCheckpoint"))
                    .isEqualTo(report.checkpoint().file());
            assertThat(field(RecoveryJson.of(report), "checkpoint"))
                    .isEqualTo(report.checkpoint().file());
            assertThat(before).contains("\"file\":\"" + newest + "\"").contains("\"fit\":\"damaged\"");
            assertThat(RecoveryJson.of(report)).contains("\"skipped\":[{\"file\":\"" + newest + "\",\"why\":\"");
            assertThat(report.isUneventful()).isFalse();
            assertThat(report.explain())
                    .startsWith(
                            "The state comes from " + report.checkpoint().file() + " with 2 keys and the log after it,")
                    .contains("The store has 3 keys.")
                    .contains(" Not used: " + newest + " (corrupt log: ");
        }
        assertThat(storage.list()).contains(newest + LogFileName.ASIDE_SUFFIX).doesNotContain(newest);
    }

    @Test
    void shouldExplainOnlyWhatIsWorthIt() {
        CrashableStorage storage = new CrashableStorage();
        try (Log log = ToolLog.open(storage)) {
            assertThat(log.recovery().isUneventful()).isTrue();
            assertThat(log.recovery().explain()).isEqualTo("There was no log; a new one has begun.");
        }
        assertThat(open(storage, "A").isUneventful()).isTrue();
        assertThat(open(killed(log -> {}), "A").isUneventful()).isFalse();
    }

    /** The example of the document is what a test sees. */
    @Test
    void shouldBeAsTheDocumentShows() {
        CrashableStorage storage = DumpToolTest.tornLog();
        RecoveryReport report = open(storage, "D");
        assertThat(String.join(" ", Docs.block(DOCUMENT, "recovery-paragraph")))
                .isEqualTo(report.explain().replaceFirst("in [0-9.]+ ms", "in 0.4 ms"));
        assertThat(String.join("", Docs.block(DOCUMENT, "recovery-json")))
                .isEqualTo(RecoveryJson.of(report).replaceFirst("\"elapsedNs\":\\d+", "\"elapsedNs\":412345"));
    }
}

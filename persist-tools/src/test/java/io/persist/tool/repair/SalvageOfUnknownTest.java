package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.command.Run;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.LogFileName;
import io.persist.format.TransactionLayout;
import io.persist.log.LogContent;
import io.persist.log.engine.Log;
import io.persist.support.NewerSegments;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ExitCode;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import io.persist.tool.repair.SalvageTool.OldValues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of a store that verify, and are no transactions that this version knows. */
class SalvageOfUnknownTest {

    private final CrashableStorage log = new CrashableStorage();
    private final CrashableStorage target = new CrashableStorage();

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(log.openHandles() + target.openHandles()).isZero();
    }

    private Run salvage(OldValues oldValues) {
        return ToolLog.run(log, new SalvageTool(() -> target, Output.TEXT, oldValues));
    }

    /** A transaction that puts {@code new} as an entry of {@code entryType}. */
    private static byte[] transaction(int type, int entryType) {
        ByteBuffer bytes = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
        int entry = TransactionLayout.HEADER_LENGTH;
        TransactionLayout.putHeader(bytes, 0, (byte) type, 1);
        TransactionLayout.putEntryHeader(bytes, entry, 3, 0, (byte) entryType);
        bytes.put(entry + TransactionLayout.ENTRY_HEADER_LENGTH, ToolStore.bytes("new"));
        return bytes.array();
    }

    /** The store, then the record, then two transactions more. */
    private void append(byte[] record) {
        put("a");
        try (Log writer = Log.open(ToolStore.CONFIG.log(), LogContent.TRANSACTIONS, log)) {
            writer.append(record, 0, record.length);
            for (String key : new String[] {"b", "c"}) {
                byte[] good = transaction(TransactionLayout.TYPE_CHANGES, TransactionLayout.ENTRY_PUT);
                good[good.length - 8] = (byte) key.charAt(0);
                writer.append(good, 0, good.length);
            }
        }
    }

    private void put(String key) {
        try (StoreLogger store = ToolStore.open(log)) {
            ToolStore.put(store, key, "value");
        }
    }

    private void assertSalvaged(String why) {
        Map<String, Long> before = ToolLog.hashes(log);
        Run refused = salvage(OldValues.REFUSE);
        assertThat(refused.code()).as(refused.err()).isEqualTo(ExitCode.FAILURE);
        assertThat(refused.out())
                .contains("missing: records 2 to 2, positions ")
                .contains(why);
        assertThat(refused.err()).contains("to take what is left give --acceptOldValues");
        assertThat(target.list()).isEmpty();

        Run run = salvage(OldValues.ACCEPT);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.LOSSES);
        assertThat(run.out())
                .contains("3 records verify")
                .contains("missing: records 2 to 2")
                .contains(why);
        assertThat(ToolLog.hashes(log)).isEqualTo(before);
        try (StoreLogger store = ToolStore.open(target)) {
            assertThat(store.size()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 127, 255})
    void shouldLeaveOutATransactionOfALaterVersion(int type) {
        append(transaction(type, TransactionLayout.ENTRY_PUT));
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> ToolStore.open(log))
                .withMessageContaining("type=" + type)
                .withMessageContaining("open it with the version of Persist that wrote it");
        Run verified = ToolLog.run(log, new VerifyTool(Output.TEXT, base -> {}));
        assertThat(verified.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(verified.out()).contains("open it with the version of Persist that wrote it; else ");
        assertSalvaged("unsupported transaction in the log of a store: type=" + type);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 200})
    void shouldLeaveOutATransactionWithAnEntryOfALaterVersion(int type) {
        append(transaction(TransactionLayout.TYPE_CHANGES, type));
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> ToolStore.open(log))
                .withMessageContaining("unsupported entry 0 in the log of a store: type=" + type);
        assertSalvaged("unsupported entry 0 in the log of a store: type=" + type);
    }

    @Test
    void shouldLeaveOutWhatIsNoTransaction() {
        append(new byte[5]);
        assertSalvaged("the record is not a transaction of a store: no transaction");
    }

    /** It may be most of the log. */
    @Test
    void shouldTellOnceOfThoseThatFollowOneAnother() {
        put("a");
        try (Log writer = Log.open(ToolStore.CONFIG.log(), LogContent.TRANSACTIONS, log)) {
            byte[] record = transaction(3, TransactionLayout.ENTRY_PUT);
            for (int i = 0; i < 300; i++) { // more than a segment
                writer.append(record, 0, record.length);
            }
            byte[] good = transaction(TransactionLayout.TYPE_CHANGES, TransactionLayout.ENTRY_PUT);
            writer.append(good, 0, good.length);
            writer.append(record, 0, record.length);
        }
        assertThat(salvage(OldValues.ACCEPT).out().lines().filter(line -> line.contains("missing: ")))
                .hasSize(2)
                .first()
                .asString()
                .contains("missing: records 2 to 301, positions ")
                .contains("unsupported transaction in the log of a store: type=3");
    }

    @Test
    void shouldWriteNothingOfAStoreThatHasNothingElse() {
        byte[] record = transaction(3, TransactionLayout.ENTRY_PUT);
        try (Log writer = Log.open(ToolStore.CONFIG.log(), LogContent.TRANSACTIONS, log)) {
            writer.append(record, 0, record.length);
        }
        Run run = salvage(OldValues.ACCEPT);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).contains("0 records verify").contains("missing: records 1 to 1");
        assertThat(target.list()).isEmpty();
    }

    /** As the document says of a frame of an unknown type, also where no flag of the segment tells. */
    @Test
    void shouldRefuseAFrameOfALaterVersion() {
        long position = ToolLog.closed(log, 300).get(99);
        String name = LogFileName.segment(position / ToolLog.SEGMENT_LENGTH * ToolLog.SEGMENT_LENGTH);
        byte[] segment = log.content(name);
        NewerSegments.makeFrame(segment, (int) (position % ToolLog.SEGMENT_LENGTH));
        log.replace(name, segment);
        Run run = salvage(OldValues.ACCEPT);
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).contains("unsupported frame: type=3, position=" + position);
        assertThat(target.list()).isEmpty();
    }
}

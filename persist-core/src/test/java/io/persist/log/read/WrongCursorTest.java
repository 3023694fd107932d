package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.control.CursorSlot;
import io.persist.log.Durability;
import io.persist.log.TailerConfig;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.read.BillingCursor.From;
import io.persist.log.recovery.LogRepair;
import io.persist.log.segment.LogFiles;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A cursor that does not fit the log is refused, and left as it is; nor is one stored that would not fit. */
@ParameterizedClass
@MappedAndFile
class WrongCursorTest extends NamedTailerFixture {

    /** Makes the stored cursor one of a caller's. */
    private void store(CursorSlot slot) {
        storage.replace("billing.cursor", file(slot));
    }

    private static byte[] file(CursorSlot slot) {
        ByteBuffer bytes = CursorSlot.allocate();
        slot.encode(bytes);
        byte[] file = new byte[CursorSlot.FILE_LENGTH];
        System.arraycopy(bytes.array(), 0, file, CursorSlot.offset(slot.generation()), CursorSlot.LENGTH);
        return file;
    }

    private CursorSlot slotAfter(int records) {
        open();
        Records.append(log, records);
        log.flush();
        try (Tailer tailer = tailer()) {
            Records.readOn(tailer, 1);
            tailer.store();
        }
        return stored();
    }

    private void assertCorrupt(CursorSlot slot, String message) {
        store(slot);
        byte[] before = storage.content("billing.cursor");
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(this::tailer)
                .withMessageContaining(message)
                .withMessageContaining("file=billing.cursor")
                .withMessageContaining("remove the cursor");
        assertThat(storage.content("billing.cursor")).as("nothing was changed").isEqualTo(before);
    }

    @Test
    void shouldRefuseACursorThatTheLogDoesNotHave() {
        CursorSlot good = slotAfter(5);
        long end = good.position();
        long id = good.logId();
        assertCorrupt(new CursorSlot(5, id + 1, end, 6, 0, 0), "belongs to another log");
        assertCorrupt(new CursorSlot(5, id, end, 7, 0, 0), "before record 7, but the log has record 6 there");
        assertCorrupt(new CursorSlot(5, id, 64, 2, 0, 0), "before record 2, but the log has record 1 there");
        assertCorrupt(new CursorSlot(5, id, end + 8, 7, 0, 0), "beyond the end of the log");
        assertCorrupt(new CursorSlot(5, id, end + 64, 7, 0, 0), "beyond the end of the log");
        assertCorrupt(new CursorSlot(5, id, LENGTH + 64, 7, 0, 0), "beyond the end of the log");
        assertCorrupt(new CursorSlot(5, id, 100L * LENGTH, 7, 0, 0), "no record can begin");
        assertCorrupt(new CursorSlot(5, id, end + 1, 6, 0, 0), "no record can begin");
        store(new CursorSlot(5, id, end, 6, 0, 0));
        tailer().close();
    }

    @Test
    void shouldRefuseACursorInsideARecord() {
        CursorSlot good = slotAfter(50);
        long position = 64;
        try (Tailer tailer = log.tailer()) {
            while (tailer.next() && tailer.nextPosition() - tailer.position() < 100) {
                position = tailer.nextPosition();
            }
        }
        assertCorrupt(new CursorSlot(5, good.logId(), position + 32, 3, 0, 0), "inside the record that ends at");
    }

    @Test
    void shouldRefuseACursorWhoseLogIsGone() throws IOException {
        CursorSlot good = slotAfter(5);
        log.close();
        for (long base : LogFiles.basePositions(storage)) {
            storage.delete(LogFileName.segment(base));
        }
        assertCorrupt(good, "belongs to a log of which no segment is left");
    }

    /** Also when the log has a record of that number at that place again, which is another one. */
    @Test
    void shouldRefuseACursorBehindARepairUntilItIsRemoved() throws IOException {
        CursorSlot end = slotAfter(50);
        long middle = position(30);
        log.close();
        long cut = position(20);
        byte[] segment = storage.content(LogFileName.segment(cut / LENGTH * LENGTH));
        segment[(int) (cut % LENGTH) + Frame.HEADER_LENGTH] ^= 1;
        storage.replace(LogFileName.segment(cut / LENGTH * LENGTH), segment);
        storage.replace("before.cursor", file(new CursorSlot(3, end.logId(), cut, 20, 0, 0)));
        storage.replace("billing.cursor", file(new CursorSlot(3, end.logId(), middle, 30, 0, 0)));
        new LogRepair(storage).repair();
        for (int records : new int[] {0, 10, 40}) {
            open();
            Records.append(log, records);
            log.close();
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(this::tailer)
                    .withMessageContaining("a repair or a restore has cut the log")
                    .withMessageEndingWith(": bin/persist cursors memory --remove billing")
                    .withMessageNotContaining("verify");
            assertThat(new LogCursors(storage).refused()).containsOnlyKeys("billing");
        }
        try (Tailer before = Tailer.open(storage, "before", TailerConfig.defaults())) {
            assertThat(Records.readOn(before, 20)).isEqualTo(70);
        }
        new LogCursors(storage).remove("billing");
        try (Tailer tailer = tailer()) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(70);
        }
    }

    /** The mark of the first attempt is in memory only: the device has not taken it. */
    @Test
    void shouldRefuseACursorBehindARepairThatFailedAtFirst() throws IOException {
        CursorSlot end = slotAfter(50);
        long middle = position(30);
        log.commit(Durability.SYNCED);
        log.close();
        long cut = position(20);
        String segment = LogFileName.segment(cut / LENGTH * LENGTH);
        byte[] bytes = storage.content(segment);
        bytes[(int) (cut % LENGTH) + Frame.HEADER_LENGTH] ^= 1;
        storage.replace(segment, bytes);
        storage.replace("billing.cursor", file(new CursorSlot(3, end.logId(), middle, 30, 0, 0)));
        int[] writes = {0};
        storage.hook((number, what) -> {
            if (what.equals("write billing.cursor") && ++writes[0] == 2) {
                throw new IOException("Input/output error");
            }
        });
        assertThatExceptionOfType(LogIOException.class).isThrownBy(() -> new LogRepair(storage).repair());
        storage.hook((number, what) -> {});
        new LogRepair(storage).repair();
        open();
        Records.append(log, 40);
        log.commit(Durability.SYNCED);
        CrashableStorage after = storage.crash(new Random(1), Loss.ALL_LOST);
        DeadLog.end(log);
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> Tailer.open(after, "billing", TailerConfig.defaults()))
                .withMessageContaining("a repair or a restore has cut the log");
    }

    private long position(long record) {
        try (Tailer tailer = Tailer.open(storage, TailerConfig.defaults())) {
            tailer.toSequence(record);
            return tailer.nextPosition();
        }
    }

    @Test
    void shouldRefuseACursorWhoseRecordsWereTakenAwayByHand() throws IOException {
        slotAfter(5);
        Records.appendUntilRolled(log, 2);
        log.close();
        storage.delete(LogFileName.segment(0));
        assertThatExceptionOfType(RetiredException.class)
                .isThrownBy(this::tailer)
                .withMessageContaining("cursor billing")
                .withMessageContaining("first=" + (LENGTH + 64))
                .withMessageContaining("remove the cursor");
    }

    /** What another way has found is the log's, wherever the caller had been. */
    @ParameterizedTest
    @EnumSource(From.class)
    void shouldStoreWhereItWentAfterAPlaceThatWasClaimed(From from) {
        open();
        Records.append(log, 10);
        log.sync();
        try (Tailer tailer = tailer(from)) {
            tailer.toRecord(64, 1);
            tailer.toStart();
            assertThat(tailer.store()).isEqualTo(64);
            tailer.toRecord(64, 3);
            assertThatIllegalArgumentException().isThrownBy(() -> tailer.toPosition(72));
            assertThatIllegalStateException().as("it is still there").isThrownBy(tailer::store);
        }
    }

    /** A caller who keeps a place himself may have it from before a power cut, or of another log. */
    @ParameterizedTest
    @EnumSource(From.class)
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD) // a sync up to such a place has no end
    void shouldNotStoreAPlaceThatTheLogDoesNotHave(From from) {
        open();
        try (Tailer tailer = tailer(from)) {
            tailer.toRecord(64, 1);
            assertThat(tailer.store()).isEqualTo(64);
            Records.append(log, 10);
            log.sync();
            long end = log.position();
            long second = position(2);
            for (long[] wrong : new long[][] {
                {end + 320, 21}, {end + 8, 11}, {end, 12}, {second, 3}, {second + 8, 2}, {LENGTH + 64, 11}
            }) {
                tailer.toRecord(wrong[0], wrong[1]);
                assertThatIllegalStateException()
                        .isThrownBy(tailer::store)
                        .withMessageContaining("position=" + wrong[0] + ", sequence=" + wrong[1]);
                assertThat(stored().position()).isEqualTo(64);
            }
            for (long[] right : new long[][] {{end, 11}, {second, 2}, {64, 1}, {end, 11}}) {
                tailer.toRecord(right[0], right[1]);
                assertThat(tailer.store()).isEqualTo(right[0]);
                assertThat(stored().position()).isEqualTo(right[0]);
                assertThat(stored().sequence()).isEqualTo(right[1]);
            }
            Records.append(log, 5);
            log.flush();
            assertThat(Records.readOn(tailer, 11)).isEqualTo(16);
            tailer.store();
            assertThat(stored().sequence()).isEqualTo(16);
        }
    }
}

package io.persist.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.cursor.CursorDirectory;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.LogLockedException;
import io.persist.error.RetiredException;
import io.persist.format.CursorSlot;
import io.persist.format.SegmentName;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(
        value = WriterKind.class,
        names = {"MAPPED", "FILE_RW"})
class NamedTailerTest {

    private static final String NAME = "billing";
    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;

    /** How a tailer is opened: in the writer's process, which syncs for it, or as from another one. */
    enum From {
        WRITER,
        OUTSIDE
    }

    @Parameter
    WriterKind kind;

    private CrashableStorage storage = new CrashableStorage();
    private Log log;

    @AfterEach
    void close() {
        if (log != null) {
            DeadLog.end(log);
        }
        assertThat(storage.openHandles()).isZero();
    }

    private LogConfig config() {
        return kind.config().build();
    }

    private void open() {
        log = Log.open(config(), storage);
    }

    private Tailer tailer() {
        return Tailer.open(config(), NAME, storage);
    }

    private Tailer tailer(From from) {
        return from == From.WRITER ? log.tailer(NAME) : tailer();
    }

    private CursorSlot stored() {
        try {
            return new CursorDirectory(storage).read(NAME);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource(From.class)
    void shouldGoOnWhereItStored(From from) {
        open();
        Records.append(log, 10);
        log.flush();
        try (Tailer tailer = tailer(from)) {
            assertThat(tailer.nextPosition()).isEqualTo(64);
            assertThat(tailer.next() && tailer.next() && tailer.next()).isTrue();
            assertThat(tailer.store()).isEqualTo(tailer.nextPosition());
            assertThat(stored().position()).isEqualTo(tailer.nextPosition());
            assertThat(stored().sequence()).isEqualTo(4);
            assertThat(tailer.next()).as("read, but not stored").isTrue();
        }
        log.close();
        open();
        try (Tailer tailer = tailer(from)) {
            assertThat(Records.readOn(tailer, 4)).isEqualTo(11);
            tailer.store();
        }
        try (Tailer tailer = tailer(from)) {
            assertThat(tailer.next()).isFalse();
            Records.append(log, 1);
            log.flush();
            assertThat(Records.readOn(tailer, 11)).isEqualTo(12);
        }
    }

    @Test
    void shouldNotBeMovedByWhatIsReadOnly() {
        open();
        Records.append(log, 5);
        log.flush();
        for (int i = 0; i < 3; i++) {
            try (Tailer tailer = tailer()) {
                assertThat(Records.readOn(tailer, 1)).isEqualTo(6);
            }
        }
    }

    /** The cursor stands, in turn, at every place there is: also before and behind each seal. */
    @ParameterizedTest
    @EnumSource(From.class)
    void shouldGoOnAtEveryPlaceOfTheLog(From from) {
        open();
        long next = 1;
        while (log.position() < 3 * LENGTH) {
            Records.append(log);
            log.flush();
            try (Tailer tailer = tailer(from)) {
                next = Records.readOn(tailer, next);
                tailer.store();
            }
            assertThat(next).isEqualTo(log.lastSequence() + 1);
            if (next % 5 == 0) {
                log.close();
                open();
            }
        }
    }

    @Test
    void shouldGoOnBehindASealBeforeTheNextSegmentHasARecord() throws IOException {
        open();
        Records.appendUntilRolled(log, 1);
        log.close();
        // The same log, as if the roll had just been done: its last segment is the first one, and a prepared one.
        byte[] second = storage.content(SegmentName.of(LENGTH));
        Arrays.fill(second, 64, second.length, (byte) 0);
        storage.replace(SegmentName.of(LENGTH), second);
        storage.delete(SegmentName.CONTROL);
        storage.syncDirectory();
        long next;
        try (Tailer tailer = tailer()) {
            next = Records.readOn(tailer, 1);
            assertThat(tailer.nextPosition()).isEqualTo(LENGTH + 64);
            tailer.store();
        }
        try (Tailer tailer = tailer()) {
            assertThat(tailer.next()).isFalse();
            assertThat(tailer.nextPosition()).isEqualTo(LENGTH + 64);
        }
        for (long base : LogFiles.list(storage).basePositions().tailSet(1L)) {
            storage.delete(SegmentName.of(base));
        }
        storage.syncDirectory();
        try (Tailer tailer = tailer()) {
            assertThat(tailer.next()).as("the next segment is not there yet").isFalse();
            open();
            assertThat(log.lastSequence()).isEqualTo(next - 1);
            Records.append(log, 1);
            log.flush();
            assertThat(Records.readOn(tailer, next)).isEqualTo(next + 1);
        }
    }

    @Test
    void shouldWaitForALogThatIsNotThereYet() {
        try (Tailer tailer = tailer()) {
            assertThat(tailer.next()).isFalse();
            tailer.store();
            assertThat(stored().logId()).isZero();
        }
        try (Tailer tailer = tailer()) {
            open();
            Records.append(log, 3);
            log.flush();
            assertThat(Records.readOn(tailer, 1)).isEqualTo(4);
            tailer.store();
            assertThat(stored().logId()).isNotZero();
        }
        try (Tailer tailer = tailer()) {
            assertThat(tailer.next()).isFalse();
        }
    }

    @Test
    void shouldBeginAtTheOldestRecordThatIsLeft() {
        open();
        Records.appendUntilRolled(log, 3);
        log.retire(log.planRetention(RetentionRule.below(2 * LENGTH)), Retirement.DELETE);
        log.flush();
        try (Tailer tailer = tailer()) {
            assertThat(tailer.nextPosition()).isEqualTo(2 * LENGTH + 64);
            long first = stored().sequence();
            assertThat(first).isGreaterThan(2);
            assertThat(Records.readOn(tailer, first)).isEqualTo(log.lastSequence() + 1);
        }
    }

    @ParameterizedTest
    @EnumSource(From.class)
    void shouldSyncTheRecordsBeforeItWritesTheCursor(From from) {
        open();
        Records.appendUntilRolled(log, 2);
        log.flush();
        try (Tailer tailer = tailer(from)) {
            Records.readOn(tailer, 1);
            List<String> operations = new ArrayList<>();
            Thread thread = Thread.currentThread();
            storage.hook((number, what) -> {
                if (Thread.currentThread() == thread) {
                    operations.add(what);
                }
            });
            tailer.store();
            assertThat(operations).last().isEqualTo("write billing.cursor");
            assertThat(String.join(",", operations)).contains(SegmentName.of(2 * LENGTH));
            CrashableStorage after = storage.crash(new Random(1), CrashableStorage.Loss.ALL_LOST);
            DeadLog.end(log);
            try (Log reopened = Log.open(config(), after);
                    Tailer again = Tailer.open(config(), NAME, after)) {
                assertThat(again.next()).isFalse();
                assertThat(again.nextPosition()).isEqualTo(tailer.nextPosition());
                assertThat(reopened.position()).isEqualTo(tailer.nextPosition());
            }
        }
    }

    @Test
    void shouldAdvanceTheSyncedPositionInTheWritersProcess() {
        open();
        Records.append(log, 3);
        log.flush();
        try (Tailer tailer = log.tailer(NAME)) {
            Records.readOn(tailer, 1);
            if (kind.isMapped()) {
                assertThat(log.syncedPosition()).isLessThan(log.position());
            }
            tailer.store();
            assertThat(log.syncedPosition()).isEqualTo(log.position());
        }
    }

    @ParameterizedTest
    @EnumSource(From.class)
    void shouldNotSyncAgainWhatIsSynced(From from) {
        open();
        Records.appendUntilRolled(log, 2);
        log.sync();
        try (Tailer tailer = tailer(from)) {
            Records.readOn(tailer, 1);
            List<String> operations = new ArrayList<>();
            Thread thread = Thread.currentThread();
            storage.hook((number, what) -> {
                if (Thread.currentThread() == thread) {
                    operations.add(what);
                }
            });
            tailer.store();
            tailer.store();
            storage.hook((number, what) -> {});
            assertThat(operations).containsExactly("write billing.cursor", "write billing.cursor");
        }
    }

    @Test
    void shouldStoreAfterTheWriterHasClosedTheLogAndAnotherOneGoesOn() {
        open();
        Records.append(log, 3);
        Tailer tailer = log.tailer(NAME);
        log.close();
        assertThat(Records.readOn(tailer, 1)).isEqualTo(4);
        tailer.store();
        open();
        Records.append(log, 3);
        log.flush();
        assertThat(Records.readOn(tailer, 4)).isEqualTo(7);
        tailer.store();
        assertThat(stored().sequence()).isEqualTo(7);
        tailer.close();
    }

    @Test
    void shouldGoBackAndForth() {
        open();
        Records.appendUntilRolled(log, 2);
        log.flush();
        try (Tailer tailer = tailer()) {
            long next = Records.readOn(tailer, 1);
            tailer.store();
            tailer.toSequence(7);
            tailer.store();
            assertThat(stored().sequence()).isEqualTo(7);
            tailer.toStart();
            tailer.store();
            assertThat(stored().sequence()).isEqualTo(1);
            tailer.toEnd();
            tailer.store();
            assertThat(stored().sequence()).isEqualTo(next);
            tailer.toSequence(9);
            tailer.next();
            long position = tailer.position();
            tailer.toEnd();
            tailer.toPosition(position);
            tailer.store();
            assertThat(stored().sequence())
                    .as("found out where nothing was read")
                    .isEqualTo(9);
        }
    }

    @Test
    void shouldNotGoBackToWhatIsGone() {
        open();
        Records.appendUntilRolled(log, 3);
        log.flush();
        try (Tailer tailer = tailer()) {
            Records.readOn(tailer, 1);
            tailer.store();
            tailer.toSequence(2);
            log.retire(log.planRetention(RetentionRule.below(LENGTH)), Retirement.DELETE);
            assertThatExceptionOfType(RetiredException.class)
                    .isThrownBy(tailer::store)
                    .withMessageContaining("first=" + (LENGTH + 64));
            assertThat(stored().position()).isGreaterThan(3 * LENGTH);
            tailer.toStart();
            assertThat(tailer.store()).isEqualTo(LENGTH + 64);
        }
    }

    @Test
    void shouldRefuseToStoreWithoutAName() {
        open();
        try (Tailer tailer = log.tailer()) {
            Throwable thrown = catchThrowable(tailer::store);
            assertThat(thrown).isInstanceOf(IllegalStateException.class).hasMessageContaining("has no name");
        }
        Tailer closed = log.tailer(NAME);
        closed.close();
        assertThat(catchThrowable(closed::store)).isInstanceOf(IllegalStateException.class);
        assertThat(catchThrowable(() -> log.tailer("a/b"))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldHaveOneTailerOfEachName() {
        open();
        try (Tailer tailer = tailer();
                Tailer other = Tailer.open(config(), "audit", storage)) {
            assertThat(tailer.nextPosition()).isEqualTo(other.nextPosition());
            for (From from : From.values()) {
                assertThatExceptionOfType(LogLockedException.class)
                        .isThrownBy(() -> tailer(from))
                        .withMessageContaining("cursor is in use: name=billing")
                        .withMessageContaining("pid=" + ProcessHandle.current().pid());
            }
        }
        tailer().close();
    }

    // ---- cursors that are not right

    /** Makes the stored cursor one of a caller's. */
    private void store(CursorSlot slot) {
        ByteBuffer bytes = CursorSlot.allocate();
        slot.encode(bytes);
        byte[] file = new byte[CursorSlot.FILE_LENGTH];
        System.arraycopy(bytes.array(), 0, file, CursorSlot.offset(slot.generation()), CursorSlot.LENGTH);
        storage.replace("billing.cursor", file);
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
        for (long base : LogFiles.list(storage).basePositions()) {
            storage.delete(SegmentName.of(base));
        }
        assertCorrupt(good, "belongs to a log of which no segment is left");
    }

    @Test
    void shouldRefuseACursorWhoseRecordsWereTakenAwayByHand() throws IOException {
        slotAfter(5);
        Records.appendUntilRolled(log, 2);
        log.close();
        storage.delete(SegmentName.of(0));
        assertThatExceptionOfType(RetiredException.class)
                .isThrownBy(this::tailer)
                .withMessageContaining("cursor billing")
                .withMessageContaining("first=" + (LENGTH + 64))
                .withMessageContaining("remove the cursor");
    }

    // ---- failures

    @ParameterizedTest
    @EnumSource(From.class)
    void shouldStoreNothingMoreAfterAFailedSync(From from) {
        open();
        Records.append(log, 3);
        log.flush();
        Tailer tailer = tailer(from);
        Records.readOn(tailer, 1);
        storage.hook((number, what) -> {
            if (what.startsWith("sync 0") || what.startsWith("force 0")) {
                throw new IOException("Input/output error");
            }
        });
        LogIOException first = (LogIOException) catchThrowable(tailer::store);
        assertThat(first).hasMessageContaining("Input/output error");
        storage.hook((number, what) -> {});
        assertThat(catchThrowable(tailer::store)).isSameAs(first);
        assertThat(stored().position()).isEqualTo(64);
        tailer.close();
    }

    @Test
    void shouldStoreNothingMoreAfterAFailedWriteOfTheCursor() {
        open();
        Records.append(log, 3);
        log.sync();
        try (Tailer tailer = tailer()) {
            Records.readOn(tailer, 1);
            storage.hook((number, what) -> {
                if (what.startsWith("write billing")) {
                    throw new IOException("Input/output error");
                }
            });
            Throwable first = catchThrowable(tailer::store);
            assertThat(first).isInstanceOf(LogIOException.class).hasMessageContaining("cursor billing was not stored");
            storage.hook((number, what) -> {});
            assertThat(catchThrowable(tailer::store)).isSameAs(first);
            assertThat(stored().position()).isEqualTo(64);
        }
        try (Tailer tailer = tailer()) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(4);
            tailer.store();
            assertThat(stored().sequence()).isEqualTo(4);
        }
    }

    /** After the writer's failed sync another one succeeds without the data. */
    @Test
    void shouldNotBelieveASyncAfterTheWritersFailed() {
        open();
        Records.append(log, 3);
        log.flush();
        try (Tailer tailer = tailer()) {
            Records.readOn(tailer, 1);
            storage.hook((number, what) -> {
                if (what.startsWith("sync 0") || what.startsWith("force 0")) {
                    throw new IOException("Input/output error");
                }
            });
            assertThat(catchThrowable(log::sync)).isInstanceOf(LogIOException.class);
            storage.hook((number, what) -> {});
            assertThat(catchThrowable(tailer::store))
                    .isInstanceOf(LogIOException.class)
                    .hasMessageContaining("the log's writer met an I/O error");
            assertThat(stored().position()).isEqualTo(64);
        }
        DeadLog.end(log);
        open();
        try (Tailer tailer = tailer()) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(4);
            tailer.store();
            assertThat(stored().sequence()).isEqualTo(4);
        }
    }
}

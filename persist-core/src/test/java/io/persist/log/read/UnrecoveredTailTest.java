package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.control.ControlBlock;
import io.persist.format.control.HolderBlock;
import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
import io.persist.log.control.ControlFile;
import io.persist.log.control.WriterHold;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.visible.Visibility;
import io.persist.support.DeadLog;
import io.persist.support.HolderMark;
import io.persist.support.Interposed;
import io.persist.support.Records;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who reads a log after a power cut, before a writer has recovered it, sees what recovery will keep. */
class UnrecoveredTailTest {

    private static final int RECORDS = 60;

    private final WriterKind kind = WriterKind.MAPPED;

    private Tailer tailer(CrashableStorage storage, ReadMode mode) {
        return Tailer.open(storage, WriterKind.reader().readMode(mode).build());
    }

    /** Of {@value #RECORDS} records the first {@code synced} are that. */
    private CrashableStorage afterPowerCut(Random random, int synced, Loss loss) {
        CrashableStorage storage = new CrashableStorage();
        Log log = Log.open(kind.config().build(), storage);
        Records.append(log, synced);
        log.sync();
        Records.append(log, RECORDS - synced);
        CrashableStorage left = storage.crash(random, loss);
        DeadLog.end(log);
        return left;
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldEndWhereRecoveryWillEndTheLog(ReadMode mode) {
        AtomicInteger torn = new AtomicInteger();
        Seeds.run(60, seed -> {
            Random random = new Random(seed);
            int synced = random.nextInt(RECORDS);
            CrashableStorage left = afterPowerCut(random, synced, Loss.RANDOM);
            try (Tailer tailer = tailer(left, mode)) {
                long last = Records.readOn(tailer, 1) - 1;
                assertThat(last).isGreaterThanOrEqualTo(synced);
                assertThat(tailer.next()).isFalse();
                try (Log log = Log.open(kind.config().build(), left)) {
                    assertThat(log.lastSequence()).isEqualTo(last);
                    torn.addAndGet(log.recovery().cut().bytes() > 0 ? 1 : 0);
                    Records.append(log, 3);
                    log.flush();
                    assertThat(Records.readOn(tailer, last + 1))
                            .as("the same tailer goes on behind the new writer")
                            .isEqualTo(last + 4);
                }
            }
            assertThat(left.openHandles()).isZero();
        });
        assertThat(torn.get() > 0 || Long.getLong("seed") != null)
                .as("there were torn tails")
                .isTrue();
    }

    /** Nothing but the frames behind it tells that it was synced: the power cut took the control file. */
    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldTellOfDamageBeforeASyncedRecord(ReadMode mode) throws IOException {
        for (int spoilt : new int[] {Frame.LENGTH_OFFSET, Frame.HEADER_LENGTH}) {
            CrashableStorage left = afterPowerCut(new Random(1), RECORDS - 1, Loss.ALL_KEPT);
            left.delete(LogFileName.CONTROL);
            byte[] bytes = left.content(LogFileName.segment(0));
            int second = SegmentHeader.LENGTH + Frame.aligned(Frame.HEADER_LENGTH + Records.of(1).length);
            for (int i = 0; i < Integer.BYTES; i++) {
                bytes[second + spoilt + i] = 0;
            }
            left.replace(LogFileName.segment(0), bytes);
            try (Tailer tailer = tailer(left, mode)) {
                for (int i = 0; i < 2; i++) {
                    long next = i + 1; // the first record is read once
                    assertThatExceptionOfType(CorruptLogException.class)
                            .isThrownBy(() -> Records.readOn(tailer, next))
                            .satisfies(damage -> assertThat(damage.position()).isEqualTo(second));
                }
            }
        }
    }

    /** As a volume leaves it that failed while the machine ran on: a part of the control block is older. */
    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldEndWhereALogWasClosedIfItsControlBlockIsTorn(ReadMode mode) {
        for (int offset : new int[] {ControlBlock.VISIBLE_OFFSET, ControlBlock.CLEAN_TAIL_OFFSET}) {
            CrashableStorage storage = new CrashableStorage();
            Log log = Log.open(WriterKind.FILE_RW.config().build(), storage);
            Records.append(log, RECORDS);
            log.close();
            byte[] control = storage.content(LogFileName.CONTROL);
            ByteBuffer.wrap(control).order(ByteOrder.LITTLE_ENDIAN).putLong(offset, SegmentHeader.LENGTH);
            storage.replace(LogFileName.CONTROL, control);
            try (Tailer tailer = tailer(storage, mode)) {
                assertThat(Records.readOn(tailer, 1)).as("offset %d", offset).isEqualTo(RECORDS + 1);
            }
        }
    }

    /**
     * Nobody can tell whether it lives, as in another container. A volume that failed while the machine ran on may have
     * torn the record, and above the synced position the next writer cuts it off.
     */
    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldNotTakeForDamageWhatAWriterThatCannotBeSeenHasLeft(ReadMode mode) throws IOException {
        CrashableStorage storage = new CrashableStorage();
        Log log = Log.open(kind.config().build(), storage);
        Records.append(log, 10);
        log.sync();
        long synced = log.position();
        Records.append(log, 2);
        CrashableStorage left = DeadLog.kill(log, storage);
        HolderMark.hide(left);
        byte[] whole = left.content(LogFileName.segment(0));
        left.replace(LogFileName.segment(0), torn(whole, SegmentHeader.LENGTH));
        try (Tailer tailer = tailer(left, mode)) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .as("a record that was synced")
                    .isThrownBy(tailer::next);
            assertThatExceptionOfType(CorruptLogException.class).isThrownBy(() -> tailer.toSequence(2));
        }
        left.replace(LogFileName.segment(0), torn(whole, (int) synced));
        try (Tailer tailer = tailer(left, mode)) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(11);
            assertThat(tailer.next()).isFalse();
            tailer.toStart();
            tailer.toSequence(11);
            assertThat(tailer.nextPosition()).isEqualTo(synced);
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> tailer.toSequence(12))
                    .withMessageContaining("record is not written yet");
            try (Log next = Log.open(kind.config().build(), left)) {
                assertThat(next.lastSequence()).isEqualTo(10);
                Records.append(next, 3);
                next.flush();
                assertThat(Records.readOn(tailer, 11)).isEqualTo(14);
            }
        }
    }

    /** The segment with another checksum in the frame at {@code offset}. */
    private static byte[] torn(byte[] segment, int offset) {
        byte[] bytes = segment.clone();
        bytes[offset + Frame.CHECKSUM_OFFSET] ^= 1;
        return bytes;
    }

    /** The writer makes a new control block then, of which the reader that has the old one has to hear. */
    @Test
    void shouldFollowAWriterThatBeginsALogWithoutSegments() throws IOException {
        CrashableStorage left = afterPowerCut(new Random(1), 10, Loss.ALL_LOST);
        for (String name : left.list()) {
            if (LogFileName.basePosition(name).isPresent()) {
                left.delete(name);
            }
        }
        try (Tailer tailer = tailer(left, ReadMode.FILE);
                Log log = Log.open(WriterKind.FILE_RW.config().build(), left)) {
            assertThat(tailer.next()).isFalse();
            AtomicInteger operations = new AtomicInteger();
            Thread reader = Thread.currentThread(); // the filler makes segments meanwhile
            for (int last = 1; last <= 5; last++) {
                Records.append(log, 1);
                log.flush();
                left.hook((number, what) -> operations.addAndGet(Thread.currentThread() == reader ? 1 : 0));
                assertThat(Records.readOn(tailer, last)).isEqualTo(last + 1);
                left.hook((number, what) -> {});
            }
            assertThat(operations).as("looks at a log that is being written").hasValue(0);
        }
        assertThat(left.openHandles()).isZero();
    }

    /** It looks first while a writer recovers the log, and then when that one has died: both times in one epoch. */
    @Test
    void shouldLookForTheEndAgainAfterAnotherLife() throws IOException {
        CrashableStorage storage = new CrashableStorage();
        Log first = Log.open(kind.config().build(), storage);
        Records.append(first, 10);
        CrashableStorage left = DeadLog.kill(first, storage);
        try (Visibility visibility = new Visibility(left, ReadScope.PUBLISHED)) {
            long endOfFirst;
            try (WriterHold recovering = WriterHold.takeMarked(left, "")) {
                endOfFirst = visibility.limit();
                recovering.unmark();
            }
            Log second = Log.open(kind.config().build(), left);
            assertThat(second.position()).isEqualTo(endOfFirst);
            Records.append(second, 20);
            second.flush();
            assertThat(visibility.limit()).isGreaterThanOrEqualTo(second.position());
            try (ControlFile control = ControlFile.open(left, Storage.Access.WRITE)) {
                control.block().holder().holder(HolderBlock.Holder.NONE);
            }
            visibility.control().lookAtWriter();
            assertThat(visibility.isUnrecovered()).isTrue();
            assertThat(visibility.limit()).isEqualTo(second.position());
            second.close();
        }
        assertThat(left.openHandles()).isZero();
    }

    /** As a file system leaves it that has kept a later name of those that were not synced. */
    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldEndAtAMissingSegmentBehindWhichNothingWasSynced(ReadMode mode) throws IOException {
        CrashableStorage storage = new CrashableStorage();
        Log log = kind.openWithRolls(storage, 1);
        CrashableStorage left = DeadLog.kill(log, storage);
        left.delete(LogFileName.segment(WriterKind.SEGMENT_LENGTH));
        assertThat(left.list()).contains(LogFileName.segment(2 * WriterKind.SEGMENT_LENGTH));
        try (Tailer tailer = tailer(left, mode)) {
            long last = Records.readOn(tailer, 1) - 1;
            assertThat(tailer.next()).isFalse();
            try (Log next = Log.open(kind.config().build(), left)) {
                assertThat(next.lastSequence()).isEqualTo(last);
                Records.append(next, 3);
                assertThat(Records.readOn(tailer, last + 1)).isEqualTo(last + 4);
            }
        }
    }

    /** It was there when the record behind it was synced, as that tells. */
    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldTellOfAMissingSegmentBehindWhichSomethingWasSynced(ReadMode mode) throws IOException {
        CrashableStorage storage = new CrashableStorage();
        Log log = kind.openWithRolls(storage, 1);
        log.sync();
        Records.appendUntilRolled(log, 1);
        Records.append(log, 1);
        CrashableStorage left = DeadLog.kill(log, storage);
        left.delete(LogFileName.CONTROL);
        left.delete(LogFileName.segment(WriterKind.SEGMENT_LENGTH));
        try (Tailer tailer = tailer(left, mode)) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> Records.readOn(tailer, 1))
                    .withMessageContaining("missing")
                    .satisfies(damage -> assertThat(damage.position()).isEqualTo(WriterKind.SEGMENT_LENGTH));
        }
    }

    /** It has raised the epoch and not named itself yet. Else the reader would see nothing new until its next look. */
    @Test
    void shouldNotTakeAWriterForDeadThatIsJustBeginning() throws IOException {
        CrashableStorage storage = new CrashableStorage();
        try (Log log = Log.open(kind.config().build(), storage);
                ControlFile control = ControlFile.open(storage, Storage.Access.WRITE);
                Visibility visibility = new Visibility(storage, ReadScope.PUBLISHED)) {
            HolderBlock holder = control.block().holder();
            HolderBlock.Holder self = holder.holder();
            holder.holder(HolderBlock.Holder.NONE);
            control.block().openedEpoch(holder.epoch() - 1);
            visibility.control().lookAtWriter();
            assertThat(visibility.isUnrecovered()).isTrue();
            holder.holder(self);
            control.block().openedEpoch(holder.epoch());
            assertThat(visibility.isUnrecovered()).isFalse();
            assertThat(visibility.limit()).isGreaterThan(log.position());
        }
    }

    /** The next writer has segments of another length, and makes those anew that were prepared ahead. */
    @Test
    void shouldFindANumberThoughAWriterTakesAwayWhatWasPreparedAhead() {
        CrashableStorage storage = new CrashableStorage();
        Log log = kind.openWithRolls(storage, 3);
        CrashableStorage left = DeadLog.kill(log, storage);
        AtomicReference<Log> next = new AtomicReference<>();
        AtomicBoolean isDue = new AtomicBoolean();
        Storage seen = Interposed.after(Storage.class, left, (call, arguments, result) -> {
            if (call.equals("list") && isDue.getAndSet(false)) {
                int length = 4 * WriterKind.SEGMENT_LENGTH;
                next.set(Log.open(kind.config().segmentLength(length).build(), left));
            }
            return result;
        });
        try (Tailer tailer = Tailer.open(seen, WriterKind.reader().build())) {
            long last = Records.readOn(tailer, 1) - 1;
            isDue.set(true);
            tailer.toSequence(last);
            assertThat(Records.readOn(tailer, last)).isEqualTo(last + 1);
        } finally {
            next.get().close();
        }
        assertThat(left.openHandles()).isZero();
    }

    /** Its name is there again when the reader looks why it was not. */
    @Test
    void shouldFindANumberThoughASegmentIsMadeAnewMeanwhile() {
        CrashableStorage left = afterPowerCut(new Random(1), RECORDS, Loss.ALL_KEPT);
        AtomicBoolean isDue = new AtomicBoolean();
        Storage seen = Interposed.after(Storage.class, left, (call, arguments, result) -> {
            if (call.equals("open") && isDue.getAndSet(false)) {
                ((StorageFile) result).close();
                throw new FileNotFoundException("no such file: " + arguments[0]);
            }
            return result;
        });
        try (Tailer tailer = Tailer.open(seen, WriterKind.reader().build())) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(RECORDS + 1);
            isDue.set(true);
            tailer.toSequence(RECORDS);
            assertThat(isDue).isFalse();
            assertThat(Records.readOn(tailer, RECORDS)).isEqualTo(RECORDS + 1);
        }
        assertThat(left.openHandles()).isZero();
    }

    @Test
    void shouldLookForTheEndOnce() {
        CrashableStorage left = afterPowerCut(new Random(1), 10, Loss.ALL_LOST);
        try (Tailer tailer = tailer(left, ReadMode.MAPPED)) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(11);
            AtomicInteger operations = new AtomicInteger();
            left.hook((number, what) -> operations.incrementAndGet());
            assertThat(tailer.next()).isFalse();
            assertThat(operations).hasValue(0);
            left.hook((number, what) -> {});
        }
    }
}

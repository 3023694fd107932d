package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.CorruptLogException;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.ReadMode;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where a synced record was and nothing is, a log does not end; and a segment of another log is none of this one. */
class TailerDamageTest {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;

    private final CrashableStorage storage = new CrashableStorage();
    private long lastPosition;
    private long last;

    private void write() {
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), storage)) {
            Records.appendUntilRolled(log, 3);
            Records.append(log, 5);
            lastPosition = log.position();
            last = log.lastSequence();
        }
    }

    private Tailer tailer(ReadMode mode) {
        return Tailer.open(storage, WriterKind.reader().readMode(mode).build());
    }

    private void zeroLength(long position) {
        String name = LogFileName.segment(position / LENGTH * LENGTH);
        byte[] bytes = storage.content(name);
        int at = (int) (position % LENGTH);
        Arrays.fill(bytes, at, at + Integer.BYTES, (byte) 0);
        storage.replace(name, bytes);
    }

    private void assertDamaged(ReadMode mode, long position) {
        try (Tailer tailer = tailer(mode)) {
            for (int i = 0; i < 2; i++) {
                long next = i == 0 ? 1 : tailer.sequence() + 1;
                assertThatExceptionOfType(CorruptLogException.class)
                        .isThrownBy(() -> Records.readOn(tailer, next))
                        .satisfies(damage -> assertThat(damage.position()).isEqualTo(position))
                        .satisfies(damage ->
                                assertThat(damage.file()).isEqualTo(LogFileName.segment(position / LENGTH * LENGTH)));
            }
            assertThat(tailer.nextPosition()).isEqualTo(position);
        }
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldTellOfASyncedRecordWhoseLengthIsZero(ReadMode mode) {
        write();
        byte[] whole = storage.content(LogFileName.segment(LENGTH));
        try (Tailer tailer = tailer(mode)) {
            do {
                assertThat(tailer.next()).isTrue();
            } while (tailer.position() < LENGTH);
            long second = tailer.nextPosition();
            zeroLength(second);
            assertDamaged(mode, second);
        }
        storage.replace(LogFileName.segment(LENGTH), whole);
        zeroLength(2L * LENGTH - Frame.SEAL_LENGTH - offsetOfSealFromTheUsualPlace(whole));
        try (Tailer tailer = tailer(mode)) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> Records.readOn(tailer, 1))
                    .satisfies(damage -> assertThat(damage.file()).isEqualTo(LogFileName.segment(LENGTH)));
        }
    }

    /** A seal follows the last record at once, so it is seldom at the very end. */
    private static int offsetOfSealFromTheUsualPlace(byte[] segment) {
        int end = segment.length;
        while (segment[end - 1] == 0) {
            end--;
        }
        return segment.length - Frame.aligned(end);
    }

    @Test
    void shouldTellThatTheLastSegmentIsMissing() throws IOException {
        write();
        long base = lastPosition / LENGTH * LENGTH;
        for (String name : storage.list()) {
            if (LogFileName.basePosition(name).orElse(0) >= base) {
                storage.delete(name);
            }
        }
        try (Tailer tailer = tailer(ReadMode.MAPPED)) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> Records.readOn(tailer, 1))
                    .withMessageContaining("missing")
                    .satisfies(damage -> assertThat(damage.file()).isEqualTo(LogFileName.segment(base)));
        }
    }

    /** What begins a segment is the index of the log: without it the records behind are found all the same. */
    @ParameterizedTest
    @EnumSource(Harm.class)
    void shouldFindEveryOtherRecordThoughTheBeginOfASegmentIsDamaged(Harm harm) {
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), storage)) {
            Records.appendUntilRolled(log, 7);
            Records.append(log, 5);
            lastPosition = log.position();
            last = log.lastSequence();
        }
        for (long base = 0; base < lastPosition; base += LENGTH) {
            String name = LogFileName.segment(base);
            byte[] whole = storage.content(name);
            long first = Frame.sequence(wrap(whole), SegmentHeader.LENGTH);
            long next = base + LENGTH < lastPosition
                    ? Frame.sequence(wrap(storage.content(LogFileName.segment(base + LENGTH))), SegmentHeader.LENGTH)
                    : last + 1;
            byte[] harmed = whole.clone();
            harm.does(harmed);
            storage.replace(name, harmed);
            for (long sequence = 1; sequence <= last; sequence++) {
                String found = find(sequence);
                if (sequence < first || sequence >= next) {
                    assertThat(found).as("sequence %d, %s", sequence, name).isEqualTo("found");
                } else if (harm != Harm.FLIPPED || sequence == first) {
                    assertThat(found).as("sequence %d, %s", sequence, name).isEqualTo(name);
                } else {
                    assertThat(found).as("sequence %d, %s", sequence, name).isIn(name, "found");
                }
            }
            storage.replace(name, whole);
        }
    }

    private static ByteBuffer wrap(byte[] segment) {
        return ByteBuffer.allocateDirect(segment.length).put(segment).flip().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** What becomes of a search for the record: it is read, or a file is damaged. */
    private String find(long sequence) {
        try (Tailer tailer = tailer(ReadMode.MAPPED)) {
            tailer.toSequence(sequence);
            assertThat(tailer.next()).isTrue();
            Records.check(tailer.sequence(), tailer.payload(), sequence);
            return "found";
        } catch (CorruptLogException e) {
            return e.file();
        }
    }

    private enum Harm {
        FLIPPED(SegmentHeader.LENGTH + Frame.HEADER_LENGTH, 1),
        ZEROED(SegmentHeader.LENGTH, Frame.HEADER_LENGTH),
        HEADERLESS(0, SegmentHeader.LENGTH);

        private final int from;
        private final int length;

        Harm(int from, int length) {
            this.from = from;
            this.length = length;
        }

        void does(byte[] segment) {
            for (int i = from; i < from + length; i++) {
                segment[i] = (byte) (this == FLIPPED ? segment[i] ^ 1 : 0);
            }
        }
    }

    /** What was never synced may be gone after a power cut. */
    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldTakeItForTheEndIfItWasNotSynced(ReadMode mode) {
        Log log = Log.open(WriterKind.MAPPED.config().build(), storage);
        Records.append(log, 5);
        log.sync();
        long synced = log.position();
        Records.append(log, 5);
        CrashableStorage killed = storage.afterKill();
        DeadLog.end(log);
        byte[] bytes = killed.content(LogFileName.segment(0));
        Arrays.fill(bytes, (int) synced, (int) synced + Integer.BYTES, (byte) 0);
        killed.replace(LogFileName.segment(0), bytes);
        try (Tailer tailer =
                Tailer.open(killed, WriterKind.reader().readMode(mode).build())) {
            assertThat(Records.readAll(tailer)).isEqualTo(5);
            assertThat(tailer.next()).isFalse();
        }
    }

    /** Its records are whole and go on where those before them end, and nothing is read but it. */
    @Test
    void shouldNotAppendToASegmentOfAnotherLog() {
        write();
        CrashableStorage other = new CrashableStorage();
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), other)) {
            Records.append(log, (int) last);
        }
        String name = LogFileName.segment(lastPosition / LENGTH * LENGTH);
        storage.replace(name, other.content(name));
        CrashableStorage afterCut = storage.crash(new Random(1), Loss.ALL_KEPT);
        for (String without : new String[] {"", LogFileName.CONTROL}) {
            if (afterCut.list().contains(without)) {
                afterCut.replace(without, new byte[0]);
            }
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> Log.open(WriterKind.MAPPED.config().build(), afterCut))
                    .withMessageContaining("another log")
                    .satisfies(damage -> assertThat(damage.file()).isEqualTo(name));
        }
    }

    /** By itself it is as good as any; but this log is open, and has another identity. */
    @Test
    void shouldNotReadAFirstSegmentOfAnotherLogInTheWritersProcess() {
        write();
        CrashableStorage other = new CrashableStorage();
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), other)) {
            Records.append(log, (int) last);
        }
        storage.replace(LogFileName.segment(0), other.content(LogFileName.segment(0)));
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), storage);
                Tailer tailer = log.tailer()) {
            for (int i = 0; i < 2; i++) {
                assertThatExceptionOfType(CorruptLogException.class)
                        .isThrownBy(tailer::next)
                        .withMessageContaining("another log")
                        .satisfies(damage -> assertThat(damage.file()).isEqualTo(LogFileName.segment(0)));
            }
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> log.tailer("named").next());
        }
    }

    /** Its records have the numbers that are due, and a tailer that begins there has read no other segment. */
    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldNotReadASegmentOfAnotherLogWhereverItBegins(ReadMode mode) {
        write();
        CrashableStorage other = new CrashableStorage();
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), other)) {
            Records.append(log, (int) last);
        }
        String name = LogFileName.segment(LENGTH);
        storage.replace(name, other.content(name));
        ByteBuffer segment = wrap(other.content(name));
        long first = Frame.sequence(segment, SegmentHeader.LENGTH);
        long inside = LENGTH + SegmentHeader.LENGTH + Frame.aligned(Frame.length(segment, SegmentHeader.LENGTH));
        assertThatNoneIsRead(mode, name, tailer -> tailer.toSequence(first + 1));
        assertThatNoneIsRead(mode, name, tailer -> tailer.toPosition(inside));
        assertThatNoneIsRead(mode, name, tailer -> tailer.toRecord(inside, first + 1));
        assertThat(find(first - 1)).isEqualTo("found");
        assertThat(find(last)).isEqualTo("found");
    }

    private void assertThatNoneIsRead(ReadMode mode, String name, Consumer<Tailer> way) {
        try (Tailer tailer = tailer(mode)) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> {
                        way.accept(tailer);
                        tailer.next();
                    })
                    .withMessageContaining("another log")
                    .satisfies(damage -> assertThat(damage.file()).isEqualTo(name));
        }
    }
}

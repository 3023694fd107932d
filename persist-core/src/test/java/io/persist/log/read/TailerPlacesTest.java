package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.error.CorruptLogException;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.support.Await;
import io.persist.support.Records;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The places where a tailer may be told to go on, by position or by number, and those where no record begins. */
@ParameterizedClass
@MethodSource("io.persist.log.read.TailedLog#modes")
class TailerPlacesTest extends TailedLogFixture {

    private LogConfig config(Path directory, int segmentLength) {
        return TailedLog.config(writeMode, directory, segmentLength);
    }

    @Test
    void shouldReadFromTheStart() {
        openWith(300);
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(301);
            assertThat(tailer.next()).isFalse();
            tailer.toStart();
            assertThat(Records.readOn(tailer, 1)).isEqualTo(301);
        }
    }

    @Test
    void shouldWaitBehindTheEnd() {
        openWith(300);
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            tailer.toEnd();
            assertThat(tailer.nextPosition()).isEqualTo(log.position());
            assertThat(tailer.next()).isFalse();
            Records.append(log, 20);
            log.flush();
            assertThat(Records.readOn(tailer, 301)).isEqualTo(321);
            tailer.toEnd();
            assertThat(tailer.next()).isFalse();
        }
    }

    @Test
    void shouldGoToTheEndOfAnEmptyLog() {
        open();
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            tailer.toEnd();
            assertThat(tailer.next()).isFalse();
            tailer.toPosition(log.position());
            tailer.toSequence(1);
            assertThatIllegalArgumentException().isThrownBy(() -> tailer.toSequence(2));
            assertThatIllegalArgumentException().isThrownBy(() -> tailer.toPosition(log.lastPosition()));
            Records.append(log, 1);
            log.flush();
            tailer.toSequence(1);
            assertThat(Records.readOn(tailer, 1)).isEqualTo(2);
        }
    }

    @Test
    void shouldGoToThePositionOfEveryRecord() {
        openWith(300);
        List<Long> positions = new ArrayList<>();
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            while (tailer.next()) {
                positions.add(tailer.position());
            }
            for (int i = positions.size() - 1; i >= 0; i--) {
                tailer.toPosition(positions.get(i));
                assertThat(tailer.next()).isTrue();
                assertThat(tailer.position()).isEqualTo(positions.get(i));
                Records.check(tailer.sequence(), tailer.payload(), i + 1);
            }
            tailer.toPosition(log.lastPosition());
            assertThat(Records.readOn(tailer, 300)).isEqualTo(301);
            tailer.toPosition(log.position());
            assertThat(tailer.next()).isFalse();
            Records.append(log, 1);
            log.flush();
            assertThat(Records.readOn(tailer, 301)).isEqualTo(302);
        }
    }

    @Test
    void shouldGoToTheReturnedPositionOfEveryAppend() {
        open();
        List<Long> ends = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ends.add(Records.append(log));
        }
        log.flush();
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            for (int i = 0; i < 200; i++) {
                tailer.toPosition(ends.get(i));
                assertThat(tailer.next()).isEqualTo(i < 199);
                if (i < 199) {
                    Records.check(tailer.sequence(), tailer.payload(), i + 2);
                }
            }
        }
    }

    @Test
    void shouldRefusePositionsWhereNoRecordBegins() {
        openWith(100);
        long last = log.lastPosition();
        long end = log.position();
        long prepared = Math.floorDiv(end, 4096) * 4096 + 4096;
        Await.until("the next segments are prepared", () -> storage.list().size() > prepared / 4096 + 2 + 1);
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            for (long position : new long[] {
                Long.MIN_VALUE,
                -1,
                0,
                1,
                SegmentHeader.LENGTH - 8,
                SegmentHeader.LENGTH + 8,
                4096,
                4096 + 8,
                last - 1,
                last + 1,
                last + 4,
                end - 1,
                end + 8,
                end + 500,
                prepared,
                prepared + SegmentHeader.LENGTH,
                prepared + SegmentHeader.LENGTH + 8,
                prepared + 4096 + SegmentHeader.LENGTH,
                end + (1L << 40),
                Long.MAX_VALUE
            }) {
                assertThatIllegalArgumentException()
                        .as("position " + position + ", end " + end)
                        .isThrownBy(() -> tailer.toPosition(position))
                        .withMessage("no record begins here: position=" + position
                                + "; give one that this log's append or tailer has told, or if a power cut has taken its"
                                + " record back, go on from the end or the start");
                assertThat(Records.readAll(tailer)).isEqualTo(100);
            }
        }
    }

    @Test
    void shouldStayOnItsRecordIfItCannotGoToAPosition() {
        openWith(100);
        long base = 2 * 4096;
        byte[] bytes = storage.content(LogFileName.segment(base));
        bytes[SegmentHeader.LENGTH + Frame.HEADER_LENGTH] ^= 1;
        storage.replace(LogFileName.segment(base), bytes);
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            tailer.toSequence(5);
            assertThat(tailer.next()).isTrue();
            assertThatIllegalArgumentException().isThrownBy(() -> tailer.toPosition(tailer.nextPosition() + 8));
            Records.check(tailer.sequence(), tailer.payload(), 5);
            assertThatExceptionOfType(CorruptLogException.class).isThrownBy(() -> tailer.toPosition(base + 1024 + 1));
            Records.check(tailer.sequence(), tailer.payload(), 5);
            assertThat(tailer.next()).isTrue();
            Records.check(tailer.sequence(), tailer.payload(), 6);
        }
    }

    @Test
    void shouldNotTakeABogusFrameWithinARecordForARecord() {
        open();
        Records.append(log, 1);
        log.flush();
        byte[] segment = storage.content("00000000000000000000.log");
        byte[] frame = new byte[400];
        System.arraycopy(segment, SegmentHeader.LENGTH, frame, 0, 300);
        log.append(frame, 0, frame.length);
        log.flush();
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            assertThatIllegalArgumentException().isThrownBy(() -> tailer.toPosition(log.lastPosition() + 24));
        }
    }

    @Test
    void shouldGoToEverySequenceNumber() {
        openWith(400);
        assertThat(log.statistics().rolls()).isGreaterThan(5);
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            for (long sequence = 1; sequence <= 400; sequence++) {
                tailer.toSequence(sequence);
                assertThat(tailer.next()).isTrue();
                Records.check(tailer.sequence(), tailer.payload(), sequence);
            }
            tailer.toSequence(401);
            assertThat(tailer.next()).isFalse();
            Records.append(log, 1);
            log.flush();
            assertThat(Records.readOn(tailer, 401)).isEqualTo(402);
        }
    }

    @Test
    void shouldFindNumbersInALongSegmentOfRecordsOfEveryLength() {
        log = Log.open(config(Path.of("memory"), 1 << 20), storage);
        for (int i = 1; i <= 2000; i++) {
            byte[] record = Records.of(i, (int) Math.abs(i * 7919L % 1500));
            log.append(record, 0, record.length);
        }
        log.flush();
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            for (int sequence = 1; sequence <= 2000; sequence += 13) {
                tailer.toSequence(sequence);
                assertThat(tailer.next()).isTrue();
                assertThat(tailer.sequence()).isEqualTo(sequence);
            }
        }
    }

    @Test
    void shouldRefuseNumbersThatDoNotExist() {
        openWith(100);
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            tailer.next();
            for (long sequence : new long[] {0, -1, Long.MIN_VALUE}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> tailer.toSequence(sequence))
                        .withMessage("sequence=" + sequence + ", min=1");
            }
            for (long sequence : new long[] {102, 1000, Long.MAX_VALUE}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> tailer.toSequence(sequence))
                        .withMessage("record is not written yet: sequence=" + sequence + ", last=100");
            }
            assertThat(Records.readOn(tailer, 2))
                    .as("the tailer stays where it was")
                    .isEqualTo(101);
        }
    }

    @Test
    void shouldRefusePositionsWhereNoRecordCanBegin() {
        openWith(100);
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            assertThat(tailer.next()).isTrue();
            for (long position : new long[] {
                Long.MIN_VALUE,
                -8,
                0,
                SegmentHeader.LENGTH - 8,
                SegmentHeader.LENGTH + 3,
                4096 + 8,
                3_000_000_000L,
                (1L << 32) + SegmentHeader.LENGTH,
                Long.MAX_VALUE - 7
            }) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> tailer.toRecord(position, 1))
                        .withMessage("no record can begin here: position=" + position);
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tailer.toRecord(SegmentHeader.LENGTH, 0))
                    .withMessage("sequence=0, min=1");
            assertThat(Records.readOn(tailer, 2))
                    .as("the tailer stays where it was")
                    .isEqualTo(101);
        }
    }

    @Test
    void shouldGoWhereTheCallerKnowsARecord() {
        try (Tailer early = Tailer.open(storage, TailedLog.reader(readMode))) {
            early.toRecord(SegmentHeader.LENGTH, 1);
            assertThat(early.next()).as("there is no log yet").isFalse();
            openWith(100);
            assertThat(early.next()).isTrue();
            do {
                long position = early.position();
                long number = early.sequence();
                try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
                    tailer.toRecord(position, number);
                    assertThat(tailer.next()).isTrue();
                    Records.check(tailer.sequence(), tailer.payload(), number);
                    tailer.toRecord(position, number + 1);
                    assertThatExceptionOfType(CorruptLogException.class).isThrownBy(tailer::next);
                }
            } while (early.next());
        }
    }

    /** After a crash the log may be shorter than the reader remembers. */
    @Test
    void shouldGoToTheEndFromWhereTheLogHasNoRecord() {
        openWith(10);
        long end = log.position();
        try (Tailer tailer = log.tailer(TailedLog.reader(readMode))) {
            for (long position = end - 200 & -Frame.ALIGNMENT; position < end + 400; position += Frame.ALIGNMENT) {
                tailer.toRecord(position, 15);
                tailer.toEnd();
                assertThat(tailer.nextPosition()).isEqualTo(end);
            }
            Records.append(log, 5);
            log.flush();
            assertThat(Records.readOn(tailer, 11)).isEqualTo(16);
        }
    }
}

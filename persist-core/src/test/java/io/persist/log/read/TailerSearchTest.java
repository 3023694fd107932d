package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.LogFileName;
import io.persist.log.ReadScope;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A tailer goes to the last records, and to the first one that matches; each record begins with a time. */
@ParameterizedClass
@MethodSource("io.persist.log.read.TailedLog#modes")
class TailerSearchTest extends TailedLogFixture {

    private static final int SEGMENT_LENGTH = 4096;

    /** A record as a walk from the start finds it. */
    private record Seen(long number, long time) {}

    private void append(long time, int length) {
        log.append(ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN).putLong(0, time));
    }

    /** Records of the times 1, 2 and so on. */
    private void append(int count) {
        for (int i = 0; i < count; i++) {
            append(log.lastSequence() + 1, 40);
        }
        log.flush();
    }

    private TailerConfig reader(ReadScope scope) {
        return TailerConfig.builder()
                .readBufferLength(700)
                .readMode(readMode)
                .readScope(scope)
                .build();
    }

    /** As another process has it: the writer does not know of it. */
    private Tailer tailer() {
        return Tailer.open(storage, reader(ReadScope.PUBLISHED));
    }

    private static Predicate<ByteBuffer> from(long time) {
        return payload -> time(payload) >= time;
    }

    private static long time(ByteBuffer payload) {
        return payload.getLong(payload.position());
    }

    /** The number of the next record, 0 if there is none. */
    private static long next(Tailer tailer) {
        return tailer.next() ? tailer.sequence() : 0;
    }

    private void retireBelow(long position) {
        log.retire(log.planRetention(RetentionRule.below(position)), Retirement.DELETE);
    }

    @Test
    void shouldFindWhatAWalkFinds() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        open();
        long time = 0;
        for (int round = 0; round < 12; round++) {
            for (int i = random.nextInt(60); i > 0; i--) {
                time += random.nextInt(3);
                append(time, 8 + random.nextInt(random.nextInt(4) == 0 ? 1500 : 60));
            }
            log.flush();
            takeAway(random);
            ReadScope scope = ReadScope.values()[random.nextInt(ReadScope.values().length)];
            if (scope == ReadScope.SYNCED) {
                time = hideSome(time, random);
            }
            try (Tailer tailer = Tailer.open(storage, reader(scope))) {
                List<Seen> walked = walk(tailer);
                for (int i = 0; i < 6; i++) {
                    check(tailer, walked, random.nextLong(time + 2), random.nextInt(walked.size() + 3), seed);
                }
            }
        }
    }

    /**
     * The last records are not synced, and stay so, in the segment that is not sealed: sealed ones are synced
     * in the background, while a tailer is walking.
     */
    private long hideSome(long time, Random random) {
        log.sync();
        long later = time;
        if (SEGMENT_LENGTH - log.position() % SEGMENT_LENGTH > SEGMENT_LENGTH / 4) {
            for (int i = 0; i < 5; i++) {
                later += random.nextInt(3);
                append(later, 8 + random.nextInt(60));
            }
            log.flush();
        }
        return later;
    }

    /** Sometimes the first segments are retired, or one in the middle is vacated. */
    private void takeAway(Random random) {
        long below = log.position() - SEGMENT_LENGTH;
        if (random.nextBoolean() || below < 2 * SEGMENT_LENGTH) {
            return;
        }
        log.sync();
        if (random.nextInt(3) == 0) {
            retireBelow(random.nextLong(below));
        } else {
            long base = random.nextLong(below) / SEGMENT_LENGTH * SEGMENT_LENGTH;
            if (storage.list().contains(LogFileName.segment(base))) {
                log.vacate(base);
            }
        }
    }

    private static List<Seen> walk(Tailer tailer) {
        List<Seen> walked = new ArrayList<>();
        while (tailer.next()) {
            walked.add(new Seen(tailer.sequence(), time(tailer.payload())));
        }
        return walked;
    }

    private static void check(Tailer tailer, List<Seen> walked, long time, int count, long seed) {
        String how = "seed " + seed + ", time " + time + ", count " + count + " of " + walked;
        tailer.toFirst(from(time));
        assertThat(walk(tailer)).as(how).isEqualTo(behind(walked, seen -> seen.time() >= time));
        tailer.toLast(count);
        long last = walked.isEmpty() ? 0 : walked.get(walked.size() - 1).number();
        assertThat(walk(tailer)).as(how).isEqualTo(behind(walked, seen -> seen.number() > last - count));
    }

    private static List<Seen> behind(List<Seen> walked, Predicate<Seen> matches) {
        return walked.stream().filter(matches).toList();
    }

    @Test
    void shouldStayAtTheStartOfAnEmptyLog() {
        try (Tailer tailer = tailer()) {
            tailer.toLast(3);
            tailer.toFirst(from(1));
            open();
            tailer.toLast(0);
            tailer.toFirst(from(1));
            append(2);
            assertThat(next(tailer)).isOne();
            tailer.toLast(1);
            assertThat(next(tailer)).isEqualTo(2);
        }
    }

    @Test
    void shouldGoToTheStartIfTheLogHasFewer() {
        open();
        append(400);
        retireBelow(3 * SEGMENT_LENGTH);
        try (Tailer tailer = tailer()) {
            long first = next(tailer);
            tailer.toLast(Long.MAX_VALUE);
            assertThat(next(tailer)).isEqualTo(first).isGreaterThan(1);
            tailer.toLast(399);
            assertThat(next(tailer)).isEqualTo(first);
            tailer.toFirst(from(2));
            assertThat(next(tailer)).isEqualTo(first);
        }
    }

    @Test
    void shouldStayWhereItIsIfItCannotGo() {
        open();
        append(100);
        try (Tailer tailer = tailer()) {
            assertThat(next(tailer)).isOne();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tailer.toLast(-1))
                    .withMessage("count=-1, min=0");
            assertThatIllegalStateException()
                    .isThrownBy(() -> tailer.toFirst(payload -> {
                        throw new IllegalStateException("cannot decode");
                    }));
            assertThat(next(tailer)).isEqualTo(2);
        }
    }

    /** A log may have messages of several kinds. */
    @Test
    void shouldNameTheRecordThatTheConditionHasReadBeyond() {
        open();
        append(100);
        log.append(new byte[3], 0, 3);
        log.flush();
        long position = log.lastPosition();
        List<Predicate<ByteBuffer>> conditions =
                List.of(payload -> payload.getLong() < 0, payload -> time(payload) < 0);
        try (Tailer tailer = tailer()) {
            assertThat(next(tailer)).isOne();
            for (Predicate<ByteBuffer> condition : conditions) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> tailer.toFirst(condition))
                        .withMessageContaining("position=" + position + ", sequence=101, length=3;")
                        .withCauseInstanceOf(RuntimeException.class);
            }
            assertThat(next(tailer)).isEqualTo(2);
        }
    }

    @Test
    void shouldThrowIfWhatItLooksAtIsDamaged() throws IOException {
        open();
        append(400);
        long base = 2 * SEGMENT_LENGTH;
        try (Tailer tailer = tailer();
                StorageFile file = storage.open(LogFileName.segment(base), Storage.Access.WRITE)) {
            file.write(96, new byte[] {1}, 0, 1, WriteThrough.NONE); // in its first record
            assertThatExceptionOfType(CorruptLogException.class).isThrownBy(() -> tailer.toFirst(from(120)));
            assertThat(next(tailer)).isOne();
        }
    }

    @Test
    void shouldFindTheFirstThatIsLeftWhileRecordsAreRetired() {
        open();
        append(600);
        long end = log.position();
        try (Tailer tailer = tailer()) {
            long[] asked = {0};
            tailer.toFirst(payload -> {
                asked[0]++;
                if (asked[0] % 4 == 0 && asked[0] < 20) {
                    retireBelow(end * asked[0] / 25); // in the middle of the search
                }
                return time(payload) >= 20;
            });
            long found = next(tailer);
            tailer.toStart();
            assertThat(found).isEqualTo(next(tailer)).isGreaterThan(20);
        }
    }

    @Test
    void shouldFindTheRecordWhoseSegmentIsRetiredJustThen() {
        open();
        append(600);
        long end = log.position();
        try (Tailer tailer = tailer()) {
            boolean[] isRetired = {false};
            tailer.toFirst(payload -> {
                long time = time(payload);
                if (!isRetired[0] && time > 195 && time < 205) { // the numbers are being halved
                    isRetired[0] = true;
                    retireBelow(end * 3 / 4);
                }
                return time >= 200;
            });
            long found = next(tailer);
            tailer.toStart();
            assertThat(isRetired[0]).isTrue();
            assertThat(found).isEqualTo(next(tailer)).isGreaterThan(400);
        }
    }

    @Test
    void shouldFindWhatIsAppendedMeanwhile() {
        open();
        append(50);
        try (Tailer tailer = tailer()) {
            tailer.toFirst(payload -> {
                append(30);
                return time(payload) >= 60;
            });
            assertThat(next(tailer)).isEqualTo(60);
            tailer.toLast(0);
            assertThat(next(tailer)).isZero();
            tailer.toLast(5);
            assertThat(next(tailer)).isEqualTo(log.lastSequence() - 4);
        }
    }

    @Test
    void shouldNotGoOnIfTheConditionClosesTheTailer() {
        open();
        append(50);
        Tailer tailer = tailer();
        assertThatIllegalStateException()
                .isThrownBy(() -> tailer.toFirst(payload -> {
                    tailer.close();
                    return false;
                }))
                .withMessage("tailer is closed");
    }

    @Test
    void shouldTellTheIdOfItsLog() {
        try (Tailer tailer = tailer()) {
            assertThat(tailer.logId()).isZero();
            open();
            assertThat(tailer.logId()).isEqualTo(log.logId()).isNotZero();
            append(1);
            assertThat(next(tailer)).isOne();
        }
        try (Tailer tailer = log.tailer(reader(ReadScope.PUBLISHED))) {
            assertThat(tailer.logId()).isEqualTo(log.logId());
        }
    }

    @Test
    void shouldRefuseAnotherLogThanTheOneOfTheId() throws IOException {
        open();
        append(1);
        log.close();
        try (Tailer tailer = tailer()) {
            long id = tailer.logId();
            for (String name : storage.list()) {
                storage.delete(name);
            }
            open();
            append(1);
            assertThat(log.logId()).isNotEqualTo(id);
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(tailer::next)
                    .withMessageContaining("the segment belongs to another log");
        }
    }
}

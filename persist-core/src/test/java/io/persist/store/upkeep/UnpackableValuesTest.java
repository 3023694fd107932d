package io.persist.store.upkeep;

import static io.persist.store.upkeep.StoreRestTest.NEVER_RESTS;
import static io.persist.store.upkeep.StoreRestTest.RESTS;
import static io.persist.store.upkeep.StoreRestTest.look;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.transaction.Transaction;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is left over at the ends of segments, because values are too long for it: to move them gives nothing back. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnpackableValuesTest {

    private static final int SEGMENT_LENGTH = 64 << 10;
    private static final int SEGMENTS = 40;
    private static final int LOOKS = 20;

    /** Four of these fit a segment, and a seventh of it is left over. */
    private static final int FOURTH = 14_000;

    private CrashableStorage storage = new CrashableStorage();

    private StoreEngine open(Patience patience, double maxSpaceRatio) {
        return open(patience, maxSpaceRatio, SEGMENT_LENGTH);
    }

    private StoreEngine open(Patience patience, double maxSpaceRatio, int segmentLength) {
        LogConfig log =
                LogConfig.builder(Path.of("log")).segmentLength(segmentLength).build();
        StoreConfig config = StoreConfig.builder(log)
                .maxSpaceRatio(maxSpaceRatio)
                .compactionBytesPerSecond(1L << 40)
                .build();
        return new StoreOpener(config, null).patience(patience).open(storage, storage);
    }

    private static byte[] key(int number) {
        return Texts.bytes("key/" + number);
    }

    private static void put(StoreEngine store, int number, int valueLength) {
        store.single().put(key(number), new byte[valueLength], Durability.BUFFERED);
    }

    private static void remove(StoreEngine store, int number) {
        store.single().remove(key(number), Durability.BUFFERED);
    }

    private static void fill(StoreEngine store, int keys, int valueLength) {
        IntStream.range(0, keys).forEach(i -> put(store, i, valueLength));
    }

    private static long moved(StoreEngine store) {
        return store.statistics().compaction().movedBytes();
    }

    /** A few bytes are committed, and its thread does what is due; time and again. */
    private static void commitAndLook(StoreEngine store) {
        for (int i = 0; i < LOOKS; i++) {
            put(store, -1, 20);
            look(store);
        }
    }

    private static void shouldMoveNothing(StoreEngine store) {
        StoreStatistics before = store.statistics();
        commitAndLook(store);
        StoreStatistics after = store.statistics();
        assertThat(after.compaction().movedBytes()).isZero();
        assertThat(after.checkpoint().written() - before.checkpoint().written()).isLessThanOrEqualTo(2);
        assertThat(after.spaceBytes()).isLessThanOrEqualTo(before.spaceBytes() + SEGMENT_LENGTH);
    }

    /** Its segments are as full as they get, however far that is from what was asked for. */
    @ParameterizedTest
    @CsvSource({"1, 33000, 2", "1, 34000, 2", "1, 37000, 2", "3, 17000, 1.2", "4, 14000, 1.2", "4, 14000, 1.1"})
    void shouldMoveNothing_WhenValuesDoNotPack(int perSegment, int valueLength, double maxSpaceRatio) {
        try (StoreEngine store = open(NEVER_RESTS, maxSpaceRatio)) {
            fill(store, perSegment * SEGMENTS, valueLength);
            look(store);
            assertThat(store.statistics().spaceRatio()).isGreaterThan(1 + 0.75 * (maxSpaceRatio - 1));
            shouldMoveNothing(store);
            assertThat(store.upkeep().compact(Long.MAX_VALUE)).isZero();
            assertThat(moved(store)).isZero();
        }
        try (StoreEngine store = open(NEVER_RESTS, maxSpaceRatio)) {
            shouldMoveNothing(store);
        }
        try (StoreEngine store = open(RESTS, maxSpaceRatio)) {
            look(store);
            StoreRestTest.shouldBeAtRest(store);
            assertThat(moved(store)).isZero();
        }
    }

    /** There is less garbage than there may be: no checkpoint is written so that compaction gets at it. */
    @Test
    void shouldNotBeDue() {
        try (StoreEngine store = open(NEVER_RESTS, 2)) {
            fill(store, SEGMENTS, 34_000);
            store.upkeep().compact(Long.MAX_VALUE); // so that all is known
            long before = store.statistics().checkpoint().written();
            for (int garbage = 0; garbage < 8 * SEGMENT_LENGTH; garbage += 1_000) {
                put(store, -1, 1_000);
            }
            look(store);
            assertThat(store.statistics().checkpoint().written()).isEqualTo(before);
        }
    }

    /** What is left over belongs to the values of a segment; what of these is gone is gained with its part of that. */
    @Test
    void shouldGiveBackWhatWasRemoved() {
        try (StoreEngine store = open(NEVER_RESTS, 1.2)) {
            fill(store, 4 * SEGMENTS, FOURTH);
            IntStream.range(0, SEGMENTS).forEach(i -> remove(store, 4 * i));
            commitAndLook(store);
            int packed = 3 * SEGMENTS / 4;
            assertThat(store.statistics().spaceBytes()).isLessThanOrEqualTo((packed * 12L / 10 + 2) * SEGMENT_LENGTH);
            assertThat(moved(store)).isLessThan(4L * SEGMENTS * FOURTH);
            store.upkeep().compact(Long.MAX_VALUE);
            store.upkeep().compact(Long.MAX_VALUE);
            assertThat(store.statistics().spaceBytes()).isLessThanOrEqualTo((packed + 2L) * SEGMENT_LENGTH);
        }
    }

    /** How they fill short segments does not say how they fill long ones. */
    @Test
    void shouldPackThemInLongerSegments() {
        int longer = 8 * SEGMENT_LENGTH;
        try (StoreEngine store = open(NEVER_RESTS, 2)) {
            fill(store, SEGMENTS, 34_000);
            commitAndLook(store);
            assertThat(moved(store)).isZero();
        }
        try (StoreEngine store = open(NEVER_RESTS, 2, longer)) {
            store.upkeep().compact(Long.MAX_VALUE);
            store.upkeep().compact(Long.MAX_VALUE);
            StoreStatistics now = store.statistics();
            assertThat(now.spaceBytes()).isLessThan(now.liveBytes() + 2L * longer);
            assertThat(store.upkeep().compact(Long.MAX_VALUE)).isZero();
            assertThat(moved(store)).isEqualTo(now.compaction().movedBytes());
        }
    }

    /** The rate of compaction follows what users make superfluous, and not what it leaves at the ends itself. */
    @Test
    void shouldNotTakeItsOwnForGarbage() {
        try (StoreEngine store = open(NEVER_RESTS, 0)) {
            fill(store, 4 * SEGMENTS, FOURTH);
            IntStream.range(0, SEGMENTS).forEach(i -> remove(store, 4 * i));
        }
        try (StoreEngine store = open(NEVER_RESTS, 1.1)) {
            store.upkeep().checkpoint();
            look(store);
            assertThat(moved(store)).isGreaterThan(SEGMENTS * FOURTH);
            assertThat(store.statistics().compaction().garbageBytesPerSecond())
                    .as("at most what checkpoints append, over two seconds")
                    .isLessThan(1_000);
        }
    }

    /** A long transaction does not fit the rest of a segment, but its values do. */
    @Test
    void shouldPackSmallValuesOfLongTransactions() {
        try (StoreEngine store = open(NEVER_RESTS, 0)) {
            for (int i = 0; i < SEGMENTS; i++) {
                try (Transaction transaction = store.thread().begin()) {
                    for (int j = 0; j < 100; j++) {
                        transaction.put(key(100 * i + j), new byte[350]);
                    }
                    transaction.commit(Durability.BUFFERED);
                }
            }
            assertThat(store.statistics().spaceRatio()).isGreaterThan(1.6);
            store.upkeep().compact(Long.MAX_VALUE);
            store.upkeep().compact(Long.MAX_VALUE);
            StoreStatistics now = store.statistics();
            assertThat(now.spaceBytes()).isLessThan(now.liveBytes() * 105 / 100 + 2 * SEGMENT_LENGTH);
        }
    }

    /** The second call finds the segment that was written to when the first one began, and the third one nothing. */
    @ParameterizedTest
    @CsvSource({"8, 20000", "100, 10000", "1000, 2000", "5000, 500", "20000, 100"})
    void shouldLeaveAStoreThatIsCompact(int valueLength, int keys) {
        try (StoreEngine store = open(NEVER_RESTS, 0)) {
            fill(store, keys, valueLength);
            IntStream.range(0, keys / 10).forEach(i -> remove(store, 10 * i));
            assertThat(store.upkeep().compact(Long.MAX_VALUE)).isPositive();
            assertThat(store.upkeep().compact(Long.MAX_VALUE)).isLessThanOrEqualTo(SEGMENT_LENGTH);
            StoreStatistics before = store.statistics();
            assertThat(store.upkeep().compact(Long.MAX_VALUE)).isZero();
            assertThat(moved(store)).isEqualTo(before.compaction().movedBytes());
            assertThat(store.statistics().spaceBytes()).isLessThanOrEqualTo(before.spaceBytes() + SEGMENT_LENGTH);
        }
    }

    /** However lengths are mixed: what was packed stays, so it comes to an end. */
    @Test
    void shouldComeToAnEnd_WhenLengthsAreMixed() {
        Seeds.run(5, seed -> {
            Random random = new Random(seed);
            int most = SEGMENT_LENGTH * (1 + random.nextInt(9)) / 10;
            storage = new CrashableStorage();
            try (StoreEngine store = open(NEVER_RESTS, 1.1)) {
                for (long written = 0; written < 2L * SEGMENTS * SEGMENT_LENGTH; ) {
                    int length = random.nextInt(most);
                    put(store, random.nextInt(1_000), length);
                    written += length;
                }
                commitAndLook(store);
                store.upkeep().compact(Long.MAX_VALUE);
                long movedBefore = moved(store);
                commitAndLook(store);
                assertThat(moved(store) - movedBefore)
                        .as("bytes, of at most %d", most)
                        .isLessThan(4L * SEGMENT_LENGTH);
            }
        });
    }
}

package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The rate of compaction: from what is made superfluous, and from how much space there is. */
class CompactionRateTest {

    private static final long LEAST = 1_000;
    private static final long LIVE = 1_000_000;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final CompactionRate rate = new CompactionRate(2, LEAST);
    private long nowNs = -SECOND_NS;
    private long garbage;

    /** So much garbage is made in each second, looked at a few times. */
    private void make(long perSecond, int seconds, int looks) {
        for (int i = 0; i < seconds * looks; i++) {
            rate.observe(garbage, nowNs);
            garbage += perSecond / looks;
            nowNs += SECOND_NS / looks;
        }
        rate.observe(garbage, nowNs);
    }

    private long at(double ratio, double needed) {
        return rate.bytesPerSecond((long) (ratio * LIVE), LIVE, needed);
    }

    @Test
    void shouldBeginBeforeTheMost() {
        assertThat(rate.isDue(7 * LIVE / 4, LIVE)).isFalse();
        assertThat(rate.isDue(7 * LIVE / 4 + 1, LIVE)).isTrue();
        assertThat(rate.isDue(1, 0)).isTrue();
        assertThat(new CompactionRate(0, LEAST).isDue(100 * LIVE, LIVE)).isFalse();
    }

    @Test
    void shouldBeTheConfiguredOne_WhenNoGarbageIsMade() {
        assertThat(at(1.75, 0.5)).isEqualTo(LEAST);
        assertThat(at(1.875, 0.5)).isEqualTo(LEAST);
        make(0, 10, 5);
        assertThat(at(1.8, 0.9)).isEqualTo(LEAST);
        assertThat(at(2, 0)).isEqualTo(2 * LEAST);
        assertThat(rate.bytesPerSecond(LIVE, 0, 0)).as("nothing is needed").isEqualTo(2 * LEAST);
    }

    /** To give a byte back of a segment that is half empty, three have to be read and written. */
    @Test
    void shouldGiveBackWhatIsMade() {
        make(60_000, 30, 50);
        assertThat(rate.garbagePerSecond()).isCloseTo(60_000, within(10L));
        assertThat(at(1.76, 0)).isCloseTo(LEAST + 60_000, within(100L));
        assertThat(at(1.76, 0.5)).isCloseTo(LEAST + 180_000, within(100L));
        assertThat(at(2, 0.5)).isCloseTo(2 * (LEAST + 180_000), within(100L));
    }

    /** There is no ratio at which it jumps, nor one above which there is no bound. */
    @Test
    void shouldRiseEvenly() {
        make(60_000, 30, 50);
        long before = at(1.7, 0.5);
        for (double ratio = 1.71; ratio < 5; ratio += 0.01) {
            long now = at(ratio, 0.5);
            assertThat(now - before).isBetween(0L, before / 10);
            before = now;
        }
        assertThat(before).isGreaterThan(20L * 180_000);
    }

    @Test
    void shouldForgetWhatIsLongAgo() {
        make(60_000, 30, 50);
        make(0, 2, 50);
        assertThat(rate.garbagePerSecond()).isBetween(60_000L / 4, 60_000L / 2);
        make(0, 60, 1);
        assertThat(rate.garbagePerSecond()).isZero();
    }

    /** Between two looks may be a moment, or hours in which compaction had nothing to do. */
    @Test
    void shouldNotDependOnHowOftenItIsLookedAt() {
        make(60_000, 3, 1000);
        long often = rate.garbagePerSecond();
        make(0, 1000, 1);
        make(60_000, 3, 1);
        assertThat(rate.garbagePerSecond()).isCloseTo(often, within(600L));
        rate.observe(garbage + 5, nowNs); // at the same moment
        assertThat(rate.garbagePerSecond()).isCloseTo(often, within(600L));
        rate.observe(0, nowNs + 1); // values that are needed again, after a large transaction is taken over
        assertThat(rate.garbagePerSecond()).isCloseTo(often, within(600L));
    }

    /** Then it keeps to less: all that is on the disk, whatever part of it are checkpoints. */
    @Test
    void shouldBeginEarlierAtRest() {
        assertThat(rate.isDueAtRest(12 * LIVE / 10, 0, LIVE)).isFalse();
        assertThat(rate.isDueAtRest(12 * LIVE / 10 + 1, 0, LIVE)).isTrue();
        assertThat(rate.isDueAtRest(115 * LIVE / 100, LIVE / 10, LIVE)).isTrue();
        assertThat(rate.isDueAtRest(11 * LIVE / 10, LIVE, LIVE))
                .as("ten copies for a byte")
                .isFalse();
        assertThat(new CompactionRate(0, LEAST).isDueAtRest(100 * LIVE, 0, LIVE))
                .isFalse();
        assertThat(new CompactionRate(6, LEAST).isDueAtRest(2 * LIVE, 0, LIVE)).isFalse();
        assertThat(new CompactionRate(6, LEAST).isDueAtRest(2 * LIVE + 1, 0, LIVE))
                .isTrue();
    }

    @Test
    void shouldTellHowLongAllTakes() {
        assertThat(rate.wholeNs(2 * LIVE, LIVE)).isEqualTo(3 * LIVE / LEAST * SECOND_NS);
    }

    @Test
    void shouldHaveABound() {
        make(Long.MAX_VALUE / 100, 3, 3);
        assertThat(at(100, 0.95)).isPositive();
    }
}

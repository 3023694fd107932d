package io.persist.log.sync;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The beginnings of the syncs of an interval of 10, in units of no matter what. */
class SyncTicksTest {

    private static final long INTERVAL = 10;

    private final SyncTicks ticks = new SyncTicks(0);

    private long nextStart(long expected) {
        return ticks.nextNs(INTERVAL) - expected;
    }

    @Test
    void shouldBeginEarlyEnoughToBeDoneInTime() {
        assertThat(nextStart(3)).isEqualTo(7);
        ticks.synced(7, 3, 3);
        assertThat(nextStart(3)).isEqualTo(17);
    }

    /** What is expected falls by a sixteenth with each sync that is quicker. */
    @Test
    void shouldBeginAfterNoMoreThanAnIntervalOnceASlowDeviceIsQuickAgain() {
        long start = 0;
        for (long expected = 6000; expected > 0; expected -= Math.max(1, expected >> 4)) {
            long next = expected - Math.max(1, expected >> 4);
            ticks.synced(start, expected, next);
            assertThat(nextStart(next) - start).isEqualTo(INTERVAL);
            start = nextStart(next);
        }
    }

    @Test
    void shouldBeginEarlierOnceADeviceHasBecomeSlower() {
        ticks.synced(0, 1, 8);
        assertThat(nextStart(8)).isEqualTo(1 + INTERVAL - 8);
    }

    @Test
    void shouldNeverBeginWithoutAnInterval() {
        assertThat(ticks.nextNs(SyncTicks.NEVER)).isEqualTo(SyncTicks.NEVER);
    }
}

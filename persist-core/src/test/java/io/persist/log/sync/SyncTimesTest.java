package io.persist.log.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.control.ControlBlock;
import io.persist.format.control.CounterBlock;
import io.persist.support.Allocation;
import io.persist.support.HeardNotices;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

class SyncTimesTest {

    private static final long SLOW_NS = SyncTimes.SLOW_NS;

    private final CounterBlock counters =
            new CounterBlock(ByteBuffer.allocateDirect(ControlBlock.LENGTH).order(ByteOrder.LITTLE_ENDIAN));
    private final SyncTimes syncs = new SyncTimes(counters, "memory");
    private long nowNs = Long.MAX_VALUE - SyncTimes.EPISODE_NS; // a clock that overflows, as System.nanoTime may

    private List<String> after(long pauseNs, long elapsedNs) {
        nowNs += pauseNs;
        return HeardNotices.during("memory", () -> syncs.took(elapsedNs, nowNs)).stream()
                .map(HeardNotices.Notice::text)
                .toList();
    }

    @Test
    void shouldSayEachEpisodeOnce() {
        assertThat(after(0, SLOW_NS - 1)).isEmpty();
        assertThat(after(0, SLOW_NS))
                .containsExactly("log memory: a sync took 1000 ms, slow from 1000 ms on;"
                        + " slow syncs since the log was opened: 1");
        for (int i = 0; i < 5; i++) {
            assertThat(after(SyncTimes.EPISODE_NS - 1, 3 * SLOW_NS)).isEmpty();
            assertThat(after(0, 0)).isEmpty();
        }
        assertThat(after(SyncTimes.EPISODE_NS, 2 * SLOW_NS))
                .containsExactly("log memory: a sync took 2000 ms, slow from 1000 ms on;"
                        + " slow syncs since the log was opened: 7");
        assertThat(after(0, 2 * SLOW_NS)).isEmpty();
    }

    private List<String> looking(long pauseNs) {
        nowNs += pauseNs;
        return HeardNotices.during("memory", () -> syncs.sayIfStuck(nowNs)).stream()
                .map(HeardNotices.Notice::text)
                .toList();
    }

    @Test
    void shouldSayThatTheDeviceDoesNotAnswer() {
        for (int i = 0; i < 2; i++) {
            assertThat(looking(SyncTimes.STUCK_NS)).as("there is none").isEmpty();
            syncs.began(nowNs);
            assertThat(looking(SyncTimes.STUCK_NS - 1)).isEmpty();
            assertThat(looking(1))
                    .containsExactly("log memory: a sync has taken 5000 ms and is not over; commits wait for it;"
                            + " look whether the device answers");
            assertThat(looking(SyncTimes.STUCK_NS)).as("once").isEmpty();
            syncs.ended(nowNs);
            assertThat(after(0, 2 * SyncTimes.STUCK_NS))
                    .as("in the same episode too")
                    .containsExactly("log memory: a sync took 10000 ms, slow from 1000 ms on;"
                            + " slow syncs since the log was opened: " + (i + 1));
        }
    }

    @Test
    void shouldNotAllocateForQuickOnes() {
        Allocation.checkNone(20_000, 20_000, () -> {
            syncs.began(nowNs);
            syncs.sayIfStuck(nowNs);
            syncs.ended(nowNs);
            syncs.took(SLOW_NS - 1, nowNs);
        });
    }
}

package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CommitDelayTest {

    private final CommitDelay commitDelay = new CommitDelay();

    @Test
    void shouldExpectOneCommitAtFirst() {
        assertThat(commitDelay.isComplete(0)).isFalse();
        assertThat(commitDelay.isComplete(1)).isTrue();
    }

    @Test
    void shouldExpectThoseThatWereServedAndThoseThatCameMeanwhile() {
        commitDelay.ended(3, 5, 0);
        assertThat(commitDelay.isComplete(3 + 4)).isFalse();
        assertThat(commitDelay.isComplete(3 + 5)).isTrue();
        commitDelay.ended(8, 8, 0);
        assertThat(commitDelay.isComplete(8 + 4)).isFalse();
        assertThat(commitDelay.isComplete(8 + 5)).isTrue();
    }

    @Test
    void shouldNeverExpectLessThanOne() {
        commitDelay.ended(0, 0, 0);
        assertThat(commitDelay.isComplete(0)).isFalse();
        assertThat(commitDelay.isComplete(1)).isTrue();
    }

    @Test
    void shouldWaitNoLongerThanHalfOfTheLastSync() {
        assertThat(commitDelay.limitNs()).as("there was none").isZero();
        for (long tookNs : new long[] {1000, 0, 2_000_000, 200_000}) {
            commitDelay.ended(0, 0, tookNs);
            assertThat(commitDelay.limitNs()).isEqualTo(tookNs / 2);
        }
    }

    @Test
    void shouldNotWaitLongAfterTheDeviceHasStalled() {
        commitDelay.ended(0, 0, TimeUnit.SECONDS.toNanos(6));
        assertThat(commitDelay.limitNs()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(5));
        commitDelay.ended(0, 0, 100_000);
        assertThat(commitDelay.limitNs()).isEqualTo(50_000);
    }

    /** Of three producers that commit in a loop all are served by each sync, once it has found that out. */
    @Test
    void shouldFindTheNumberOfThoseThatComeBack() {
        commitDelay.ended(1, 3, 0);
        assertThat(commitDelay.isComplete(3)).isFalse();
        assertThat(commitDelay.isComplete(4)).isTrue();
        commitDelay.ended(4, 4, 0);
        assertThat(commitDelay.isComplete(6)).isFalse();
        assertThat(commitDelay.isComplete(7)).isTrue();
    }
}

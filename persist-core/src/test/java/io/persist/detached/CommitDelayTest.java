package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(commitDelay.ended(3, 5)).as("served").isEqualTo(3);
        assertThat(commitDelay.isComplete(3 + 4)).isFalse();
        assertThat(commitDelay.isComplete(3 + 5)).isTrue();
        assertThat(commitDelay.ended(8, 8)).isEqualTo(5);
        assertThat(commitDelay.isComplete(8 + 4)).isFalse();
        assertThat(commitDelay.isComplete(8 + 5)).isTrue();
    }

    @Test
    void shouldNeverExpectLessThanOne() {
        assertThat(commitDelay.ended(0, 0)).isZero();
        assertThat(commitDelay.isComplete(0)).isFalse();
        assertThat(commitDelay.isComplete(1)).isTrue();
    }

    @Test
    void shouldWaitNoLongerThanHalfASync() {
        assertThat(commitDelay.limitNs(1000)).isEqualTo(500);
        assertThat(commitDelay.limitNs(0)).isZero();
    }

    /** Of three producers that commit in a loop all are served by each sync, once it has found that out. */
    @Test
    void shouldFindTheNumberOfThoseThatComeBack() {
        commitDelay.ended(1, 3);
        assertThat(commitDelay.isComplete(3)).isFalse();
        assertThat(commitDelay.isComplete(4)).isTrue();
        commitDelay.ended(4, 4);
        assertThat(commitDelay.isComplete(6)).isFalse();
        assertThat(commitDelay.isComplete(7)).isTrue();
    }
}

package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GatheringTest {

    private final Gathering gathering = new Gathering();

    @Test
    void shouldExpectOneCommitAtFirst() {
        assertThat(gathering.isComplete(0)).isFalse();
        assertThat(gathering.isComplete(1)).isTrue();
    }

    @Test
    void shouldExpectThoseThatWereServedAndThoseThatCameMeanwhile() {
        assertThat(gathering.ended(3, 5)).as("served").isEqualTo(3);
        assertThat(gathering.isComplete(3 + 4)).isFalse();
        assertThat(gathering.isComplete(3 + 5)).isTrue();
        assertThat(gathering.ended(8, 8)).isEqualTo(5);
        assertThat(gathering.isComplete(8 + 4)).isFalse();
        assertThat(gathering.isComplete(8 + 5)).isTrue();
    }

    @Test
    void shouldNeverExpectLessThanOne() {
        assertThat(gathering.ended(0, 0)).isZero();
        assertThat(gathering.isComplete(0)).isFalse();
        assertThat(gathering.isComplete(1)).isTrue();
    }

    @Test
    void shouldWaitNoLongerThanHalfASync() {
        assertThat(gathering.limitNs(1000)).isEqualTo(500);
        assertThat(gathering.limitNs(0)).isZero();
    }

    /** Of three producers that commit in a loop all are served by each sync, once it has found that out. */
    @Test
    void shouldFindTheNumberOfThoseThatComeBack() {
        gathering.ended(1, 3);
        assertThat(gathering.isComplete(3)).isFalse();
        assertThat(gathering.isComplete(4)).isTrue();
        gathering.ended(4, 4);
        assertThat(gathering.isComplete(6)).isFalse();
        assertThat(gathering.isComplete(7)).isTrue();
    }
}

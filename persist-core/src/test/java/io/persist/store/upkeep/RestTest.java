package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a store is at rest. */
class RestTest {

    private final Rest rest = new Rest(10);

    @Test
    void shouldBeginAfterSomeTimeWithoutAChange() {
        assertThat(rest.leftNs(1, 0, 100)).isEqualTo(10);
        assertThat(rest.leftNs(1, 0, 109)).isEqualTo(1);
        assertThat(rest.leftNs(1, 0, 110)).isZero();
        assertThat(rest.leftNs(1, 0, 1000)).isZero();
    }

    @Test
    void shouldEndWithAChange() {
        rest.leftNs(1, 0, 100);
        assertThat(rest.leftNs(1, 0, 110)).isZero();
        assertThat(rest.leftNs(2, 0, 111)).isEqualTo(10);
        assertThat(rest.leftNs(2, 0, 121)).isZero();
    }

    /** So a store that is left alone for a while, again and again, does not work all the time. */
    @Test
    void shouldBeginAfterAsMuchTimeAsTheWorkTakes() {
        rest.leftNs(1, 50, 100);
        assertThat(rest.leftNs(1, 50, 110)).isEqualTo(40);
        assertThat(rest.leftNs(1, 50, 150)).isZero();
        assertThat(rest.leftNs(1, 30, 151)).as("while the work gets less").isZero();
    }
}

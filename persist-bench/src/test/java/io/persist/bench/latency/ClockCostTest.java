package io.persist.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClockCostTest {

    @Test
    void shouldTimeThreeMillionCallsWhereThatIsFastEnough() {
        ClockCost cost = ClockCost.calibrate(new FakeClock(20));

        assertThat(cost.calls()).isEqualTo(3_000_000);
        assertThat(cost.ns()).isEqualTo(20);
    }

    @Test
    void shouldEndAfterHalfASecondOnASlowClock() {
        ClockCost cost = ClockCost.calibrate(new FakeClock(1_000));

        assertThat(cost.calls()).isEqualTo(500_000);
        assertThat(cost.ns()).isEqualTo(1_000);
    }

    @Test
    void shouldNotTakeTheTimeOfOtherProgramsForTheCostOfTheClock() {
        FakeClock clock = new FakeClock(20);
        long[] calls = new long[1];
        NanoClock preempted = () -> {
            if (++calls[0] % 15_000 == 0) {
                clock.advance(4_000_000);
            }
            return clock.nanoTime();
        };

        assertThat(ClockCost.calibrate(preempted).ns()).isEqualTo(20);
    }

    /** A JVM can have many runs, and the tests of the programs have hundreds. */
    @Test
    void shouldTimeTheSystemsClockOnce() {
        assertThat(ClockCost.ofSystem()).isSameAs(ClockCost.ofSystem());
        assertThat(ClockCost.ofSystem().calls()).isPositive();
    }
}

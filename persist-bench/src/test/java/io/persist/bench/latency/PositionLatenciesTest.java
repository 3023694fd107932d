package io.persist.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PositionLatenciesTest {

    private final FakeClock clock = new FakeClock(0);
    private final PositionTimes times = new PositionTimes(clock, 100);
    private final List<Long> latencies = new ArrayList<>();

    @Test
    void shouldTakeTheTimeAtWhichARecordsEndWasReached() {
        PositionLatencies reached = new PositionLatencies(times, new ClockCost(1, 3), 1);
        reached.add(0, 150, 10);
        reached.add(0, 200, 20);
        reached.add(0, 201, 30);
        reachedAt(40, 149);
        reachedAt(50, 200);

        assertThat(match(reached)).containsExactly(50L - 10 - 3, 50L - 20 - 3);

        reachedAt(60, 1000);

        assertThat(match(reached)).containsExactly(60L - 30 - 3);
        assertThat(match(reached)).isEmpty();
    }

    @Test
    void shouldFindTheTimeOfARecordThatItLearnsOfTooLate() {
        PositionLatencies reached = new PositionLatencies(times, new ClockCost(1, 0), 2);
        reachedAt(40, 150);
        reachedAt(50, 200);
        reachedAt(60, 250);
        reached.add(0, 250, 10);

        assertThat(match(reached)).containsExactly(50L);

        reached.add(1, 170, 20);
        reached.add(1, 210, 20);

        assertThat(match(reached)).containsExactly(30L, 40L);
    }

    @Test
    void shouldIgnoreWhatWasReachedBeforeAndWhatIsToldTwice() {
        PositionLatencies reached = new PositionLatencies(times, new ClockCost(1, 0), 1);
        reachedAt(5, 100);
        reached.add(0, 150, 10);
        reachedAt(40, 150);
        reachedAt(90, 150);

        assertThat(match(reached)).containsExactly(30L);
    }

    @Test
    void shouldNotMeasureLessThanNothing() {
        PositionLatencies reached = new PositionLatencies(times, new ClockCost(1, 100), 1);
        reached.add(0, 150, 10);
        reachedAt(40, 150);

        assertThat(match(reached)).containsExactly(0L);
    }

    private void reachedAt(long timeNs, long position) {
        clock.advance(timeNs - clock.peek());
        times.onPosition(position);
    }

    private List<Long> match(PositionLatencies reached) {
        latencies.clear();
        reached.match(latencies::add);
        return List.copyOf(latencies);
    }
}

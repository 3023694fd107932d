package io.persist.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.latency.FakeClock;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PacerTest {

    private static final long NEVER = Long.MAX_VALUE / 2;

    private final Stop stop = Stop.onInterrupt();

    @AfterEach
    void close() {
        stop.close();
    }

    @Test
    void shouldSpaceIntendedStartsByTheRate() {
        FakeClock clock = new FakeClock(1);
        Pacer pacer = Pacer.of(1000, clock);
        pacer.start();
        long origin = clock.peek();

        assertThat(pacer.isPaced()).isTrue();
        assertThat(pacer.intendedStart(0)).isEqualTo(origin);
        assertThat(pacer.intendedStart(1)).isEqualTo(origin + 1_000_000);
        assertThat(pacer.intendedStart(3_600_000)).isEqualTo(origin + 3_600_000_000_000L);
    }

    @Test
    void shouldNotDriftWithARateThatDoesNotDivideTheSecond() {
        FakeClock clock = new FakeClock(0);
        Pacer pacer = Pacer.of(3_000_000, clock);
        pacer.start();

        assertThat(pacer.intendedStart(3_000_000_000L)).isEqualTo(1_000_000_000_000L);
    }

    @Test
    void shouldWaitUntilTheIntendedStart() {
        FakeClock clock = new FakeClock(10);
        Pacer pacer = Pacer.of(1_000_000, clock);
        pacer.start();

        assertThat(pacer.awaitStart(5, NEVER, stop)).isEqualTo(pacer.intendedStart(5));
        assertThat(clock.peek()).isEqualTo(pacer.intendedStart(5));
    }

    @Test
    void shouldWaitNoLongerThanUntilTheDeadline() {
        FakeClock clock = new FakeClock(10);
        Pacer pacer = Pacer.of(1, clock);
        pacer.start();
        long deadlineNs = clock.peek() + 1000;

        long now = pacer.awaitStart(1, deadlineNs, stop);

        assertThat(now).isEqualTo(deadlineNs);
        assertThat(pacer.isDue(1, now)).isFalse();
        assertThat(pacer.isDue(1, pacer.intendedStart(1))).isTrue();
    }

    @Test
    void shouldNotWaitOnceAStopIsRequested() {
        FakeClock clock = new FakeClock(10);
        Pacer pacer = Pacer.of(1, clock);
        pacer.start();
        stop.request();

        long now = pacer.awaitStart(1, NEVER, stop);

        assertThat(now).isEqualTo(clock.peek()).isEqualTo(pacer.intendedStart(0) + 10);
        assertThat(pacer.isDue(1, now)).isFalse();
    }

    @Test
    void shouldKeepIntendedStartsWhenLate() {
        FakeClock clock = new FakeClock(10);
        Pacer pacer = Pacer.of(1_000_000, clock);
        pacer.start();
        long intended = pacer.intendedStart(1);
        clock.advance(50_000);

        assertThat(pacer.awaitStart(1, NEVER, stop)).isEqualTo(clock.peek()).isGreaterThan(intended + 40_000);
        assertThat(pacer.intendedStart(1)).isEqualTo(intended);
    }

    @Test
    void shouldDealOutTheStartsOfARateToProducersInTurn() {
        FakeClock clock = new FakeClock(0);
        List<Pacer> pacers = IntStream.range(0, 3)
                .mapToObj(producer -> Pacer.share(1_000_000, 3, producer, clock))
                .toList();
        pacers.forEach(Pacer::start);

        for (int i = 0; i < 9; i++) {
            assertThat(pacers.get(i % 3).intendedStart(i / 3)).isEqualTo(i * 1000L);
        }
    }

    @Test
    void shouldNotWaitWithoutARate() {
        FakeClock clock = new FakeClock(10);
        Pacer pacer = Pacer.of(-1, clock);
        pacer.start();

        assertThat(pacer.isPaced()).isFalse();
        assertThat(pacer.isDue(1_000_000, clock.peek())).isTrue();
        assertThat(pacer.awaitStart(1_000_000, NEVER, stop)).isEqualTo(20);
    }
}

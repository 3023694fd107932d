package io.persist.matrix.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

/**
 * The wall clock jumps in the middle of a life: an hour back, to 1970, ten years on, and another way at each look. What
 * comes of the lives is what comes of the same lives without a jump, record by record and segment by segment; the clock
 * only says when something was made.
 */
public final class ClockJump implements Exercise {

    private static final int STEPS = 60;

    /** Looks of a life before the clock jumps. */
    private static final int LOOKS_BEFORE = 4;

    /** Loaded once for all subjects. */
    private static final JumpingLibrary LIBRARY = new JumpingLibrary();

    private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);
    private static final long TEN_YEARS_MS = TimeUnit.DAYS.toMillis(3653);

    @Override
    public Row row() {
        return Row.CLOCK_JUMP;
    }

    @Override
    public void run(Subject subject, Effort effort) throws Exception {
        effort.random(1, 20, STEPS, (random, steps) -> {
            long seed = random.nextLong();
            Object straight = lives(subject, seed, steps, now -> now);
            Random jumps = new Random(seed);
            LongUnaryOperator[] clocks = {
                now -> now - HOUR_MS, now -> 0, now -> now + TEN_YEARS_MS, now -> (long) (now * 2 * jumps.nextDouble())
            };
            for (LongUnaryOperator clock : clocks) {
                assertThat(lives(subject, seed, steps, clock)).isEqualTo(straight);
                effort.tried(1);
            }
        });
    }

    /** What has come of lives in which the clock jumps. */
    private static Object lives(Subject subject, long seed, int steps, LongUnaryOperator clock) throws Exception {
        AtomicLong looks = new AtomicLong();
        long before = WallClock.looks();
        WallClock.show(now -> looks.incrementAndGet() <= LOOKS_BEFORE ? now : clock.applyAsLong(now));
        try {
            Object come = ((Callable<?>) LIBRARY.loadClass(JumpedLives.class.getName())
                            .getDeclaredConstructor(String.class, long.class, int.class)
                            .newInstance(subject.name(), seed, steps))
                    .call();
            assertThat(WallClock.looks() - before).as("looks at the clock").isGreaterThan(LOOKS_BEFORE);
            return come;
        } finally {
            WallClock.show(now -> now);
        }
    }
}

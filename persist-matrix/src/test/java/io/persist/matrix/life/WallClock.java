package io.persist.matrix.life;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

/**
 * What a library that has been {@linkplain JumpingLibrary loaded anew} reads in place of the system's clock.
 *
 * <p><b>Threads:</b> any; only one test at a time sets it.
 */
public final class WallClock {

    private static final AtomicLong LOOKS = new AtomicLong();
    private static volatile LongUnaryOperator shown = now -> now;

    private WallClock() {}

    /** From now on it shows what {@code clock} makes of the real time. */
    static void show(LongUnaryOperator clock) {
        shown = Objects.requireNonNull(clock);
    }

    /** How often anybody has looked. */
    static long looks() {
        return LOOKS.get();
    }

    /** In place of {@link System#currentTimeMillis}. */
    public static long currentTimeMillis() {
        LOOKS.incrementAndGet();
        return shown.applyAsLong(System.currentTimeMillis());
    }
}

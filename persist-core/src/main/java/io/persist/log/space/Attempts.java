package io.persist.log.space;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How many attempts of a thread to make space have ended, and why the last one failed, if it did.
 *
 * <p>A thread that waits for space must not take the failure of an attempt that began before it for an answer: there
 * may be space by now. So it notes the number of attempts, and asks for a failure after more of them. The failure is
 * stored before the number, and read after it: what is found together with a number is of that attempt or of a later
 * one.
 *
 * <p><b>Threads:</b> any; {@link #ended} the one whose attempts they are.
 */
final class Attempts {

    private final AtomicLong count = new AtomicLong();
    private volatile @Nullable IOException failure;

    /** One has ended: by {@code why}, or null if it has not failed. */
    void ended(@Nullable IOException why) {
        failure = why;
        count.incrementAndGet(); // after the failure: the partner is failureAfter
    }

    /** How many have ended. */
    long count() {
        return count.get();
    }

    /** Whether the last one failed. */
    boolean hasFailed() {
        return failure != null;
    }

    /** Why the last one failed, if more than {@code number} have ended; null if it did not. */
    @Nullable
    IOException failureAfter(long number) {
        return count.get() > number ? failure : null; // after the number: the partner is ended
    }
}

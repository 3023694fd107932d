package io.persist.log.space;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of a thread to make space: how many have ended, and why the last one failed, if it did.
 *
 * <p>A thread that waits for space must not take the failure of an attempt that began before it for an answer: there
 * may be space by now. So it asks {@link #since} when it begins.
 *
 * <p><b>Threads:</b> any; {@link #ended} the one whose attempts they are.
 */
final class Attempts {

    private final AtomicLong count = new AtomicLong();
    private volatile @Nullable IOException failure;

    /** One has ended: by {@code why}, or null if it has not failed. */
    void ended(@Nullable IOException why) {
        failure = why;
        count.incrementAndGet(); // after the failure: the partner is Since.failure
    }

    /** Whether the last one failed. */
    boolean hasFailed() {
        return failure != null;
    }

    /** Those that begin from now on. */
    Since since() {
        return new Since(this);
    }

    /**
     * The attempts that begin after a moment. One may be under way then, and says nothing of them, so the first that
     * counts is the second to end. The failure is stored before the number of those that have ended, and read after it:
     * what is found together with a number is of that attempt or of a later one.
     */
    static final class Since {

        private final Attempts attempts;
        private long stale;

        private Since(Attempts attempts) {
            this.attempts = attempts;
            begin();
        }

        /** The moment is now. */
        void begin() {
            stale = attempts.count.get() + 1;
        }

        /** Whether one of them has ended. */
        boolean hasEnded() {
            return attempts.count.get() > stale;
        }

        /** Why the last one that has ended failed; null if it did not, or none has ended. */
        @Nullable
        IOException failure() {
            return hasEnded() ? attempts.failure : null; // after the number: the partner is ended
        }
    }
}

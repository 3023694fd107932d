package io.persist.shard.location;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * For each key, durable versions that are added by compare-and-set. Each operation is linearizable, and what it returns
 * is durable. Keys are as names of a {@link Blob}.
 *
 * <p>All throw {@link io.persist.shard.error.DeterminateException} if the operation surely did not happen, {@link
 * io.persist.shard.error.IndeterminateException} if it may have, and {@link IllegalArgumentException} for a key that is
 * none.
 *
 * <p><b>Threads:</b> any.
 */
public interface Consensus extends AutoCloseable {

    /** Stands for no version: what the first compare-and-set of a key expects. */
    long NONE = -1;

    /** All keys that have a version, in no order. */
    List<String> keys();

    /** The newest version, or null if there is none. */
    @Nullable
    Version head(String key);

    /**
     * Adds {@code next} if the newest version has the number {@code expected}.
     *
     * @param expected a number, or {@link #NONE}
     * @return false if the newest version is another one: nothing was changed
     * @throws IllegalArgumentException if {@code next} has no greater number than {@code expected}
     * @throws io.persist.shard.error.DeterminateException if it has more than {@link #mostBytes}
     */
    boolean compareAndSet(String key, long expected, Version next);

    /** How many bytes a version may have at most; without a bound of the place, as here, as many as an array. */
    default int mostBytes() {
        return Integer.MAX_VALUE;
    }

    /**
     * The versions from the number {@code from} on, ascending, and of these the first {@code limit}: fewer if there
     * were no more at one moment of the call.
     */
    List<Version> scan(String key, long from, int limit);

    /**
     * Deletes the versions below {@code number}, never the newest one.
     *
     * @return how many were deleted
     * @throws IllegalArgumentException if {@code number} is greater than the newest, or there is no version
     */
    int truncate(String key, long number);

    /**
     * Waits until the newest version has a greater number than {@code number}, at most {@code timeout}. May return
     * early. Without a way to be told, as here, it looks again and again, with growing pauses.
     *
     * @param check throws if nobody wants to wait any more; it is asked about each second, or more often
     * @throws InterruptedException if the thread is interrupted
     */
    default void awaitChange(String key, long number, Duration timeout, Runnable check) throws InterruptedException {
        Backoff backoff = new Backoff(timeout);
        while (!hasChanged(key, number) && backoff.pause()) {
            check.run();
        }
    }

    /** Whether there is a newer version. */
    private boolean hasChanged(String key, long number) {
        Version head = head(key);
        return head != null && head.number() > number;
    }

    /** Gives back what the handle holds. */
    @Override
    void close();
}

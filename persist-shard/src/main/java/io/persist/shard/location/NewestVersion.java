package io.persist.shard.location;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The newest version of one key, for consensuses that live in one process: one thread at a time makes the next one, and
 * threads that wait for it are woken.
 *
 * <p><b>Threads:</b> any.
 */
public final class NewestVersion {

    private final ReentrantLock turn = new ReentrantLock();
    private @Nullable Version version;

    /** What a thread has that makes the next version, from the comparison until it is durable. */
    public ReentrantLock turn() {
        return turn;
    }

    /** The version, or null if there is none yet. */
    public synchronized @Nullable Version get() {
        return version;
    }

    /** Its number, or {@link Consensus#NONE}. */
    public synchronized long number() {
        return version == null ? Consensus.NONE : version.number();
    }

    /** Shows {@code next}, which is durable, and wakes the threads that wait. */
    public synchronized void publish(Version next) {
        version = next;
        notifyAll();
    }

    /** Waits until the number is greater than {@code number}, at most {@code timeout}; {@code check} may end it. */
    public void await(long number, Duration timeout, Runnable check) throws InterruptedException {
        boolean unused = TimedWait.until(this, () -> number() > number, Backoff.nanos(timeout), check);
    }

    /** Checks what every consensus checks of the next version. */
    public static void checkNext(String key, long expected, Version next) {
        Blob.checkName(key);
        if (expected < Consensus.NONE || next.number() <= expected) {
            throw new IllegalArgumentException(
                    "key=" + key + ": next=" + next.number() + " has to be greater than expected=" + expected);
        }
    }

    /** Checks that versions below {@code number} may go. */
    public void checkTruncate(String key, long number) {
        if (number > number()) {
            throw new IllegalArgumentException(
                    "key=" + key + ": number=" + number + " is greater than the newest, " + number());
        }
    }

    /** What a truncation of a key is told that has no version. */
    public static IllegalArgumentException noneToTruncate(String key) {
        return new IllegalArgumentException("key=" + key + ": there is no version");
    }
}

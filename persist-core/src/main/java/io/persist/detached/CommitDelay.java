package io.persist.detached;

import java.util.concurrent.TimeUnit;

/**
 * Decides how long a sync waits for more commits that it can serve. Producers that commit in a loop come back as soon
 * as the last sync has let them go. A sync that begins when the first of them is back makes all others wait for the
 * next one; so it is worth waiting a little, until as many commits are there as took part lately.
 *
 * <p>The same idea as the {@code commit_siblings} and {@code commit_delay} of PostgreSQL, but the number is what was
 * seen last, and the time follows from how long the last sync took. Only from the last one, and up to a bound: a device
 * that has stalled once shall not make the commits after that slow.
 *
 * <p><b>Threads:</b> the writer's.
 */
final class CommitDelay {

    /** Of the time of a sync, at most so much is spent to make it worth more. */
    private static final int SHARE = 2;

    /** And never more than this: half a sync of a disk that turns. */
    private static final long MOST_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private long served;
    private long expected = 1;
    private long lastNs;

    /** How long to wait at most, ns. */
    long limitNs() {
        return Math.min(lastNs / SHARE, MOST_NS);
    }

    /** Whether there are as many commits as can be expected; {@code asked} is how many there have been in all. */
    boolean isComplete(long asked) {
        return asked - served >= expected;
    }

    /**
     * A sync has ended.
     *
     * @param askedBefore how many commits there had been when it began: it served those
     * @param askedAfter how many there are now
     * @param tookNs how long it took
     */
    void ended(long askedBefore, long askedAfter, long tookNs) {
        lastNs = tookNs;
        long now = askedBefore - served;
        served = askedBefore;
        expected = Math.max(1, askedAfter - askedBefore + now);
    }
}

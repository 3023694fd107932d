package io.persist.peers.trial;

/**
 * How far a pass goes at most.
 *
 * @param messages that it appends
 * @param durationNs that it takes
 */
public record Limits(long messages, long durationNs) {

    public static Limits of(long messages, double seconds) {
        return new Limits(messages, (long) (seconds * 1e9));
    }

    /** The first half of them. */
    public Limits half() {
        return new Limits(Math.max(1, messages / 2), Math.max(1, durationNs / 2));
    }

    /** The same for one of several threads. */
    public Limits share(int threads) {
        return new Limits(messages / threads, durationNs);
    }
}

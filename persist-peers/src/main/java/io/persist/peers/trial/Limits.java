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

    /** The same for one of several threads. */
    public Limits share(int threads) {
        return new Limits(messages / threads, durationNs);
    }
}

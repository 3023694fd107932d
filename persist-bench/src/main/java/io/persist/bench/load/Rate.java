package io.persist.bench.load;

/** How many per second. */
public final class Rate {

    private Rate() {}

    public static long perSecond(long count, long elapsedNs) {
        return Math.round(count * 1e9 / Math.max(1, elapsedNs));
    }
}

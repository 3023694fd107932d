package io.persist.bench;

/** How many per second. */
final class Rate {

    private Rate() {}

    static long perSecond(long count, long elapsedNs) {
        return Math.round(count * 1e9 / Math.max(1, elapsedNs));
    }
}

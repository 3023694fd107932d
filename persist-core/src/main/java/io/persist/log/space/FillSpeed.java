package io.persist.log.space;

import java.util.concurrent.TimeUnit;

/**
 * How fast space was filled lately, pauses of the kernel included. Older measurements count less and less.
 *
 * <p><b>Threads:</b> {@link #filled} one, {@link #nsPerMiB} any.
 */
final class FillSpeed {

    private static final long REMEMBERED_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final double MIB = 1 << 20;

    private long bytes;
    private long ns;
    private volatile long nsPerMiB;

    /** {@code length} bytes took {@code elapsedNs}. */
    void filled(long length, long elapsedNs) {
        bytes += length;
        ns += elapsedNs;
        if (ns > REMEMBERED_NS) {
            bytes /= 2;
            ns /= 2;
        }
        nsPerMiB = (long) (ns * MIB / Math.max(1, bytes));
    }

    /** ns for each MiB; 0 if nothing was filled yet. */
    long nsPerMiB() {
        return nsPerMiB;
    }
}

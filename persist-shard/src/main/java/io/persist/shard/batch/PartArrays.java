package io.persist.shard.batch;

import java.util.ArrayDeque;

/**
 * Arrays for parts that are made, written or read. Long ones are used again and again: for the collector a new one of
 * some MiB is work beyond its bytes.
 *
 * <p><b>Threads:</b> any.
 */
final class PartArrays {

    /** The last part of a run may be longer than the others by so much of them. */
    private static final int FRACTION_LEFT = 16;

    /** For the header, and for the row by which the part is whole. */
    private static final int SLACK = 16 << 10;

    private static final int FACTOR = 4;

    /** What is shorter than such a part of a long array has one of its own, which the collector takes away at once. */
    private static final int FRACTION_LONG = 16;

    private static final long WHILE_NS = 10_000_000_000L;

    private final int longBytes;
    private final int mostIdle;
    private final ArrayDeque<byte[]> idle = new ArrayDeque<>();

    private long trimmedNs = System.nanoTime();

    /** How many were idle all the time since then. */
    private int neverUsed;

    /** Those of parts that are whole at {@code partBytes}; at most {@code mostIdle} of them are kept. */
    PartArrays(int partBytes, int mostIdle) {
        this.longBytes = (int) Math.min(Integer.MAX_VALUE - 8, (long) partBytes + shortRest(partBytes) + SLACK);
        this.mostIdle = mostIdle;
    }

    /** How much more a part may have if the rest of its run is in it. */
    static int shortRest(int partBytes) {
        return partBytes / FRACTION_LEFT;
    }

    /** An array of {@code needed} bytes or more. */
    byte[] take(int needed) {
        return needed > longBytes || needed < longBytes / FRACTION_LONG ? new byte[needed] : takeLong();
    }

    /** Whether {@code array} is longer than those that are used again. */
    boolean isLonger(byte[] array) {
        return array.length > longBytes;
    }

    /** How many of those that are used again have so many bytes together. */
    int count(int length) {
        return (int) ((length + longBytes - 1L) / longBytes);
    }

    /** An array of {@code needed} bytes or more, for what has outgrown one of {@code length} and may grow on. */
    byte[] longer(int length, int needed) {
        if (needed > longBytes) {
            return new byte[(int) Math.min(Integer.MAX_VALUE - 8, needed * 3L / 2)];
        }
        long wanted = Math.max(needed, (long) FACTOR * length);
        return wanted < longBytes / FRACTION_LONG ? new byte[(int) wanted] : takeLong();
    }

    private byte[] takeLong() {
        synchronized (this) {
            byte[] kept = idle.poll();
            neverUsed = Math.min(neverUsed, idle.size());
            if (kept != null) {
                return kept;
            }
        }
        return new byte[longBytes];
    }

    /** Nobody uses {@code array} any more. */
    synchronized void giveBack(byte[] array) {
        if (array.length == longBytes && idle.size() < mostIdle) {
            idle.push(array);
        }
    }

    /** Lets go of those that were of no use for a while; may be called at any time. */
    synchronized void trim() {
        long nowNs = System.nanoTime();
        if (nowNs - trimmedNs < WHILE_NS) {
            return;
        }
        trimmedNs = nowNs;
        while (neverUsed > 0) {
            idle.pollLast();
            neverUsed--;
        }
        neverUsed = idle.size();
    }
}

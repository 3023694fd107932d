package io.persist.shard.batch;

/**
 * The piece of a run that is in memory, and the one before it: a row that was given out stays until the second call
 * behind its own, as {@link Rows} promises. A piece fits the caches of a CPU. A row that is longer lies in an array of
 * its own, which this does not keep. One thread.
 */
final class RowWindow {

    /** Of a piece. Each merge has two for each run. */
    static final int BYTES = 64 << 10;

    private static final byte[] NONE = {};

    private byte[] bytes = NONE;
    private byte[] before = NONE;

    /** What lies between these is read, and not used yet. */
    private int from;

    private int to;

    /** Whether a row was given out that lies in {@link #bytes}. */
    private boolean hasGiven;

    RowWindow() {}

    byte[] bytes() {
        return bytes;
    }

    /** Where the next byte is. */
    int position() {
        return from;
    }

    /** How many bytes are read, and not used. */
    int remaining() {
        return to - from;
    }

    /** Goes on behind a row of so many bytes. */
    void skip(int count) {
        from += count;
    }

    /** The row before {@link #position} is given out. */
    void give() {
        hasGiven = true;
    }

    /** Forgets what is left. */
    void clear() {
        from = to;
    }

    /** Has room for {@value #BYTES} bytes together with what is left, which moves; says how much room there is. */
    int turn() {
        byte[] target = hasGiven ? before : bytes;
        if (target.length == 0) {
            target = new byte[BYTES];
        }
        int left = remaining();
        System.arraycopy(bytes, from, target, 0, left);
        before = hasGiven ? bytes : before;
        bytes = target;
        from = 0;
        to = left;
        hasGiven = false;
        return target.length - left;
    }

    /** Where the bytes that are read next belong. */
    int end() {
        return to;
    }

    /** So many were read. */
    void filled(int count) {
        to += count;
    }
}

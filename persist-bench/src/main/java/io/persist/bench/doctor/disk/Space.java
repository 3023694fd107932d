package io.persist.bench.doctor.disk;

/** What is at the place in the file that an operation writes to. */
public enum Space {
    /** Zeros that were written 4 KiB at a time, as Persist fills its segments. */
    ZEROS("written zeros", 4096),
    /** Zeros that were written 1 MiB at a time: a kernel with large folios then treats each MiB as one page. */
    ZEROS_BY_MIB("zeros written by the MiB", 1 << 20),
    /** The end of the file: each write makes it longer. */
    GROWING("growing file", 0);

    private final String words;
    private final int fillLength;

    Space(String words, int fillLength) {
        this.words = words;
        this.fillLength = fillLength;
    }

    public String words() {
        return words;
    }

    /** Bytes that are written at once to fill it, 0 if it is not filled. */
    int fillLength() {
        return fillLength;
    }
}

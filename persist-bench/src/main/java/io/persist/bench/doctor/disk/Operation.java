package io.persist.bench.doctor.disk;

/** What is done with 4 KiB, once for each measured value. */
public enum Operation {
    BUFFERED("write, not synced", "buffered write"),
    FDATASYNC("write + fdatasync", "write + fdatasync"),
    FSYNC("write + fsync", "write + fsync"),
    DSYNC("O_DSYNC write, as mode FILE", "O_DSYNC write"),
    DIRECT_DSYNC("O_DIRECT + O_DSYNC write", "O_DIRECT + O_DSYNC write"),
    MAPPED_FORCE("mapped store + force, as mode MAPPED", "mapped store + force");

    private final String words;
    private final String key;

    Operation(String words, String key) {
        this.words = words;
        this.key = key;
    }

    /** What people read. */
    public String words() {
        return words;
    }

    /** What programs read. */
    public String key() {
        return key;
    }
}

package io.persist.log;

/** How a tailer looks into a segment. */
public enum ReadMode {
    /**
     * Through a mapping: a new record is seen within a microsecond, without a system call. While a tailer is more than
     * 64 KiB behind it reads as with {@link #FILE}, which takes less time than the page faults of a mapping.
     */
    MAPPED,
    /** Through a read buffer: a system call per buffer and per look at the log's end, and no memory is mapped. */
    FILE
}

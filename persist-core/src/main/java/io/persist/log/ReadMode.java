package io.persist.log;

/** How a tailer looks into a segment. */
public enum ReadMode {
    /** Through a mapping: no copy, and a new record is seen within a microsecond. */
    MAPPED,
    /** Through a read buffer: a system call per buffer, and no memory is mapped. */
    FILE
}

package io.persist.log;

/**
 * How records get into a segment. Who says nothing gets the one that suits the configured level: see {@code
 * LogConfig.Builder.writeMode}.
 */
public enum WriteMode {
    /** Stored into the mapped segment: the fastest, and every record is FLUSHED as soon as it is appended. */
    MAPPED,
    /**
     * Gathered in a write buffer and written to the file; the fastest when every commit is SYNCED. Tailers see a record
     * when it is flushed.
     */
    FILE
}

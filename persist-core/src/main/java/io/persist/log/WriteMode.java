package io.persist.log;

/**
 * How records get into a segment. Without a choice a log has the mode that suits its level: see {@code
 * LogConfig.Builder.writeMode}.
 */
public enum WriteMode {
    /** Stored into the mapped segment: the fastest, and every record is FLUSHED as soon as it is appended. */
    MAPPED,
    /**
     * Gathered in a write buffer and written to the file; the fastest when every commit is SYNCED. Tailers see a record
     * when it is flushed.
     */
    FILE;

    /** Decision 0039: a commit that is synced costs least by the file, everything else by the mapping. */
    static WriteMode suiting(Durability level, FileMode fileMode) {
        return level == Durability.SYNCED || fileMode != FileMode.RW ? FILE : MAPPED;
    }
}

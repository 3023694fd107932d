package io.persist.format.control;

/**
 * What a store says of itself in the control block of its log, beside the counters: each is a 64-bit number at a place
 * of its own, written under the store's lock. In a log that is no store's all are 0. Part of the file format. Never
 * change one; add new ones.
 */
public enum StoreFigure {
    CHECKPOINT_BYTES_PER_SECOND(
            2048, "the most that a checkpoint writes in a second; 0: no store has had the log open"),
    CHECKPOINT_PERCENT(2056, "by how much the log has to be longer than a checkpoint before the next one"),
    CHECKPOINT_MIN_LOG_BYTES(2064, "how long the log has to be before the next checkpoint"),
    SYNC_INTERVAL_NS(2072, "the time after which what is committed is synced in the background; 0: never"),
    COMMITS_SYNCED(2080, "1 if commits wait for a sync unless they name another level, else 0"),
    RECOVERY_NS(2088, "how long opening the store took"),
    CHECKPOINTS(2096, "checkpoints written since then"),
    CHECKPOINT_FAILURES(2104, "checkpoints that could not be written"),
    CHECKPOINT_IN_PROGRESS(2112, "1 while one is being written, else 0"),
    CHECKPOINT_STARTED_AT_MS(2120, "when the newest one was begun, by the wall clock, ms since 1970; 0: there is none"),
    CHECKPOINT_NS(2128, "how long the last one took"),
    CHECKPOINT_BYTES(2136, "length of the newest one"),
    CHECKPOINT_POSITION(2144, "where in the log replay would begin");

    private final int offset;
    private final String meaning;

    StoreFigure(int offset, String meaning) {
        this.offset = offset;
        this.meaning = meaning;
    }

    /** Where it is in the control block. */
    public int offset() {
        return offset;
    }

    /** A few words for people. */
    public String meaning() {
        return meaning;
    }
}

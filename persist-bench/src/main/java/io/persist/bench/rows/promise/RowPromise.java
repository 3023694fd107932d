package io.persist.bench.rows.promise;

import io.persist.log.Durability;

/**
 * What a commit of an engine is worth.
 *
 * @param level that each commit waits for: {@code SYNCED} survives a power cut
 * @param syncPages of SQLite's WAL, by {@link WalPages}, after which a commit syncs besides; 0 for never
 * @param words the same for people, with what else has to be known
 */
public record RowPromise(Durability level, long syncPages, String words) {

    /** As SQLite's default has it. */
    private static final long CHECKPOINT_PAGES = 1000;

    /** What Persist does where SQLite is told this. */
    public static RowPromise ofPersist(JournalMode journal, Synchronous synchronous) {
        if (synchronous == Synchronous.OFF) {
            return new RowPromise(
                    Durability.FLUSHED, 0, "flushed: survives the end of the process, and not that of the machine");
        }
        if (synchronous == Synchronous.NORMAL && journal == JournalMode.WAL) {
            return new RowPromise(
                    Durability.FLUSHED,
                    CHECKPOINT_PAGES,
                    "flushed, and synced by each commit that would bring SQLite's WAL to 1000 pages, which 1000"
                            + " commits do at the latest: a power cut takes the commits since");
        }
        return new RowPromise(Durability.SYNCED, 0, "synced: survives a power cut");
    }

    /** What SQLite's documentation says. */
    public static RowPromise ofSqlite(JournalMode journal, Synchronous synchronous) {
        if (synchronous == Synchronous.OFF) {
            return new RowPromise(
                    Durability.FLUSHED,
                    0,
                    "flushed: survives the end of the process; that of the machine may damage the file");
        }
        return switch (journal) {
            case WAL ->
                synchronous == Synchronous.NORMAL
                        ? new RowPromise(
                                Durability.FLUSHED,
                                CHECKPOINT_PAGES,
                                "not durable at commit: the WAL is synced by checkpoints, about every 1000 pages;"
                                        + " a power cut takes the commits since")
                        : new RowPromise(Durability.SYNCED, 0, "synced: survives a power cut");
            case MEMORY, OFF ->
                new RowPromise(
                        Durability.SYNCED,
                        0,
                        "synced, but not atomic: a stop in the middle of a commit damages the file");
            case DELETE, TRUNCATE, PERSIST -> ofRollback(journal, synchronous);
        };
    }

    private static RowPromise ofRollback(JournalMode journal, Synchronous synchronous) {
        String words = "synced: survives a power cut";
        if (synchronous == Synchronous.NORMAL) {
            words = "synced once less: a power cut may roll back the last commit, or on old file systems damage all";
        } else if (journal == JournalMode.DELETE && synchronous == Synchronous.FULL) {
            words = "synced, but not that the journal is deleted: a power cut may roll back the last commit";
        }
        return new RowPromise(Durability.SYNCED, 0, words);
    }
}

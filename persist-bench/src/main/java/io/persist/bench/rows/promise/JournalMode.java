package io.persist.bench.rows.promise;

/** How SQLite can undo a transaction that a crash has cut off. */
public enum JournalMode {
    DELETE,
    TRUNCATE,
    PERSIST,
    MEMORY,
    WAL,
    OFF
}

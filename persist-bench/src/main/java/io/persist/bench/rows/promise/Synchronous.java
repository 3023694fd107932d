package io.persist.bench.rows.promise;

/** How much SQLite syncs. */
public enum Synchronous {
    OFF,
    NORMAL,
    FULL,
    EXTRA
}

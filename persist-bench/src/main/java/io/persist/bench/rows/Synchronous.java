package io.persist.bench.rows;

/** How much SQLite syncs. */
public enum Synchronous {
    OFF,
    NORMAL,
    FULL,
    EXTRA
}

package io.persist.bench.device.engine;

/** What has to be known of an engine to ask it only for what it does. */
public enum Trait {
    /** Has several operations in flight; the others have one. */
    QUEUES,
    /** Goes past the page cache. */
    DIRECT,
    /** Each write is synced by the call itself, so that no sync follows. */
    SYNCED,
    /** Cannot append: it reaches a part of a file that is there. */
    FIXED_LENGTH
}

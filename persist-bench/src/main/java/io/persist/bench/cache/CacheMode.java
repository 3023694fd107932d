package io.persist.bench.cache;

import java.util.Locale;

/** What a set waits for, in the words of ARCUS. */
public enum CacheMode {
    /** Nothing is logged: a map on the heap. */
    OFF,
    /** A set is done when it is in the log; a background thread syncs that by time. */
    ASYNC,
    /** A set is done when it is on the device. */
    SYNC;

    /** As it is typed. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package io.persist.memcached.server;

import io.persist.memcached.cache.Cache;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What all connections share.
 *
 * @param cache the items
 * @param stats what clients may ask for
 * @param open how many connections there are
 * @param slow those of whom too much is unread
 * @param failure is completed when the server cannot go on: the log has failed, or an event loop has ended
 */
record Service(Cache cache, Stats stats, AtomicInteger open, SlowClients slow, CompletableFuture<Throwable> failure) {

    /** At first; clients may leave {@code mostUnreadBytes} of answers unread, all together. */
    static Service of(Cache cache, Stats stats, long mostUnreadBytes) {
        return new Service(
                cache, stats, stats.open(), new SlowClients(mostUnreadBytes, stats), new CompletableFuture<>());
    }
}

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
 * @param failure is completed when the server cannot go on: the log has failed, or an event loop has ended
 */
record Service(Cache cache, Stats stats, AtomicInteger open, CompletableFuture<Throwable> failure) {}

/**
 * What the commands mean. {@link io.persist.memcached.cache.Cache} changes items, under a lock for some of the keys
 * each, in {@link io.persist.memcached.cache.Items}: a map on the heap, or a store. {@link
 * io.persist.memcached.cache.Flushes} has a lock that a flush_all takes alone, and commands that change an item share.
 * A change has a position; {@link io.persist.memcached.cache.Items#whenSafe} tells when it may be acknowledged. Event
 * loops call it all, and no call waits for the device; {@link io.persist.memcached.cache.Sweeper} has a thread of its
 * own.
 */
@NullMarked
package io.persist.memcached.cache;

import org.jspecify.annotations.NullMarked;

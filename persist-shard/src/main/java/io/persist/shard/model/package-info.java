/**
 * The words of a shard that users name: values only, with no connection to anything.
 *
 * <pre>
 *    times:   0 ......... since ............. upper ........→
 *             compacted   readable exactly    not written yet
 *    Update   (key, value, time, diff)   Frontier   a time, or EMPTY: behind all times
 *    Codec    bytes of a key or value    ShardConfig   limits, leases and the clock
 * </pre>
 */
@NullMarked
package io.persist.shard.model;

import org.jspecify.annotations.NullMarked;

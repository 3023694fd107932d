/**
 * Where shards are for the time of a program: in memory, in a directory that goes when it ends, or at a place that
 * is there. And what all programs of shards share: flags, the frame of a run, results for {@code bin/persist
 * report}.
 */
@NullMarked
package io.persist.shard.bench.place;

import org.jspecify.annotations.NullMarked;

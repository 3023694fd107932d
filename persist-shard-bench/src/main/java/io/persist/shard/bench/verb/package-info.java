/**
 * {@code bin/persist shards}: what operators do. Only {@code gc} changes anything.
 */
@NullMarked
package io.persist.shard.bench.verb;

import org.jspecify.annotations.NullMarked;

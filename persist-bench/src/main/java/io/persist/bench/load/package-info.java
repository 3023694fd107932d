/**
 * Threads that write and read a {@link io.persist.bench.load.Journal}: the {@link io.persist.bench.load.WriteLoop} of a
 * producer, followers that see what is written meanwhile, and the {@link io.persist.bench.load.ReadPass} that compares
 * everything in the end.
 */
@NullMarked
package io.persist.bench.load;

import org.jspecify.annotations.NullMarked;

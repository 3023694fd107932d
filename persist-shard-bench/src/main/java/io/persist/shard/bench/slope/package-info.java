/**
 * {@code bin/persist shard-cas}: a compare-and-set after more and more states.
 */
@NullMarked
package io.persist.shard.bench.slope;

import org.jspecify.annotations.NullMarked;

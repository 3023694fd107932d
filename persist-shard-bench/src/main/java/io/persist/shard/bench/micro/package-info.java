/**
 * {@code bin/persist shard-bench}: the cost of each operation, in the sizes that Materialize measures its own
 * persist with.
 */
@NullMarked
package io.persist.shard.bench.micro;

import org.jspecify.annotations.NullMarked;

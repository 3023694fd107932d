/**
 * The flags of the benchmark programs, and whether their values are of use.
 */
@NullMarked
package io.persist.bench.flags;

import org.jspecify.annotations.NullMarked;

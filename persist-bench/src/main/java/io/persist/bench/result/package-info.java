/**
 * What runs of benchmarks leave behind: a directory per run, with {@code run.json} and a histogram log per series. The
 * programs and the comparisons with peers write it, the report reads it.
 */
@NullMarked
package io.persist.bench.result;

import org.jspecify.annotations.NullMarked;

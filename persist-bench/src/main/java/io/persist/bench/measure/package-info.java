/**
 * One measurement: its {@link io.persist.bench.measure.Setup}, the warm-up before it, the loops and recorders that it
 * starts and ends, and what it prints meanwhile.
 */
@NullMarked
package io.persist.bench.measure;

import org.jspecify.annotations.NullMarked;

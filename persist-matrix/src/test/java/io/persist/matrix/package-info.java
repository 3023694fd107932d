/**
 * The matrix of faults: what can happen to a log, tried on every kind of logger, in few cases with each build and in
 * many at night.
 *
 * <p>A {@link io.persist.matrix.Row} is a fault. An {@link io.persist.matrix.Exercise} does it to a {@link
 * io.persist.matrix.Subject}, which is a logger in one configuration, as often as its {@link io.persist.matrix.Effort}
 * says, and fails if the contract is broken. {@link io.persist.matrix.Matrix} makes JUnit's tests of them; the packages
 * below this one have the exercises, by what they do.
 *
 * <p>{@code -Drow=} and {@code -Dsubject=} choose, {@code -Dseed=} repeats one case. {@code target/matrix} has the
 * counts.
 */
@NullMarked
package io.persist.matrix;

import org.jspecify.annotations.NullMarked;

/** Builds that are broken on purpose, and the exercises that have to find them out. */
@NullMarked
package io.persist.matrix.control;

import org.jspecify.annotations.NullMarked;

/** Kills and power cuts. */
@NullMarked
package io.persist.matrix.power;

import org.jspecify.annotations.NullMarked;

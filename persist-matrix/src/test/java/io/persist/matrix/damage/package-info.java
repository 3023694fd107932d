/** Damaged, foreign, outdated and impossible files. */
@NullMarked
package io.persist.matrix.damage;

import org.jspecify.annotations.NullMarked;

/** Who may open a log, and what is in its place. */
@NullMarked
package io.persist.matrix.access;

import org.jspecify.annotations.NullMarked;

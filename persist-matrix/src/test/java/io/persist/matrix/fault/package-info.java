/** Disks that are full, and operations that fail. */
@NullMarked
package io.persist.matrix.fault;

import org.jspecify.annotations.NullMarked;

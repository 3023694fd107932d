/** A codec for the objects of chronicle-bytes. */
@NullMarked
package io.persist.chronicle;

import org.jspecify.annotations.NullMarked;

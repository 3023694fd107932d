/** Objects to bytes and back. */
@NullMarked
package io.persist.codec;

import org.jspecify.annotations.NullMarked;

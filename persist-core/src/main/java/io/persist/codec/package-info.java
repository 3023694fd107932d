/** Messages to bytes and back, by codecs that users bring. */
@NullMarked
package io.persist.codec;

import org.jspecify.annotations.NullMarked;

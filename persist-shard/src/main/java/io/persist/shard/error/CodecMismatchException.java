package io.persist.shard.error;

import org.jspecify.annotations.Nullable;

/**
 * The shard was created with other codecs. Open it with those that the message names.
 */
public final class CodecMismatchException extends ShardException {

    private static final long serialVersionUID = 1L;

    /** {@code cause} is what the layer below said, or null. */
    public CodecMismatchException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

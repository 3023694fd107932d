package io.persist.codec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Makes messages of bytes. {@link #decode} is what a format implements, {@link #read} what readers call:
 *
 * <pre>{@code
 * Order order = decoder.read(tailer.payload());
 * }</pre>
 *
 * <p><b>Threads:</b> that of the reader; one that keeps nothing for itself is for any number of them.
 *
 * @param <T> what it makes
 */
@FunctionalInterface
public interface Decoder<T> {

    /**
     * The message that is in {@code payload}, from its position to its limit. The bytes are those of a log: whoever
     * wrote it may mean harm. They are there during this call, so what is kept of them has to be copied.
     *
     * @throws IOException if this is no such message
     */
    T decode(ByteBuffer payload) throws IOException;

    /**
     * The message that is in {@code payload}, whose position may have moved afterwards.
     *
     * @throws UncheckedIOException if this is no such message
     */
    default T read(ByteBuffer payload) {
        try {
            return decode(payload);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot decode the message: " + e.getMessage(), e);
        }
    }
}

package io.persist.codec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Makes messages from bytes. {@link #decode} is what a format implements, {@link #read} what readers call:
 *
 * <pre>{@code
 * Order order = decoder.read(tailer.payload());
 * }</pre>
 *
 * <p><b>Threads:</b> the reader's thread. Several readers can share a decoder that keeps no state.
 *
 * @param <T> what it makes
 */
@FunctionalInterface
public interface Decoder<T> {

    /**
     * The message that is in {@code payload}, from its position to its limit. The bytes come from a log, which an
     * attacker may have written. They are valid during this call only, so copy what you keep.
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

package io.persist.codec;

import java.io.IOException;

/**
 * Writes messages as bytes, for a logger that appends them. It is a few lines over any format: binary fields, JSON,
 * protobuf, SBE.
 *
 * <p><b>Threads:</b> it is called by the thread that appends. A detached logger and a store have several of them, and
 * call one encoder from all of them at once; what it needs for itself is best kept in a {@link Pool}.
 *
 * @param <T> what it writes
 */
@FunctionalInterface
public interface Encoder<T> {

    /**
     * Writes {@code message} to {@code output}, which is empty and belongs to this call only. If it throws, nothing is
     * appended.
     *
     * @throws IOException if the format says so; the caller of the logger gets an {@link java.io.UncheckedIOException}.
     *     {@code output} itself throws none
     */
    void encode(T message, MessageOutput output) throws IOException;
}

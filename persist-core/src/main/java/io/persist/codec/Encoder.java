package io.persist.codec;

import java.io.IOException;

/**
 * Writes messages as bytes, for a logger that appends them. It is a few lines over any format: binary fields, JSON,
 * protobuf, SBE.
 *
 * <p><b>Threads:</b> the thread that appends calls it. A detached logger and a store have several such threads, which
 * may call one encoder at the same time; an encoder keeps its own state best in a {@link Pool}.
 *
 * @param <T> what it writes
 */
@FunctionalInterface
public interface Encoder<T> {

    /**
     * Writes {@code message} to {@code output}, which is empty and belongs to this call only. If it throws, nothing is
     * appended.
     *
     * @throws IOException if the message cannot be written; the logger's caller gets an {@link
     *     java.io.UncheckedIOException}. {@code output} itself throws none
     */
    void encode(T message, MessageOutput output) throws IOException;
}

package io.persist.bench.record;

import java.nio.ByteBuffer;

/**
 * The messages of a run. Each can be made again from its index, so that the read pass can compare every record with
 * what was written without a copy of it all.
 *
 * <p><b>Threads:</b> one. <b>Allocation:</b> none in {@link #message}.
 */
public interface Messages {

    /** A message, from position to limit; the buffer is valid until the next call. The first index is 0. */
    ByteBuffer message(long index);

    /** The same messages, for another thread. */
    Messages copy();

    /** Bytes of the longest message. */
    int maxLength();

    /** Bytes of a message on average. */
    double averageLength();

    /** What they are, for the parameters block. */
    String describe();

    /** Makes an object of a message that was read, from position to limit; both may be moved. Allocates. */
    default Object decode(ByteBuffer message) {
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        return bytes;
    }
}

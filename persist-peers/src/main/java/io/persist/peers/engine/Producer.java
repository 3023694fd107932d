package io.persist.peers.engine;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Appends messages to an engine. <b>Threads:</b> one. */
public interface Producer extends AutoCloseable {

    /**
     * The message that the next append will take, whole: a little-endian buffer of the configured length, the same one
     * for the producer's life, so that an engine can wrap it once. The caller writes into it between appends, at
     * absolute places, and leaves its position and limit alone.
     */
    ByteBuffer message();

    /** Appends the message. When it returns, the message may be changed. */
    void append() throws IOException;

    /** Waits until what this producer appended has the durability of the configuration. Nothing to do at BUFFERED. */
    void commit() throws IOException;

    @Override
    void close() throws IOException;
}

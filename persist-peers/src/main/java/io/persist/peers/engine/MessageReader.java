package io.persist.peers.engine;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads the messages of an engine in order. <b>Threads:</b> one. */
public interface MessageReader extends AutoCloseable {

    /** Shown a message: {@code length} bytes at {@code offset}, little-endian, for the time of the call. */
    @FunctionalInterface
    interface Handler {
        void onMessage(ByteBuffer buffer, int offset, int length);
    }

    /** Shows the next messages that are there, at most {@code limit}, and does not wait; returns how many. */
    int poll(Handler handler, int limit) throws IOException;

    @Override
    void close() throws IOException;
}

package io.persist.peers.engine;

import java.io.IOException;

/**
 * A log of messages, open in one directory, as the comparison uses each of them. All messages have the length of the
 * {@link EngineConfig}.
 *
 * <p><b>Threads:</b> producers and readers are each for one thread; as many threads as the configuration says may have
 * a producer of their own.
 */
public interface Engine extends AutoCloseable {

    /** A producer of messages for one thread. */
    Producer producer() throws IOException;

    /**
     * A reader from the first message on, of another thread or another process than the producers'. Engines that can
     * read only while a writer is open, or only in its process, or only what comes from now on, say so by {@link
     * EngineKind#reading}.
     */
    MessageReader reader() throws IOException;

    /** Waits until everything that was appended has at least the durability that commits wait for. */
    void drain() throws IOException;

    /** An orderly end, after which the log can be opened again. */
    @Override
    void close() throws IOException;
}

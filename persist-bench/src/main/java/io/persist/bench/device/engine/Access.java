package io.persist.bench.device.engine;

import java.io.IOException;

/**
 * A file that is reached in one way, for one cell. One thread at a time uses it, and begins at most as many operations
 * as the depth allows before it waits for one.
 */
public interface Access extends AutoCloseable {

    /** Begins an operation; an engine that does not queue ends it too. */
    void begin(Request request) throws IOException;

    /**
     * Waits for one of those that were begun, and returns it. All of its block has been read, or written and, if it is
     * synced, synced.
     */
    Request await() throws IOException;

    @Override
    void close() throws IOException;
}

package io.persist.index.node;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Holds at most one chunk that is allocated ahead: a background thread puts it here, and the index takes it.
 *
 * <p><b>Threads:</b> any.
 */
final class SpareChunk {

    private @Nullable ByteBuffer chunk;
    private boolean gaveUp;

    /** Whether there is none, and the last attempt to allocate one did not fail. */
    synchronized boolean isMissing() {
        return chunk == null && !gaveUp;
    }

    synchronized long bytes() {
        return chunk == null ? 0 : NodeChunks.CHUNK_LENGTH;
    }

    synchronized void put(ByteBuffer spare) {
        chunk = spare;
    }

    /** There was no memory. There is no new attempt before the index itself got some. */
    synchronized void giveUp() {
        gaveUp = true;
    }

    synchronized void hope() {
        gaveUp = false;
    }

    synchronized @Nullable ByteBuffer take() {
        ByteBuffer taken = chunk;
        chunk = null;
        return taken;
    }
}

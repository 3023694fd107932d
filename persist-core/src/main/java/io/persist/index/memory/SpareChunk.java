package io.persist.index.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds at most one chunk that is allocated ahead: a background thread puts it here, and the index takes it. It also
 * remembers that the JVM has refused memory: to ask takes more than half a second then.
 *
 * <p><b>Threads:</b> any.
 */
final class SpareChunk {

    /** A background thread asks again after so long; the thread that has the lock does not. */
    static final long REFUSED_NS = TimeUnit.SECONDS.toNanos(10);

    private final LongSupplier clock;
    private @Nullable ByteBuffer chunk;
    private boolean isRefused;
    private boolean isEnough;
    private long refusedAtNs;

    SpareChunk(LongSupplier clock) {
        this.clock = clock;
    }

    /** Whether there is none, and it is time to ask for one. */
    synchronized boolean isMissing() {
        return chunk == null && !isEnough && (!isRefused || clock.getAsLong() - refusedAtNs >= REFUSED_NS);
    }

    synchronized long bytes() {
        return chunk == null ? 0 : NodeChunks.CHUNK_LENGTH;
    }

    /** False if it is one too many: there is one, or the index has all chunks that it may have. */
    synchronized boolean put(ByteBuffer spare) {
        isRefused = false;
        boolean isWanted = chunk == null && !isEnough;
        chunk = isWanted ? spare : chunk;
        return isWanted;
    }

    /** The index has all chunks that it may have. One that is being allocated now is one too many. */
    synchronized void end() {
        isEnough = true;
    }

    /** The index may have more chunks again. */
    synchronized void goOn() {
        isEnough = false;
    }

    /** There was no memory. */
    synchronized void refuse() {
        isRefused = true;
        refusedAtNs = clock.getAsLong();
    }

    /** Whether there was none when it was asked for last. */
    synchronized boolean isRefused() {
        return isRefused;
    }

    synchronized @Nullable ByteBuffer take() {
        ByteBuffer taken = chunk;
        chunk = null;
        return taken;
    }
}

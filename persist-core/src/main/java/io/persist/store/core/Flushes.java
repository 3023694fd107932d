package io.persist.store.core;

import io.persist.log.Durability;
import io.persist.log.engine.LogWriter;

/**
 * Brings what is committed to the log's files: out of a write buffer under the store's lock, and out of a queue without
 * it, since the thread that writes may wait for the device.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none.
 */
public final class Flushes {

    private final StoreCore core;
    private final LogWriter writer;
    private final boolean isQueued;

    Flushes(StoreCore core) {
        this.core = core;
        this.writer = core.writer();
        this.isQueued = core.isQueued();
    }

    /** Whether a value at {@code position} can be read without a wait for a queue. */
    boolean isWritten(long position) {
        return !isQueued || position < writer.positions().flushed();
    }

    /** Waits until what is before {@code end} has come out of a queue. Without the lock. */
    public void awaitWritten(long end) {
        if (isQueued) {
            writer.awaitUninterruptibly(end, Durability.FLUSHED);
        }
    }

    /** Flushes what is before {@code end} and in a write buffer, if there is one. Under the lock. */
    void flushBuffer(long end) {
        if (!isQueued && writer.positions().flushed() < end) {
            writer.flush();
        }
    }

    /** Flushes what is committed and in a write buffer, if there is one; returns the end of what is committed. */
    public long flushBuffer() {
        try {
            core.lock();
            try {
                if (!isQueued) {
                    writer.flush();
                }
                return core.appliedEnd();
            } finally {
                core.unlock();
            }
        } finally {
            core.unlock(); // see Turn
        }
    }

    /** Flushes what is committed. */
    public void flush() {
        awaitWritten(flushBuffer());
    }

    /** Whether what is before {@code end} has come out of a queue, so that it need not wait for space to be synced. */
    public boolean isAppended(long end) {
        return writer.positions().published() >= end;
    }

    /** Makes what is committed before {@code end} SYNCED. */
    public void sync(long end) {
        flushBuffer();
        writer.awaitUninterruptibly(end, Durability.SYNCED);
    }

    /** Makes what is committed SYNCED. */
    public void sync() {
        writer.awaitUninterruptibly(flushBuffer(), Durability.SYNCED);
    }
}

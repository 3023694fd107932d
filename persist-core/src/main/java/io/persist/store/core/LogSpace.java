package io.persist.store.core;

import io.persist.log.engine.LogWriter;
import io.persist.log.space.RecordSpace;
import io.persist.log.thread.Turn;
import java.util.function.BooleanSupplier;

/**
 * Has the threads that append to the log of a store wait for space without the store's lock: when a device hangs, or a
 * queue is full, other threads go on reading meanwhile. So they do while commits are slowed down to the device's speed.
 *
 * <p>A thread asks with the lock, right before it appends. If there is no space it gives the lock back, waits, and
 * tries again from the beginning, for the store may have changed. One thread waits at a time. Others append only if
 * they leave it what it waits for: else those with short records would keep one with a long record waiting.
 *
 * <p>A thread has to call {@link #leave} in the end, in two {@code finally} blocks, as {@link Turn} says. In between it
 * must not wait for what another thread appends.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none, but for a thread that waits.
 */
public final class LogSpace {

    private final StoreCore core;
    private final LogWriter writer;
    private final RecordSpace space;

    /** Has the thread that waits, until it has appended. It is taken without the store's lock. */
    private final Turn turn = new Turn();

    /** So long a record it will append; 0 if none waits. Stored by the thread that has the turn. */
    private volatile int awaited;

    /** Whether a thread that waits has something to wait for. */
    private final BooleanSupplier isOpen;

    LogSpace(StoreCore core) {
        this.core = core;
        this.writer = core.writer();
        this.space = writer.recordSpace();
        this.isOpen = () -> !core.isClosed();
        space.takePauses();
    }

    /**
     * Whether a record of {@code length} bytes may be appended now; else {@link #await} comes first. Under the store's
     * lock.
     */
    boolean has(int length) {
        boolean has = space.has(length, turn.isMine() ? 0 : awaited);
        if (!has && !core.isQueued()) {
            writer.flush(); // the device has to be given what a write buffer has, or there will never be more space
        }
        return has;
    }

    /**
     * Enters the store by {@code lock}, when a record of {@code length} bytes may be appended. Later both {@link
     * StoreCore#unlock} and {@link #leave} are to be called, also if this throws.
     */
    public void enter(int length, Runnable lock) {
        lock.run();
        while (!has(length)) {
            core.unlock();
            await(length);
            lock.run();
        }
    }

    /**
     * Waits for that, without the lock. The store may have been closed afterwards, or have failed.
     *
     * <p>The threads behind the one that waits look for space themselves now and then: that one may be a virtual thread
     * that has slept, and gets no carrier as long as those behind it have them all.
     *
     * @throws io.persist.error.LogFullException if there is no space, as an append would
     * @throws io.persist.error.QueueFullException if a queue had no place for as long as is configured
     */
    void await(int length) {
        long startNs = System.nanoTime();
        if (turn.takeUnless(() -> core.ask(() -> has(length)), Long.MAX_VALUE)) {
            awaited = length;
            space.await(length, startNs, isOpen);
        }
    }

    /** Ends what {@link #await} has begun; in a thread that has not waited it does nothing. */
    public void leave() {
        if (turn.isMine()) {
            awaited = 0;
            turn.giveBack();
        }
    }
}

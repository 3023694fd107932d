package io.persist.store.core;

import io.persist.format.TransactionLayout;
import io.persist.log.engine.LogWriter;
import io.persist.log.space.Headroom.Reserve;
import io.persist.log.space.RecordSpace;
import io.persist.log.thread.Turn;
import io.persist.store.staged.StagedChanges;
import io.persist.store.state.LiveBytes;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Has the threads that append to the log of a store wait for space without the store's lock: when a device hangs, or a
 * queue is full, other threads go on reading meanwhile. So they do while commits are slowed down to the device's speed.
 *
 * <p>A thread asks with the lock, right before it appends. If there is no space it gives the lock back, waits, and
 * tries again from the beginning, for the store may have changed. One thread waits at a time. Others append only if
 * they leave it what it waits for: else those with short records would keep one with a long record waiting.
 *
 * <p>When the disk is full, what frees space may use the reserve: transactions that remove and put little, and the
 * moves out of the oldest segment, which goes without a block for a placeholder.
 *
 * <p>A thread has to call {@link #leave} in the end, in two {@code finally} blocks, as {@link Turn} says. In between it
 * must not wait for what another thread appends.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none, but for a thread that waits.
 */
public final class LogSpace {

    /** A removal may take so much of puts along, bytes: where a log begins now, how far a stream is processed. */
    private static final int PUT_WITH_REMOVALS = 256;

    private final StoreCore core;
    private final LogWriter writer;
    private final RecordSpace space;
    private final RecordSpace ahead; // the same, or that behind a queue

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
        this.ahead = core.log().recordSpace();
        space.takePauses();
        ahead.keepReserve();
    }

    /** Whether the record of {@code staged} may be appended now; else {@link #await} comes first. Under the lock. */
    boolean has(StagedChanges staged) {
        int length = staged.length();
        return isThere(length, Reserve.KEEP) || has(length, use(staged));
    }

    private static Reserve use(StagedChanges staged) {
        boolean removes = false;
        int put = 0;
        for (int entry = TransactionLayout.HEADER_LENGTH; entry < staged.length() && put <= PUT_WITH_REMOVALS; ) {
            int next = staged.next(entry);
            if (staged.isPut(entry)) {
                put += next - entry;
            } else {
                removes = true;
            }
            entry = next;
        }
        return removes && put <= PUT_WITH_REMOVALS ? Reserve.HALF : Reserve.KEEP;
    }

    /** The same for a record of {@code length} bytes. */
    private boolean has(int length, Reserve use) {
        boolean has = isThere(length, use);
        if (!has && !core.isQueued()) {
            writer.flush(); // the device has to be given what a write buffer has, or there will never be more space
        }
        return has;
    }

    private boolean isThere(int length, Reserve use) {
        return space.has(length, awaitedByOthers(use), use) && !(core.isQueued() && isShortFor(length, use));
    }

    /** What another thread waits for is not left to it if it would not get it: it has not the same use. */
    private int awaitedByOthers(Reserve use) {
        boolean isOthers = !turn.isMine() && (use == Reserve.KEEP || !ahead.isShort());
        return isOthers ? awaited : 0;
    }

    /** What a queue takes and finds no space would keep all that comes behind it from the log, removals too. */
    private boolean isShortFor(long bytes, Reserve use) {
        return ahead.isShort() && ahead.isShortFor(core.appliedEnd(), bytes + awaitedByOthers(use), use);
    }

    /** Whether no more space can be made for now, as on a full disk. */
    public boolean isShort() {
        return ahead.isShort();
    }

    /** Whether it is like that, and there is enough to move so many bytes all the same. Under the store's lock. */
    public boolean isShortButEnough(long bytes) {
        return ahead.isShort() && !isShortFor(bytes, Reserve.USE);
    }

    /**
     * Enters the store by {@code lock}, when a record of {@code length} bytes may be appended. Later both {@link
     * StoreCore#unlock} and {@link #leave} are to be called, also if this throws.
     */
    public void enter(int length, Reserve use, Runnable lock) {
        enter(length, () -> use, lock);
    }

    /**
     * The same for a record with some of the values that are moved out of the segment at {@code base}. It may use the
     * reserve if that is the oldest one, and there is space for all that is needed in it.
     */
    public void enterToMove(int length, long base, Runnable lock) {
        LiveBytes live = core.state().live();
        enter(length, () -> live.base(0) == base && isShortButEnough(live.live(0)) ? Reserve.USE : Reserve.KEEP, lock);
    }

    /** Asks for {@code use} under the lock. */
    private void enter(int length, Supplier<Reserve> use, Runnable lock) {
        lock.run();
        for (Reserve now = use.get(); !has(length, now); now = use.get()) {
            core.unlock();
            await(length, now);
            lock.run();
        }
    }

    /**
     * Waits for space for the record of {@code staged}, without the lock. The store may have been closed afterwards, or
     * have failed.
     *
     * <p>The threads behind the one that waits look for space themselves now and then: that one may be a virtual thread
     * that has slept, and gets no carrier as long as those behind it have them all.
     *
     * @throws io.persist.error.LogFullException if there is no space, as an append would
     * @throws io.persist.error.QueueFullException if a queue had no place for as long as is configured
     */
    void await(StagedChanges staged) {
        await(staged.length(), use(staged));
    }

    /** The same for a record of {@code length} bytes. */
    void await(int length, Reserve use) {
        long startNs = System.nanoTime();
        if (turn.takeUnless(() -> core.ask(() -> has(length, use)), Long.MAX_VALUE)) {
            awaited = length;
            space.await(length, use, startNs, isOpen);
            if (core.isQueued()) {
                awaitBehindQueue(length, use, startNs);
            }
        }
    }

    private void awaitBehindQueue(int length, Reserve use, long startNs) {
        long end = core.read(core::appliedEnd);
        if (ahead.isShortFor(end, length, use)) {
            try {
                ahead.await(end - core.log().positions().published() + length, use, startNs, isOpen);
            } finally {
                space.countWaits();
            }
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

package io.persist.store.engine;

import io.persist.format.Frame;
import io.persist.format.TransactionLayout;
import io.persist.log.space.Headroom.Reserve;
import io.persist.store.core.StoreCore;
import java.util.function.LongSupplier;

/**
 * Ends the segment of a store's log that is being written. A transaction without changes is the first in the next one:
 * a checkpoint behind it has all of the segment below it, and that can be taken away, since the last record is not in
 * it.
 *
 * <p><b>Threads:</b> any.
 */
public final class SegmentEnd {

    /** In place of a position: no segment was ended. */
    private static final long NONE = -1;

    /** What that transaction takes. */
    private static final int LENGTH_OF_NOTHING = Frame.aligned(Frame.HEADER_LENGTH + TransactionLayout.HEADER_LENGTH);

    private final StoreCore core;
    private final LongSupplier appendNothing;

    /**
     * Where the log ended behind that transaction, the first one of its segment; nothing was committed since if it
     * still ends there. Under the lock.
     */
    private long lastEnd = NONE;

    /** Of the log of {@code core}; {@code appendNothing} appends that transaction, and returns where it ends. */
    public SegmentEnd(StoreCore core, LongSupplier appendNothing) {
        this.core = core;
        this.appendNothing = appendNothing;
    }

    /** As {@code StoreLogger.roll} says. */
    public long roll() {
        core.checkOutside(); // else a call within a flush would give back the turn for space of the one around it
        core.writer().recordSpace().prepareRoll(); // or the wait for it might be one with the store's lock
        try {
            return rollOnce();
        } finally {
            core.unlock(); // see Turn
            core.space().leave();
        }
    }

    private long rollOnce() {
        long next = end();
        if (next != NONE) {
            long end = appendNothing.getAsLong();
            if (end - LENGTH_OF_NOTHING == next) { // else another thread has committed in between, to this segment
                core.locked(() -> lastEnd = end);
            }
        }
        return core.read(core::appliedEnd);
    }

    /** Returns where the log goes on, or that there is nothing to end. */
    private long end() {
        try {
            core.space().enter(TransactionLayout.HEADER_LENGTH, Reserve.KEEP, core::lock);
            long before = core.appliedEnd();
            if (before == lastEnd) {
                return NONE;
            }
            long next = core.writer().roll();
            return next > before ? next : NONE;
        } finally {
            core.unlock();
            core.space().leave();
        }
    }
}

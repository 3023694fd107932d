package io.persist.store.engine;

import io.persist.format.TransactionLayout;
import io.persist.store.checkpoint.Checkpointer;
import io.persist.store.core.StoreCore;

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

    private final StoreCore core;
    private final Checkpointer checkpointer;

    /** Where the log ended behind the last one; nothing was committed since if it still ends there. Under the lock. */
    private long lastEnd = NONE;

    /** Of the log of {@code core}; {@code checkpointer} appends what moves its end on. */
    public SegmentEnd(StoreCore core, Checkpointer checkpointer) {
        this.core = core;
        this.checkpointer = checkpointer;
    }

    /** As {@code StoreLogger.roll} says. */
    public long roll() {
        core.checkOutside(); // else a call within a flush would give back the turn for space of the one around it
        if (core.writer() == core.log()) {
            core.log().recordSpace().prepareRoll(); // or the wait for it might be one with the store's lock
        }
        if (end() != NONE) {
            long end = checkpointer.appendNothing();
            core.locked(() -> lastEnd = end);
        }
        return core.read(core::appliedEnd);
    }

    /** Returns where the log goes on, or that there is nothing to end. */
    private long end() {
        try {
            core.space().enter(TransactionLayout.HEADER_LENGTH, core::lock);
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

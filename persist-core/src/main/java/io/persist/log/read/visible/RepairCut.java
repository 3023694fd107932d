package io.persist.log.read.visible;

import io.persist.log.control.ControlFile;
import org.jspecify.annotations.Nullable;

/**
 * Where a repair has cut the log that a tailer reads: from when that was noticed until it is clear whether the tailer
 * is behind that place. There it would go on in the middle of what was appended since, and leave out what comes before.
 *
 * <p><b>Threads:</b> its tailer's.
 */
public final class RepairCut {

    /** There was no repair. */
    public static final long NONE = Long.MAX_VALUE;

    private long position = NONE;

    /** The lowest that was taken, until it is asked for. */
    private long lowest = NONE;

    /** Notes where a repair has cut the log, if it has taken {@code control} away; returns whether it has. */
    boolean noticeIn(@Nullable ControlFile control) {
        if (control == null || !control.block().isSetAside()) {
            return false;
        }
        note(control.block().cut());
        return true;
    }

    /** A repair has cut the log at {@code cut}. */
    public void note(long cut) {
        position = Math.min(position, cut);
    }

    /** Whether there is one to be looked at. */
    public boolean isNoted() {
        return position != NONE;
    }

    /** Whether a tailer whose next record begins at {@code next} is behind it. */
    public boolean isBefore(long next) {
        return position < next;
    }

    /** Forgets where it is, and returns that. */
    public long take() {
        long taken = position;
        position = NONE;
        lowest = Math.min(lowest, taken);
        return taken;
    }

    /** The lowest that was taken since this was asked last: above it, what was known of the log counts no more. */
    public long takeLowest() {
        long taken = lowest;
        lowest = NONE;
        return taken;
    }
}

package io.persist.log.read;

import io.persist.error.CorruptLogException;
import io.persist.format.LogFileName;
import io.persist.log.read.visible.CurrentControl;
import io.persist.log.read.visible.RepairCut;
import java.io.IOException;

/**
 * Keeps a tailer from going on behind the place where a repair has cut its log.
 *
 * <p><b>Threads:</b> its tailer's.
 */
final class RepairWatch {

    private final CurrentControl control;
    private final FrameCursor cursor;

    /** Of the tailer with {@code cursor}; {@code control} notices repairs. */
    RepairWatch(CurrentControl control, FrameCursor cursor) {
        this.control = control;
        this.cursor = cursor;
    }

    /**
     * There was no next record: looks whether a repair is why, and goes on where that left off.
     *
     * @return whether there is one
     * @throws CorruptLogException if the log was cut before the tailer
     */
    boolean nextAfterRepair() throws IOException {
        checkCut();
        if (!control.cut().isNoted()) {
            return false;
        }
        takeCut();
        return cursor.next();
    }

    /** Forgets where a repair has cut the log, and returns that: the cursor reads anew from here on. */
    long takeCut() {
        long cut = control.cut().take();
        if (cut != RepairCut.NONE) {
            cursor.leaveRecord();
            cursor.close(); // the file may be aside by now, and what was read ahead of it
        }
        return cut;
    }

    /** The cursor; throws if a repair has cut the log before it. */
    FrameCursor uncutCursor() {
        checkCut();
        return cursor;
    }

    /** Above this place the log has changed since this was asked last, as far as the cursor has gone on beyond it. */
    long changedFrom() {
        return control.cut().takeLowest();
    }

    /** Whether a repair has cut the log before the cursor. */
    boolean isBeyondCut() {
        return control.cut().isBefore(cursor.nextPosition());
    }

    private void checkCut() {
        if (isBeyondCut()) {
            throw beyondCut();
        }
    }

    /** What a tailer throws if a repair has cut the log before it. */
    CorruptLogException beyondCut() {
        return new CorruptLogException(
                LogFileName.segment(cursor.neededPosition()),
                cursor.nextPosition(),
                "a repair has cut the log before this tailer",
                "go on from the log's first record");
    }
}

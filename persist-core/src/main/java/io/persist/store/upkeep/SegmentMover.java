package io.persist.store.upkeep;

import io.persist.format.Frame;
import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.log.Durability;
import io.persist.log.segment.FrameWalk;
import io.persist.log.segment.MappedSegment;
import io.persist.memory.MappedCrc;
import io.persist.store.core.Settler;
import io.persist.store.core.StoreCore;
import io.persist.store.staged.StagedChanges;
import io.persist.store.state.EntryCursor;
import io.persist.store.state.StoreState;
import java.nio.ByteBuffer;

/**
 * Moves the live values of one segment to the end of the log, step by step. Between two steps commits and gets go on;
 * so each entry is looked up at the moment in which it is moved.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class SegmentMover {

    private static final int PAGE_LENGTH = 4096;

    /** Entries that are looked at in one step: each is looked up in the index, while commits and gets wait. */
    private static final int MAX_ENTRIES = StoreState.CHANGES_PER_STEP;

    /** How a segment's move has ended, or that it has not ended yet. */
    enum Progress {
        GOES_ON,
        /** Nothing in it is needed any more. */
        EMPTIED,
        /** Something in it cannot be read, or moved: it has to stay. */
        STUCK
    }

    private final StoreCore core;
    private final Settler settler;
    private final StagedChanges moves;
    private final int stepBytes;
    private final MappedSegment segment;
    private final ByteBuffer view;
    private final FrameWalk frame;
    private final EntryCursor entries = new EntryCursor();
    private final MappedCrc crc = new MappedCrc();
    private final KeyBuffer key = new KeyBuffer();
    private final Location location = new Location();
    private boolean inTransaction;
    private boolean onEntry;
    private boolean isStuck;
    private boolean isAtEnd;
    private int touched;

    /** A mover out of {@code segment}, which is held, that has {@code moves} for itself. */
    SegmentMover(StoreCore core, Settler settler, StagedChanges moves, int stepBytes, MappedSegment segment) {
        this.core = core;
        this.settler = settler;
        this.moves = moves;
        this.stepBytes = stepBytes;
        this.segment = segment;
        this.view = segment.view();
        this.frame = segment.walk();
    }

    /** Moves as much as is moved at a time. */
    Progress step() {
        touchAhead();
        core.letOthersIn();
        settler.lockSettled(); // what is gone must not be moved behind its removal
        try {
            core.state().hold().begin();
            moves.clear();
            int mostMoves = core.state().index().room().changesAtOnce();
            for (int looked = 0;
                    looked < MAX_ENTRIES && moves.count() < mostMoves && moves.length() < stepBytes;
                    looked++) {
                if (!onEntry && !nextEntry() || !take()) {
                    break;
                }
                onEntry = false;
            }
            if (moves.count() > 0) {
                moves.seal(TransactionLayout.TYPE_MOVES);
                core.appendMoves(moves);
                core.writer().commit(Durability.BUFFERED);
            }
        } finally {
            core.unlock();
        }
        if (isStuck) {
            return Progress.STUCK;
        }
        return isAtEnd ? Progress.EMPTIED : Progress.GOES_ON;
    }

    /** Bytes of the segment that have been looked at. */
    int offset() {
        return frame.offset();
    }

    /** Bytes that the last step has moved. */
    int moved() {
        return moves.count() == 0 ? 0 : moves.length();
    }

    /** Has the pages of the next step read before the lock is taken, so that nobody waits for the device under it. */
    private void touchAhead() {
        int end = Math.min(segment.length(), frame.offset() + 4 * stepBytes);
        for (touched = Math.max(touched, frame.offset()); touched < end; touched += PAGE_LENGTH) {
            view.get(touched);
        }
    }

    private boolean nextEntry() {
        while (true) {
            if (inTransaction && entries.next()) {
                onEntry = true;
                return true;
            }
            inTransaction = false;
            if (!nextTransaction()) {
                return false;
            }
        }
    }

    private boolean nextTransaction() {
        if (!frame.isWhole()) {
            isStuck = true;
            return false;
        }
        if (frame.isSeal()) {
            isAtEnd = true;
            return false;
        }
        int offset = frame.offset();
        view.limit(offset + Frame.length(view, offset)).position(offset + Frame.HEADER_LENGTH);
        entries.wrap(view, frame.position());
        view.clear();
        frame.advance();
        inTransaction = true;
        return true;
    }

    /** Stages the current entry if it is needed; false if it has to wait for the next step, or cannot be moved. */
    private boolean take() {
        if (!entries.isPut()) {
            return true;
        }
        entries.key(key);
        core.state().hold().count(1);
        boolean isNeeded = core.state().index().get(key, location) && location.position() == entries.position();
        if (!isNeeded) {
            return true;
        }
        if (!entries.isWhole(crc) || location.length() != entries.valueLength()) {
            isStuck = true; // a move would make a right value of one that readers are refused
            return false;
        }
        if (!moves.fits(entries.keyLength(), entries.valueLength())) {
            isStuck = moves.count() == 0; // segments have become too short for it
            return false;
        }
        moves.move(view, entries.keyIndex(), entries.keyLength(), entries.valueLength(), entries.position());
        return true;
    }
}

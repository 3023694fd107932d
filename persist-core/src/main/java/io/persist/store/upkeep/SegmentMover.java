package io.persist.store.upkeep;

import io.persist.error.CorruptLogException;
import io.persist.error.IndexFullException;
import io.persist.error.LogIOException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.Frame;
import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.index.read.OptimisticLookup;
import io.persist.index.read.OptimisticLookup.Answer;
import io.persist.log.Durability;
import io.persist.log.segment.FrameWalk;
import io.persist.log.thread.Pace;
import io.persist.memory.MissingPage;
import io.persist.store.core.StoreCore;
import io.persist.store.staged.StagedChanges;
import io.persist.store.state.EntryCursor;
import io.persist.store.state.SegmentSurvey;
import io.persist.store.state.StoreState;
import io.persist.store.value.MappedSegment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves the live values of one segment to the end of the log, step by step. Between two steps commits and gets go on,
 * and other work may come, however long that takes.
 *
 * <p>A step looks first for entries that may be needed, without the lock: most entries of a segment that is worth its
 * move are not. The index has known each of them, because a checkpoint has. So one whose key has its value elsewhere,
 * or no value, is never needed again: each change has a place of its own. Those that are left are copied and verified,
 * looked up again under the lock, and the copies are moved.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class SegmentMover {

    /** Entries that are looked up under the lock in one step, while commits and gets wait. */
    private static final int MAX_ENTRIES = StoreState.CHANGES_PER_STEP;

    /** How a segment's move has ended, or that it has not ended yet. */
    enum Progress {
        GOES_ON,
        /** It is known how its values fill it; nothing was moved. */
        SURVEYED,
        /** Nothing in it is needed any more. */
        EMPTIED,
        /** Only values are needed for which new segments are too short. */
        KEEPS_SOME,
        /** A value that is needed is damaged: it has to stay. */
        STUCK,
        /** What is needed was moved, but for what was in records that are damaged. */
        LEFT_OUT
    }

    private final StoreCore core;
    private final StagedChanges moves;
    private final int stepBytes;
    private final MappedSegment segment;
    private final ByteBuffer view;
    private final FrameWalk frame;
    private final OptimisticLookup lookup;
    private final Candidates candidates = new Candidates(MAX_ENTRIES);
    private final EntryCursor entries = new EntryCursor();
    private final KeyBuffer key = new KeyBuffer();
    private final Location location = new Location();
    private @Nullable SegmentSurvey survey; // null once it has ended: nothing is moved before
    private boolean inTransaction;
    private boolean isStuck;
    private boolean keepsSome;
    private boolean leavesOut;
    private boolean isAtEnd;

    /** Whether the way behind damage goes on where the last step has left it. */
    private boolean isSearching;

    /** Whether the step waits for space in the log, or appends to it. */
    private boolean isAppending;

    /**
     * A mover out of {@code segment}, held until {@link #release}. For each step it has {@code moves} for itself.
     *
     * @param survey of the segment, to be made first; null if there is no need for one
     */
    SegmentMover(
            StoreCore core, StagedChanges moves, int stepBytes, MappedSegment segment, @Nullable SegmentSurvey survey) {
        this.core = core;
        this.survey = survey;
        this.moves = moves;
        this.stepBytes = stepBytes;
        this.segment = segment;
        this.view = segment.ownView();
        this.frame = segment.walk();
        this.lookup = core.state().index().optimisticLookup();
    }

    long base() {
        return segment.basePosition();
    }

    /** The name of its file. */
    String name() {
        return segment.name();
    }

    /**
     * Moves what is needed, from where it was, until that is done or {@code isEnough}, which is asked after each step.
     *
     * @param moved is told of each step how many bytes it has moved
     * @throws IndexFullException if there is no memory for a step; it can be tried again
     * @throws CorruptLogException if a record is none of a store, or a node of the index is damaged
     * @throws LogIOException if the device does not read a page of the segment, or a node of the index, or if the heap
     *     is too small for one of the values; or if nothing can be appended, see {@link #isAppending}
     */
    Progress move(Pace pace, IntConsumer moved, BooleanSupplier isEnough) throws IOException {
        Progress progress;
        do {
            int before = frame.offset();
            SegmentSurvey looked = survey;
            progress = stepIfRead();
            moved.accept(movedBytes());
            long cost = (long) movedBytes() + (looked == null ? frame.offset() - before : looked.readBytes());
            if (cost > 0) {
                pace.spend(cost);
            }
        } while (progress == Progress.GOES_ON && !isEnough.getAsBoolean());
        return progress;
    }

    private Progress stepIfRead() {
        try {
            try {
                return step();
            } catch (CorruptLogException | UnsupportedFormatException e) {
                MissingPage.check(); // it may be what was read in place of a page
                throw e;
            }
        } catch (InternalError e) {
            throw new LogIOException("cannot read a segment: file=" + name() + ": " + e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw new LogIOException("no memory to move a value: file=" + name() + ": " + e.getMessage(), e);
        }
    }

    /** Whether the error that has ended {@link #move} came from the append: any other segment would meet it, too. */
    boolean isAppending() {
        return isAppending;
    }

    /** Lets the segment go. */
    void release() {
        segment.release();
    }

    private Progress step() {
        isAppending = false;
        moves.clear();
        if (survey != null) {
            return survey(survey);
        }
        gather();
        if (!candidates.isEmpty()) {
            core.letOthersGo();
            moveCandidates();
        }
        if (isStuck) {
            return Progress.STUCK;
        }
        if (!isAtEnd || !candidates.isEmpty()) {
            return Progress.GOES_ON;
        }
        return leavesOut ? Progress.LEFT_OUT : keepsSome ? Progress.KEEPS_SOME : Progress.EMPTIED;
    }

    private Progress survey(SegmentSurvey running) {
        if (!running.step()) {
            return Progress.GOES_ON;
        }
        survey = null;
        core.locked(() -> core.state().live().unfilled(base(), running.unfilled()));
        return Progress.SURVEYED;
    }

    /** Bytes that the last step has moved. */
    private int movedBytes() {
        return moves.count() == 0 ? 0 : moves.length();
    }

    /** Looks for entries that may be needed, and copies them: with the lock no page of the segment is read. */
    private void gather() {
        if (candidates.isEmpty()) {
            candidates.clear();
        }
        lookAhead();
        MissingPage.check(); // here: later its error would come in the middle of an append
    }

    private void lookAhead() {
        long end = frame.offset() + 4L * stepBytes;
        while (!candidates.isFull() && candidates.bytes() < stepBytes && !isAtEnd) {
            if (inTransaction && entries.next()) {
                if (entries.isPut() && mayBeNeeded()) {
                    candidates.add(entries);
                }
            } else {
                inTransaction = false;
                if (frame.offset() >= end) {
                    return;
                }
                nextTransaction();
            }
        }
    }

    private void nextTransaction() {
        boolean isThere = !isSearching && frame.isWhole() || goOnAfterDamage();
        isAtEnd = isThere ? frame.isSeal() : !isSearching;
        if (!isThere || isAtEnd) {
            return;
        }
        int offset = frame.offset();
        view.limit(offset + Frame.length(view, offset)).position(offset + Frame.HEADER_LENGTH);
        entries.wrap(view, frame.position());
        view.clear();
        frame.advance();
        inTransaction = true;
    }

    /**
     * What is damaged is hardly ever needed. If it is, the index has something left here in the end. The way to the
     * next record may be long, and is read: so it is gone in parts.
     *
     * @return false if that record does not begin in this part
     */
    private boolean goOnAfterDamage() {
        MissingPage.check(); // it may be what was read in place of a page
        leavesOut = true;
        int to = (int) Math.min(view.capacity(), (long) frame.offset() + Frame.aligned(stepBytes));
        boolean isFound =
                isSearching ? frame.searchOn(to, 1, Long.MAX_VALUE - 1) : frame.searchPart(to, 1, Long.MAX_VALUE - 1);
        isSearching = !isFound && to < view.capacity();
        return isFound;
    }

    /** Also if that cannot be said without the lock. */
    private boolean mayBeNeeded() {
        entries.key(key);
        Answer answer = lookup.look(key, location);
        boolean isHere = answer == Answer.PRESENT && location.position() == entries.position();
        return isHere || !answer.isKnown() || !lookup.isTrue();
    }

    private void moveCandidates() {
        int removed = candidates.removed();
        try {
            isAppending = true;
            // Settled: what is gone must not be moved behind its removal.
            core.space().enterToMove(mostBytes(), base(), core.settler()::lockSettled);
            isAppending = false;
            core.state().step().begin();
            int mostMoves = core.state().index().budget().changesAtOnce();
            long room = core.log().layout().room(core.appliedEnd());
            while (!candidates.isEmpty() && moves.count() < mostMoves && moves.length() < stepBytes && take(room)) {
                candidates.removeFirst();
            }
            if (moves.count() > 0) {
                isAppending = true; // what this needs of the index was read when they were taken
                moves.seal(TransactionLayout.TYPE_MOVES);
                core.appendMoves(moves);
                core.writer().commit(Durability.BUFFERED);
            }
        } catch (IndexFullException e) { // before anything was appended
            candidates.putBackTo(removed);
            throw e;
        } finally {
            core.unlock();
            core.space().leave();
        }
    }

    /** The record of a step is no longer: what does not fit is left where it is, or for the next step. */
    private int mostBytes() {
        int all = TransactionLayout.HEADER_LENGTH + candidates.bytes();
        return Math.min(all, core.log().layout().maxPayload());
    }

    /**
     * Stages the first candidate if it is needed and fits a segment; false if it has to wait, or cannot be read. It
     * waits if the record would not fit the rest of this segment, of {@code room} bytes, by that: what is left over at
     * the end of a segment has room for none of the values that come next.
     */
    private boolean take(long room) {
        candidates.key(key);
        core.state().step().count(1);
        boolean isNeeded = core.state().index().get(key, location) && location.position() == candidates.position();
        if (!isNeeded) {
            return true;
        }
        if (!candidates.isWhole(location.length())) {
            isStuck = true; // a move would make a right value of one that readers are refused
            return false;
        }
        if (!candidates.fits(moves)) {
            boolean isTooLong = moves.count() == 0; // segments have become too short for it
            keepsSome |= isTooLong;
            return isTooLong;
        }
        if (moves.count() > 0 && moves.length() <= room && moves.length() + candidates.firstLength() > room) {
            return false;
        }
        candidates.move(moves);
        return true;
    }
}

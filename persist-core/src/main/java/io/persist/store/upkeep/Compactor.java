package io.persist.store.upkeep;

import io.persist.error.CorruptLogException;
import io.persist.error.IndexFullException;
import io.persist.error.LogIOException;
import io.persist.error.UnsupportedFormatException;
import io.persist.log.thread.Pace;
import io.persist.memory.ReusedBuffer;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.core.StoreCore;
import io.persist.store.core.WorkspacePool;
import io.persist.store.staged.StagedChanges;
import io.persist.store.state.LiveBytes;
import io.persist.store.state.SegmentSurvey;
import io.persist.store.upkeep.EmptySegments.Empty;
import io.persist.store.upkeep.SegmentMover.Progress;
import io.persist.store.value.MappedSegment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Gives space back: moves the live values of the emptiest segment to the end of the log, in small steps between the
 * commits, and takes the segment away once they are synced and nothing reads the segment any more. After a crash at any
 * moment each value is at its old place or at its new one.
 *
 * <p>It touches only segments below the older of two checkpoints: whichever of them is used, nothing there is replayed.
 *
 * <p><b>Threads:</b> one at a time; the numbers are for the thread that has the store's lock.
 */
public final class Compactor {

    /** In place of a budget: everything is moved, however little is to be gained, so that nothing is left behind. */
    public static final long ALL = -1;

    private static final int MOST_AT_ONCE = 64;

    private final StoreCore core;
    private final CompactionRate rate;
    private final int stepBytes;
    private final StagedChanges moves;
    private final EmptySegments emptied;
    private final SegmentChoice choice;
    private long movedBytes;
    private long bytesPerSecond;
    private final long firstEnd; // of the log when the store was opened: moves before are not told from the rest

    /** The segment that is being emptied. Written by the thread that works, with the lock. */
    private @Nullable SegmentMover current;

    private double needed; // the part of it that was needed when that began

    /** Compacts {@code core} as its configuration says. */
    public Compactor(StoreCore core, WorkspacePool workspaces) {
        StoreConfig config = core.config();
        this.core = core;
        this.choice = new SegmentChoice(core, this::isTaken);
        this.emptied = new EmptySegments(core, workspaces, choice);
        this.rate = new CompactionRate(config.maxSpaceRatio(), config.compactionBytesPerSecond());
        this.bytesPerSecond = config.compactionBytesPerSecond();
        this.firstEnd = core.appliedEnd();
        this.stepBytes = config.compactionStepBytes();
        this.moves = new StagedChanges(core.log().layout().maxPayload(), OldValues.OMIT);
    }

    /** Whether the log takes so much space that compaction has to work. Under the lock. */
    boolean isDue() {
        observe();
        return rate.isDue(space(), core.state().live().total())
                || isWaiting() && core.space().isShort();
    }

    /** The same of a store at rest whose checkpoints have so many bytes. Under the lock. */
    boolean isDueAtRest(long checkpointBytes) {
        LiveBytes live = core.state().live();
        long prepared = Math.max(0, live.end() - core.appliedEnd());
        return rate.isDueAtRest(space() - prepared, checkpointBytes, live.total());
    }

    /** How long it would take to compact all of the log. Under the lock. */
    long wholeNs() {
        return rate.wholeNs(space(), core.state().live().total());
    }

    /** Bytes to be gained of whole segments that end after {@code floor}. Under the lock. */
    long gainAfter(long floor) {
        return choice.gainAfter(floor);
    }

    private void observe() {
        long garbage = core.appliedEnd()
                - firstEnd
                - core.state().recent().movesLength()
                - core.state().live().total();
        rate.observe(garbage, System.nanoTime());
    }

    /** Without segments that are empty, and without what is left over in the others and no move gives back. */
    private long space() {
        LiveBytes live = core.state().live();
        return live.space() - emptied.bytes() - live.unpackable();
    }

    /** How many bytes it should read and write in a second, as things are now. Under the lock. */
    long bytesPerSecond() {
        observe();
        bytesPerSecond = rate.bytesPerSecond(space(), core.state().live().total(), needed);
        return bytesPerSecond;
    }

    /** How much less time than usual a checkpoint may take, which compaction waits for; 1 or more. Under the lock. */
    double hurry() {
        return rate.factor(space(), core.state().live().total());
    }

    /** Whether empty segments wait for readers that still need them. Under the lock. */
    boolean isWaiting() {
        return emptied.count() > 0;
    }

    /**
     * Goes on with the segment that is being emptied. If there is none, takes the one from which most is to be gained,
     * and at least the part {@code minGain}, below {@code floor}, or finds some that are empty.
     *
     * @param isEnough asked after each step, whether the rest of the segment is for later
     * @return whether there was one
     * @throws IndexFullException if there is no memory for a step; it can be tried again
     */
    boolean emptyOne(long floor, double minGain, Pace pace, BooleanSupplier isEnough) throws IOException {
        List<Empty> empty = List.of();
        core.lock();
        try {
            if (current == null) {
                int index = choice.pick(floor, minGain);
                if (index == SegmentChoice.NONE) {
                    return false;
                }
                if (core.state().live().live(index) == 0) {
                    empty = empty(floor, i -> true);
                } else {
                    begin(index);
                }
            }
        } finally {
            core.unlock();
        }
        if (current == null) {
            emptied.add(empty); // none if the segment cannot be mapped
        } else {
            goOn(current, minGain, pace, isEnough);
        }
        return true;
    }

    private void begin(int index) {
        MappedSegment segment = choice.map(index);
        if (segment != null) {
            needed = Math.min(1 - SegmentChoice.MIN_GAIN, choice.neededPart(index));
            int fullFrom = (int) (segment.length() * (1 - SegmentChoice.MIN_GAIN));
            SegmentSurvey survey = choice.isUnknown(index)
                    ? new SegmentSurvey(segment.ownView(), segment.walk(), stepBytes, fullFrom)
                    : null;
            SegmentMover mover = new SegmentMover(core, moves, stepBytes, segment, survey);
            segment.hold(); // last: what throws before has nothing to release
            current = mover;
        }
    }

    /**
     * Finds segments below {@code floor} of which nothing is needed any more; returns whether there were some. Those
     * that were emptied by what a queue has still are left: that may wait for space.
     */
    boolean findEmpty(long floor) {
        List<Empty> empty = core.read(() ->
                empty(floor, i -> core.flushes().isAppended(core.state().live().emptySince(i))));
        if (empty.isEmpty()) {
            return false;
        }
        emptied.add(empty);
        return true;
    }

    /** Those below {@code floor} of which nothing is needed: they need not be read, and one sync is for all. */
    private List<Empty> empty(long floor, IntPredicate mayGo) {
        LiveBytes live = core.state().live();
        List<Empty> empty = new ArrayList<>();
        for (int i = 0; i < live.segments() && live.end(i) <= floor && empty.size() < MOST_AT_ONCE; i++) {
            if (live.live(i) == 0 && !choice.isOut(i) && mayGo.test(i)) {
                choice.leaveNoMore(live.base(i));
                empty.add(emptied.of(i));
            }
        }
        return empty;
    }

    private boolean isTaken(long base) {
        return current != null && current.base() == base || emptied.has(base);
    }

    private void goOn(SegmentMover segment, double minGain, Pace pace, BooleanSupplier isEnough) throws IOException {
        boolean goesOn = false;
        try {
            Progress progress = segment.move(pace, this::note, isEnough);
            if (progress == Progress.SURVEYED && core.ask(() -> isWorthIt(segment, minGain))) {
                progress = isEnough.getAsBoolean() ? Progress.GOES_ON : segment.move(pace, this::note, isEnough);
            }
            goesOn = progress == Progress.GOES_ON;
            if (!goesOn && progress != Progress.SURVEYED) {
                end(segment, progress);
            }
        } catch (IndexFullException e) {
            goesOn = true;
            throw e;
        } catch (CorruptLogException | UnsupportedFormatException e) { // it must not keep the others from being emptied
            core.locked(() -> choice.leave(segment.base(), e));
        } catch (LogIOException e) { // the same, and the next attempt may read it
            if (segment.isAppending()) {
                throw e; // no matter of this segment
            }
            core.locked(() -> choice.putOffMoves(segment.base(), e));
        } finally {
            if (!goesOn) {
                leave();
            }
        }
    }

    private boolean isWorthIt(SegmentMover segment, double minGain) {
        int index = core.state().live().indexOf(segment.base());
        needed = Math.min(1 - SegmentChoice.MIN_GAIN, choice.neededPart(index));
        return choice.isWorthIt(index, minGain);
    }

    private void end(SegmentMover segment, Progress progress) {
        List<Empty> all = progress == Progress.STUCK ? List.of() : core.read(() -> ifEmpty(segment));
        if (all.isEmpty()) {
            leaveAlone(segment, progress);
        } else {
            emptied.add(all);
        }
    }

    /**
     * None if keys are left that were not met: those of damaged records, or that a wrong checkpoint has put there.
     * Under the lock.
     */
    private List<Empty> ifEmpty(SegmentMover segment) {
        LiveBytes live = core.state().live();
        int index = live.indexOf(segment.base());
        return live.live(index) == 0 ? List.of(emptied.of(index)) : List.of();
    }

    /** Gives up the segment that is being emptied: at the end, or to begin with any one later. */
    void leave() {
        SegmentMover left = current;
        try {
            core.lockedAnyway(() -> current = null);
        } finally {
            if (left != null && current == null) { // whatever came after that: nobody else knows it any more
                left.release();
                moves.shrink(ReusedBuffer.MAX_KEPT); // one large value must not have its memory for ever
            }
        }
    }

    private void note(int moved) {
        core.locked(() -> movedBytes += moved);
    }

    private void leaveAlone(SegmentMover segment, Progress progress) {
        if (progress == Progress.KEEPS_SOME) {
            core.locked(() -> choice.leave(segment.base(), SegmentChoice.Reason.UNMOVABLE));
        } else {
            boolean isDamaged = progress == Progress.STUCK || progress == Progress.LEFT_OUT;
            String what = isDamaged ? "a value that is needed is damaged" : "a checkpoint has counted too much";
            failed("a segment cannot be emptied: file=" + segment.name() + ": " + what);
            core.locked(() -> choice.leave(segment.base(), SegmentChoice.Reason.DAMAGED));
        }
    }

    /** What it leaves alone, and why. Under the lock. */
    SegmentChoice choice() {
        return choice;
    }

    /**
     * Takes away the empty segments that nobody needs any more, until {@code isEnough}, which is asked before each;
     * returns bytes given back.
     */
    long vacate(BooleanSupplier isEnough) {
        return emptied.vacate(isEnough);
    }

    long movedBytes() {
        return movedBytes;
    }

    /** Notes why the last step was given up; without the lock. */
    void failed(String failure) {
        core.lockedAnyway(() -> choice.failed(failure));
    }

    /** What compaction has done since the store was opened. Under the lock. */
    public StoreStatistics.Compaction statistics() {
        return new StoreStatistics.Compaction(
                movedBytes,
                emptied.vacated(),
                emptied.count(),
                choice.damaged(),
                choice.unmovable(),
                rate.garbagePerSecond(),
                bytesPerSecond,
                choice.lastFailure());
    }
}

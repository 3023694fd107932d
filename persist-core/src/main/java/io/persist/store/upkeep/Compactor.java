package io.persist.store.upkeep;

import io.persist.error.CorruptLogException;
import io.persist.log.segment.MappedSegment;
import io.persist.log.thread.Pace;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.core.Settler;
import io.persist.store.core.StoreCore;
import io.persist.store.core.WorkspacePool;
import io.persist.store.staged.StagedChanges;
import io.persist.store.state.LiveBytes;
import io.persist.store.upkeep.EmptySegments.Empty;
import io.persist.store.upkeep.SegmentMover.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
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

    /** A segment is not worth copying if less than this part of it is gained. */
    private static final double MIN_GAIN = 0.05;

    /** With so many more placeholders than segments the oldest segment goes first. */
    private static final int MAX_PLACEHOLDERS = 64;

    private static final int MOST_AT_ONCE = 64;
    private static final int NONE = -1;

    private final StoreCore core;
    private final Settler settler;
    private final CompactionRate rate;
    private final int stepBytes;
    private final StagedChanges moves;
    private final EmptySegments emptied;
    private final LeftAlone leftAlone = new LeftAlone();
    private long movedBytes;

    /** Where the log ended when the store was opened: what was appended before is not told from what was moved. */
    private final long firstEnd;

    /** The part of the segment that is being emptied which was needed when that began. */
    private double needed;

    private long bytesPerSecond;
    private String lastFailure = "";

    /** Compacts {@code core} as {@code config} says. */
    public Compactor(StoreCore core, Settler settler, WorkspacePool workspaces, StoreConfig config) {
        this.core = core;
        this.settler = settler;
        this.emptied = new EmptySegments(core, workspaces, leftAlone::addLasting);
        this.rate = new CompactionRate(config.maxSpaceRatio(), config.compactionBytesPerSecond());
        this.bytesPerSecond = config.compactionBytesPerSecond();
        this.firstEnd = core.appliedEnd();
        this.stepBytes = config.compactionStepBytes();
        this.moves = new StagedChanges(core.log().layout().maxPayload(), OldValues.OMIT);
    }

    /** Whether the log takes so much space that compaction has to work. Under the lock. */
    boolean isDue() {
        observe();
        return rate.isDue(space(), core.state().live().total());
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

    /** Bytes to be gained of whole segments that end behind {@code floor}. Under the lock. */
    long gainBehind(long floor) {
        LiveBytes live = core.state().live();
        long gain = 0;
        for (int i = live.segments() - 1; i >= 0 && live.end(i) > floor; i--) {
            boolean isWhole = live.end(i) <= core.appliedEnd();
            if (isWhole && neededPart(live, i) < 1 - MIN_GAIN && !isOut(live, i)) {
                gain += live.end(i) - live.base(i) - live.live(i);
            }
        }
        return gain;
    }

    private static double neededPart(LiveBytes live, int index) {
        return (double) live.live(index) / (live.end(index) - live.base(index));
    }

    private void observe() {
        long garbage =
                core.appliedEnd() - firstEnd - movedBytes - core.state().live().total();
        rate.observe(garbage, System.nanoTime());
    }

    /** Without segments that are empty. */
    private long space() {
        return core.state().live().space() - emptied.bytes();
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
     * Empties the segment from which most is to be gained, below {@code floor}, or finds some that are empty.
     *
     * @return whether there was one
     */
    boolean emptyOne(long floor, Pace pace) throws IOException {
        MappedSegment victim = null;
        List<Empty> empty = List.of();
        core.lock();
        try {
            int index = pick(floor);
            if (index == NONE) {
                return false;
            }
            LiveBytes live = core.state().live();
            if (live.live(index) == 0) {
                empty = empty(floor);
            } else {
                victim = core.segments().at(live.base(index));
                needed = Math.min(1 - MIN_GAIN, neededPart(live, index));
                victim.hold();
            }
        } finally {
            core.unlock();
        }
        if (victim == null) {
            emptied.add(empty);
            return true;
        }
        try {
            empty(victim, pace);
        } finally {
            victim.release();
        }
        return true;
    }

    /** Finds segments below {@code floor} of which nothing is needed any more; returns whether there were some. */
    boolean findEmpty(long floor) {
        List<Empty> empty;
        core.lock();
        try {
            empty = empty(floor);
        } finally {
            core.unlock();
        }
        if (empty.isEmpty()) {
            return false;
        }
        emptied.add(empty);
        return true;
    }

    /** Those below {@code floor} of which nothing is needed: they need not be read, and one sync is for all. */
    private List<Empty> empty(long floor) {
        LiveBytes live = core.state().live();
        List<Empty> empty = new ArrayList<>();
        for (int i = 0; i < live.segments() && live.end(i) <= floor && empty.size() < MOST_AT_ONCE; i++) {
            if (live.live(i) == 0 && !isOut(live, i)) {
                leftAlone.remove(live.base(i));
                empty.add(emptied.of(live.base(i), live.end(i)));
            }
        }
        return empty;
    }

    /** The emptiest segment below {@code floor}; {@link #NONE} if too little is to be gained. */
    private int pick(long floor) {
        LiveBytes live = core.state().live();
        if (live.placeholders() > MAX_PLACEHOLDERS + live.segments() && live.end(0) <= floor && !isOut(live, 0)) {
            return 0; // however full it is: while it is there, so are all the placeholders behind it
        }
        int best = NONE;
        double bestPart = 1 - MIN_GAIN;
        for (int i = 0; i < live.segments() && live.end(i) <= floor; i++) {
            double part = neededPart(live, i);
            if (part < bestPart && !isOut(live, i)) {
                best = i;
                bestPart = part;
            }
        }
        return best;
    }

    private boolean isOut(LiveBytes live, int index) {
        return leftAlone.has(live, index) || emptied.has(live.base(index));
    }

    private void empty(MappedSegment victim, Pace pace) throws IOException {
        SegmentMover mover = new SegmentMover(core, settler, moves, stepBytes, victim);
        Progress progress = Progress.GOES_ON;
        while (progress == Progress.GOES_ON) {
            int before = mover.offset();
            progress = step(mover);
            note(mover.moved());
            pace.spend((long) mover.offset() - before + mover.moved());
        }
        Empty all = progress == Progress.STUCK ? null : ifEmpty(victim);
        if (all != null) {
            emptied.add(List.of(all));
        } else {
            leaveAlone(victim.basePosition(), progress);
        }
    }

    /** Null if keys are left that a wrong checkpoint has put there, and that were not met on the way. */
    private @Nullable Empty ifEmpty(MappedSegment victim) {
        core.lock();
        try {
            long base = victim.basePosition();
            return core.state().live().liveAt(base) == 0 ? emptied.of(base, base + victim.length()) : null;
        } finally {
            core.unlock();
        }
    }

    /** What cannot be read is left alone; it must not keep the other segments from being compacted. */
    private static Progress step(SegmentMover mover) {
        try {
            return mover.step();
        } catch (CorruptLogException | InternalError e) {
            return Progress.STUCK;
        }
    }

    private void note(long moved) {
        core.lock();
        movedBytes += moved;
        core.unlock();
    }

    private void leaveAlone(long base, Progress progress) {
        core.lock();
        if (progress == Progress.KEEPS_SOME) {
            leftAlone.addUnmovable(base);
        } else {
            leftAlone.addDamaged(base);
        }
        core.unlock();
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
    void failed(Throwable e) {
        String failure = String.valueOf(e.getMessage());
        core.lockAnyway();
        lastFailure = failure;
        core.unlock();
    }

    /** What compaction has done since the store was opened. Any thread may call it. */
    public StoreStatistics.Compaction statistics() {
        return new StoreStatistics.Compaction(
                movedBytes,
                emptied.vacated(),
                emptied.count(),
                leftAlone.damaged(),
                leftAlone.unmovable(),
                rate.garbagePerSecond(),
                bytesPerSecond,
                lastFailure);
    }
}

package io.persist.store.upkeep;

import io.persist.error.CorruptLogException;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.segment.MappedSegment;
import io.persist.log.thread.Pace;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.core.Settler;
import io.persist.store.core.StoreCore;
import io.persist.store.core.WorkspacePool;
import io.persist.store.state.LiveBytes;
import io.persist.store.state.StagedChanges;
import io.persist.store.upkeep.SegmentMover.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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

    /** So many times the configured space, and the configured rate does not count. */
    private static final double FAR_BEHIND = 1.5;

    /** With so many more placeholders than segments the oldest segment goes first. */
    private static final int MAX_PLACEHOLDERS = 64;

    private static final int NONE = -1;

    private final StoreCore core;
    private final Settler settler;
    private final WorkspacePool workspaces;
    private final double maxRatio;
    private final int stepBytes;
    private final StagedChanges moves;
    private final List<Emptied> emptied = new ArrayList<>();
    private final Set<Long> stuck = new HashSet<>();
    private long movedBytes;
    private long vacatedSegments;
    private String lastFailure = "";

    /** An empty segment, which snapshots that are older than {@code version} may still need. */
    private record Emptied(long base, long end, long version) {}

    /** Compacts {@code core} as {@code config} says. */
    public Compactor(StoreCore core, Settler settler, WorkspacePool workspaces, StoreConfig config) {
        this.core = core;
        this.settler = settler;
        this.workspaces = workspaces;
        this.maxRatio = config.maxSpaceRatio();
        this.stepBytes = config.compactionStepBytes();
        this.moves = new StagedChanges(core.log().layout().maxPayload(), OldValues.OMIT);
    }

    /** Whether the log takes more space than it may. Under the lock. */
    boolean isDue() {
        return isAbove(maxRatio);
    }

    /** Whether it takes so much more that time is no matter. Under the lock. */
    boolean isFarBehind() {
        return isAbove(FAR_BEHIND * maxRatio);
    }

    private boolean isAbove(double ratio) {
        LiveBytes live = core.state().live();
        long waiting = 0;
        for (Emptied segment : emptied) {
            waiting += segment.end() - segment.base();
        }
        return ratio > 0 && live.space() - waiting > ratio * live.total();
    }

    /** Whether empty segments wait for readers that still need them. Under the lock. */
    boolean isWaiting() {
        return !emptied.isEmpty();
    }

    /**
     * Empties the segment from which most is to be gained, below {@code floor}.
     *
     * @return whether there was one
     */
    boolean emptyOne(long floor, Pace pace) throws IOException {
        MappedSegment victim;
        core.lock();
        try {
            int index = pick(floor);
            if (index == NONE) {
                return false;
            }
            victim = core.segments().at(core.state().live().base(index));
            victim.hold();
        } finally {
            core.unlock();
        }
        try {
            empty(victim, pace);
        } finally {
            victim.release();
        }
        return true;
    }

    /** The emptiest segment below {@code floor}; {@link #NONE} if too little is to be gained. */
    private int pick(long floor) {
        LiveBytes live = core.state().live();
        if (live.placeholders() > MAX_PLACEHOLDERS + live.segments() && live.end(0) <= floor && !isOut(live.base(0))) {
            return 0; // however full it is: while it is there, so are all the placeholders behind it
        }
        int best = NONE;
        double bestPart = 1 - MIN_GAIN;
        for (int i = 0; i < live.segments() && live.end(i) <= floor; i++) {
            double part = (double) live.live(i) / (live.end(i) - live.base(i));
            if (part < bestPart && !isOut(live.base(i))) {
                best = i;
                bestPart = part;
            }
        }
        return best;
    }

    private boolean isOut(long base) {
        return stuck.contains(base) || emptied.stream().anyMatch(segment -> segment.base() == base);
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
        if (progress == Progress.EMPTIED && isEmpty(victim)) {
            noteEmptied(victim);
        } else {
            noteStuck(victim);
        }
    }

    /** Keys that a wrong checkpoint has put there were not met on the way: the segment is all that is left of them. */
    private boolean isEmpty(MappedSegment victim) {
        return core.ask(() -> core.state().live().liveAt(victim.basePosition()) == 0);
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

    private void noteStuck(MappedSegment victim) {
        core.lock();
        stuck.add(victim.basePosition());
        core.unlock();
    }

    private void noteEmptied(MappedSegment victim) {
        // What was moved must survive before its old place may go.
        core.sync();
        core.lock();
        try {
            long version = core.state().index().version();
            emptied.add(new Emptied(victim.basePosition(), victim.basePosition() + victim.length(), version));
        } finally {
            core.unlock();
        }
    }

    /**
     * Takes away the empty segments that nobody needs any more.
     *
     * @return bytes given back
     */
    long vacate() {
        long given = 0;
        List<Emptied> free = new ArrayList<>();
        core.lock();
        try {
            long oldest = core.state().index().oldestSnapshot();
            emptied.stream().filter(segment -> segment.version() <= oldest).forEach(free::add);
        } finally {
            core.unlock();
        }
        for (Emptied segment : free) {
            if (vacate(segment)) {
                given += segment.end() - segment.base();
                forget(segment);
            }
        }
        if (given > 0) {
            retireFirst();
        }
        return given;
    }

    private boolean vacate(Emptied segment) {
        try {
            return core.log().vacate(segment.base());
        } catch (CorruptLogException e) {
            core.lock();
            emptied.remove(segment);
            stuck.add(segment.base());
            core.unlock();
            return false;
        }
    }

    private void forget(Emptied segment) {
        core.lock();
        try {
            emptied.remove(segment);
            vacatedSegments++;
            core.state().live().removeSegment(segment.base());
        } finally {
            core.unlock();
        }
        // Without the lock: it takes milliseconds, and nothing reads there any more.
        core.segments().drop(segment.base());
        workspaces.leaveSegments(); // an unused mapping would keep the segment's blocks from the file system
    }

    /** Placeholders at the log's beginning are of no use. */
    private void retireFirst() {
        long first;
        core.lock();
        try {
            first = core.state().live().base(0);
        } finally {
            core.unlock();
        }
        RetentionPlan plan = core.log().planRetention(RetentionRule.below(first));
        if (!plan.retired().isEmpty()) {
            core.log().retireSynced(plan, Retirement.DELETE);
            core.lock();
            try {
                core.state().live().removePlaceholders(plan.retired().size());
            } finally {
                core.unlock();
            }
        }
    }

    long movedBytes() {
        return movedBytes;
    }

    void failed(Throwable e) {
        lastFailure = String.valueOf(e.getMessage());
    }

    /** What compaction has done since the store was opened. Any thread may call it. */
    public StoreStatistics.Compaction statistics() {
        return new StoreStatistics.Compaction(movedBytes, vacatedSegments, emptied.size(), stuck.size(), lastFailure);
    }
}

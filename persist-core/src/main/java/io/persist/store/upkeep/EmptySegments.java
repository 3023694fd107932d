package io.persist.store.upkeep;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.file.FileAction;
import io.persist.format.LogFileName;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.store.core.StoreCore;
import io.persist.store.core.WorkspacePool;
import io.persist.store.state.LiveBytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Segments of which nothing is needed any more, until they are taken away: snapshots, tailers and cursors may still
 * need them.
 *
 * <p><b>Threads:</b> one at a time; the numbers are for the thread that has the store's lock.
 */
final class EmptySegments {

    /** If so many are put off it is no matter of one segment: the disk may be full. */
    static final int MOST_ERRORS = 8;

    /** So many are deleted at once at the log's beginning; others wait for that, as the thread that closes does. */
    private static final int MOST_AT_ONCE = 16;

    private final StoreCore core;
    private final WorkspacePool workspaces;

    /** Is told, under the lock, of those that cannot be taken away. */
    private final SegmentChoice choice;

    /**
     * By where they begin, in the order in which they became empty: there may be thousands, and whoever chooses a
     * segment to compact asks of each whether it is here.
     */
    private final Map<Long, Empty> segments = new LinkedHashMap<>();

    private long bytes;
    private long vacated;

    /**
     * One of them, which snapshots that are older than {@code version} may still need. It is empty by what lies before
     * {@code since} in the log.
     */
    record Empty(long base, long end, long version, long since) {

        long length() {
            return end - base;
        }
    }

    EmptySegments(StoreCore core, WorkspacePool workspaces, SegmentChoice choice) {
        this.core = core;
        this.workspaces = workspaces;
        this.choice = choice;
    }

    /** The segment number {@code index}, which has nothing at this moment that is needed. Under the lock. */
    Empty of(int index) {
        LiveBytes live = core.state().live();
        return new Empty(live.base(index), live.end(index), core.state().index().version(), live.emptySince(index));
    }

    /** Adds some; without the lock. */
    void add(List<Empty> some) {
        // What was moved, or has replaced what was there, must survive before its old place may go. What is behind that
        // need not: in a queue it may wait for the very space that this makes.
        core.flushes().sync(some.stream().mapToLong(Empty::since).max().orElse(0));
        core.locked(() -> {
            for (Empty segment : some) {
                segments.put(segment.base(), segment);
                bytes += segment.length();
            }
        });
    }

    boolean has(long base) {
        return segments.containsKey(base);
    }

    int count() {
        return segments.size();
    }

    long bytes() {
        return bytes;
    }

    /** How many were taken away. */
    long vacated() {
        return vacated;
    }

    /**
     * Takes away those that nobody needs any more, and that are not put off; without the lock. A reader of changes
     * needs all behind its position: so the first one that it needs is the last one that is looked at, however many
     * wait behind it.
     *
     * @param isEnough asked before each, or before some at the log's beginning, whether the others are for later
     * @return bytes given back
     */
    long vacate(BooleanSupplier isEnough) {
        List<Empty> free = new ArrayList<>();
        int errors = core.read(() -> free(free));
        free.sort(Comparator.comparingLong(Empty::end));
        long given = 0;
        int next = 0;
        int most = 1; // more and more while they go: for one that is needed no others are looked at
        while (next < free.size() && errors < MOST_ERRORS && !isEnough.getAsBoolean()) {
            boolean isFirst = free.get(next).base() == firstBase();
            List<Empty> run = free.subList(next, isFirst ? endOfRun(free, next, most) : next + 1);
            try {
                int taken = isFirst ? delete(run) : vacate(run.get(0)) ? 1 : 0;
                for (Empty gone : run.subList(0, taken)) {
                    given += gone.length();
                    forget(gone);
                }
                if (taken == 0 && has(run.get(0).base())) {
                    break;
                }
                next += Math.max(1, taken);
                most = taken < run.size() ? 1 : Math.min(MOST_AT_ONCE, 2 * most);
            } catch (LogIOException e) {
                most = 1;
                if (run.size() == 1) { // else it is not known of which one
                    errors++;
                    putOff(run.get(0).base(), e);
                    next++;
                }
            }
        }
        if (given > 0) {
            retireFirst();
        }
        return given;
    }

    /** Adds those to {@code free} that no snapshot needs, but for what is put off; returns how many these are. */
    private int free(List<Empty> free) {
        int putOff = 0;
        long oldest = core.state().index().oldestSnapshot();
        for (Empty segment : segments.values()) {
            if (segment.version() > oldest) {
                break; // those behind it became empty later
            }
            if (choice.isPutOff(segment.base())) {
                putOff++;
            } else {
                free.add(segment);
            }
        }
        return putOff;
    }

    private void putOff(long base, LogIOException e) {
        core.locked(() -> choice.putOff(base, e));
    }

    /**
     * The end of those from {@code next} on that lie side by side, {@code most} at most: each deletion lists the
     * directory some times, which may have thousands of files.
     */
    private static int endOfRun(List<Empty> free, int next, int most) {
        int end = next + 1;
        int limit = Math.min(free.size(), next + most);
        while (end < limit && free.get(end).base() == free.get(end - 1).end()) {
            end++;
        }
        return end;
    }

    /**
     * Deletes the first ones of {@code run}, with which the log begins; returns how many. A placeholder would take two
     * blocks, which a full disk does not have, so that nothing else would go either. None if the first of them has to
     * wait, or is damaged: then it is not one of them any more.
     */
    private int delete(List<Empty> run) {
        Empty first = run.get(0);
        RetentionPlan plan = core.log()
                .planRetention(RetentionRule.below(run.get(run.size() - 1).end()));
        if (isIn(plan, first)) {
            RetentionPlan done = retire(plan);
            return (int) run.stream().takeWhile(segment -> isIn(done, segment)).count();
        }
        if (isHeld(plan, first)) {
            return 0;
        }
        if (!isThere(first)) { // an attempt has deleted it, and failed behind that
            countGone(1);
            return 1;
        }
        return vacate(first) ? 1 : 0; // which finds the damage
    }

    private boolean isThere(Empty segment) {
        return FileAction.orFail(
                "cannot retire a segment", () -> core.storage().list().contains(LogFileName.segment(segment.base())));
    }

    /** Whether it is needed; what has no time cannot be read. */
    private static boolean isHeld(RetentionPlan plan, Empty segment) {
        return plan.held().stream()
                .map(RetentionPlan.Held::segment)
                .anyMatch(item -> item.basePosition() == segment.base() && item.sealedAtMs() != 0);
    }

    private static boolean isIn(RetentionPlan plan, Empty segment) {
        return plan.retired().stream().anyMatch(item -> item.basePosition() == segment.base());
    }

    private boolean vacate(Empty segment) {
        try {
            return core.log().vacate(segment.base());
        } catch (CorruptLogException e) {
            core.locked(() -> {
                remove(segment);
                choice.leaveLasting(segment.base(), e);
            });
            return false;
        }
    }

    private void remove(Empty segment) {
        choice.leaveNoMore(segment.base());
        if (segments.remove(segment.base()) != null) {
            bytes -= segment.length();
        }
    }

    private void forget(Empty segment) {
        core.locked(() -> {
            remove(segment);
            vacated++;
            core.state().live().removeSegment(segment.base());
        });
        // Without the lock: it takes milliseconds, and nothing reads there any more.
        core.segments().drop(segment.base());
        workspaces.leaveSegments(); // an unused mapping would keep the segment's blocks from the file system
    }

    private long firstBase() {
        return core.read(() -> core.state().live().base(0));
    }

    /** Placeholders at the log's beginning are of no use. One that cannot go puts the segment behind it off. */
    private void retireFirst() {
        long first = firstBase();
        if (core.ask(() -> choice.isPutOff(first))) {
            return;
        }
        try {
            retire(core.log().planRetention(RetentionRule.below(first)));
        } catch (LogIOException e) {
            putOff(first, e);
        }
    }

    /** Deletes what {@code plan} says, unless somebody needs it by now; returns what is gone. */
    private RetentionPlan retire(RetentionPlan plan) {
        if (plan.retired().isEmpty()) {
            return plan;
        }
        RetentionPlan done = core.log().retireSynced(plan, Retirement.DELETE);
        countGone(done.retired().size());
        return done;
    }

    /** They were placeholders, or will count as such in a moment. */
    private void countGone(int segments) {
        core.locked(() -> core.state().live().removePlaceholders(segments));
    }
}

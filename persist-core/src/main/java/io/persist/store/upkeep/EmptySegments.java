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
     * @param isEnough asked before each, whether the others are for later
     * @return bytes given back
     */
    long vacate(BooleanSupplier isEnough) {
        List<Empty> free = new ArrayList<>();
        int errors = core.read(() -> free(free));
        free.sort(Comparator.comparingLong(Empty::end));
        long given = 0;
        for (Empty segment : free) {
            if (errors >= MOST_ERRORS || isEnough.getAsBoolean()) {
                break;
            }
            try {
                if (take(segment)) {
                    given += segment.length();
                    forget(segment);
                } else if (has(segment.base())) {
                    break;
                }
            } catch (LogIOException e) {
                errors++;
                putOff(segment.base(), e);
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
     * The log's first one is deleted: a placeholder takes two blocks, which a full disk does not have, so that nothing
     * else would go either. False if it has to wait, or is damaged: then it is not one of them any more.
     */
    private boolean take(Empty segment) {
        if (firstBase() != segment.base()) {
            return vacate(segment);
        }
        RetentionPlan plan = core.log().planRetention(RetentionRule.below(segment.end()));
        if (isIn(plan, segment)) {
            return isIn(retire(plan), segment);
        }
        if (plan.held().stream().anyMatch(held -> held.segment().sealedAtMs() != 0)) {
            return false; // it is needed; what has no time cannot be read
        }
        if (!isThere(segment)) { // an attempt has deleted it, and failed behind that
            countGone(1);
            return true;
        }
        return vacate(segment); // which finds the damage
    }

    private boolean isThere(Empty segment) {
        return FileAction.orFail(
                "cannot retire a segment", () -> core.storage().list().contains(LogFileName.segment(segment.base())));
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

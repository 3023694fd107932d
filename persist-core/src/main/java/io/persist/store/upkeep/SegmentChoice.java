package io.persist.store.upkeep;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.error.UnsupportedFormatException;
import io.persist.log.segment.MappedSegment;
import io.persist.store.core.StoreCore;
import io.persist.store.state.LiveBytes;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Which segment compaction takes: the one from which most is to be gained, but for those that it leaves alone. Of some
 * of these a value is needed that it cannot move: once nothing in them is needed any more, they can go as any other.
 *
 * <p><b>Threads:</b> the one that has the store's lock.
 */
final class SegmentChoice {

    /** In place of an index: there is no such segment. */
    static final int NONE = -1;

    /** A segment is not worth copying if less than this part of it is gained. */
    static final double MIN_GAIN = 0.05;

    /** With so many more placeholders than segments the oldest segment goes first. */
    private static final int MAX_PLACEHOLDERS = 64;

    private final StoreCore core;
    private final LongPredicate isTaken;

    /** By where they begin, those that have something that cannot be read. */
    private final Set<Long> damaged = new HashSet<>();

    /** The same, those that have a value for which new segments are too short. */
    private final Set<Long> unmovable = new HashSet<>();

    /** The same, those of which the index cannot say what is needed, because a node of it is damaged. */
    private final Set<Long> unknown = new HashSet<>();

    /** The same, those that could not be read this time. */
    private final Set<Long> unreadable = new HashSet<>();

    /** The same, those that are empty, and so damaged that no placeholder can be made of them. */
    private final Set<Long> lasting = new HashSet<>();

    /** Since the round began. */
    private @Nullable LogIOException firstError;

    private String lastFailure = "";

    /** Of segments that are, by where they begin, not taken already. */
    SegmentChoice(StoreCore core, LongPredicate isTaken) {
        this.core = core;
        this.isTaken = isTaken;
    }

    /** The emptiest segment below {@code floor}; {@link #NONE} if too little is to be gained. */
    int pick(long floor) {
        LiveBytes live = core.state().live();
        if (live.placeholders() > MAX_PLACEHOLDERS + live.segments() && live.end(0) <= floor && !isOut(0)) {
            return 0; // however full it is: while it is there, so are all the placeholders behind it
        }
        int best = NONE;
        double bestPart = 1 - MIN_GAIN;
        for (int i = 0; i < live.segments() && live.end(i) <= floor; i++) {
            double part = neededPart(i);
            if (part < bestPart && !isOut(i)) {
                best = i;
                bestPart = part;
            }
        }
        return best;
    }

    /** The segment number {@code index}; null if it cannot be read, and is left alone. */
    @Nullable
    MappedSegment map(int index) {
        long base = core.state().live().base(index);
        try {
            return core.segments().at(base);
        } catch (CorruptLogException | UnsupportedFormatException | RetiredException e) {
            failed(String.valueOf(e.getMessage()));
            leaveDamaged(base);
        } catch (LogIOException e) {
            leaveUnreadable(base, e);
        }
        return null;
    }

    /** The part of the segment number {@code index} that is needed. */
    double neededPart(int index) {
        LiveBytes live = core.state().live();
        return (double) live.live(index) / (live.end(index) - live.base(index));
    }

    /** Whether the segment number {@code index} is not to be taken. */
    boolean isOut(int index) {
        LiveBytes live = core.state().live();
        long base = live.base(index);
        boolean isNeeded = live.live(index) != 0; // a wrong checkpoint may have it below 0, and that stays so
        boolean isKept = damaged.contains(base)
                || unmovable.contains(base)
                || unknown.contains(base)
                || unreadable.contains(base);
        return isNeeded && isKept || lasting.contains(base) || isTaken.test(base);
    }

    /** Leaves the segment at {@code base} alone: something in it cannot be read. */
    void leaveDamaged(long base) {
        damaged.add(base);
    }

    /** The same: it has a value for which new segments are too short. */
    void leaveUnmovable(long base) {
        unmovable.add(base);
    }

    /** The same: the index cannot say what in it is needed. */
    void leaveUnknown(long base) {
        unknown.add(base);
    }

    /** The same, until {@link #beginRound}: it, or a node of the index, could not be read. */
    void leaveUnreadable(long base, LogIOException e) {
        noteUnreadable(e);
        unreadable.add(base);
    }

    /** Notes an error that must not keep other segments from being compacted; throws it if the log has failed. */
    void noteUnreadable(LogIOException e) {
        if (core.writer().positions().hasFailed()) {
            throw e;
        }
        failed(String.valueOf(e.getMessage()));
        firstError = firstError == null ? e : firstError;
    }

    /** What could not be read is tried again. */
    void beginRound() {
        firstError = null;
        unreadable.clear();
    }

    /** The same, and throws the first error since the round began, if there was one. */
    void endRound() {
        LogIOException first = firstError;
        beginRound();
        if (first != null) {
            throw first;
        }
    }

    /** Notes why something was given up. */
    void failed(String failure) {
        lastFailure = failure;
    }

    String lastFailure() {
        return lastFailure;
    }

    /** The same: it is empty, and cannot be taken away. */
    void leaveLasting(long base) {
        lasting.add(base);
    }

    /** Nothing in the segment at {@code base} is needed any more. */
    void leaveNoMore(long base) {
        damaged.remove(base);
        unmovable.remove(base);
        unknown.remove(base);
        unreadable.remove(base);
    }

    /** How many are left alone because of damage. */
    int damaged() {
        return damaged.size() + lasting.size();
    }

    /** How many are left alone because of a value that is too long. */
    int unmovable() {
        return unmovable.size();
    }

    /** Bytes to be gained of whole segments that end behind {@code floor}. */
    long gainBehind(long floor) {
        LiveBytes live = core.state().live();
        long gain = 0;
        for (int i = live.segments() - 1; i >= 0 && live.end(i) > floor; i--) {
            boolean isWhole = live.end(i) <= core.appliedEnd();
            if (isWhole && neededPart(i) < 1 - MIN_GAIN && !isOut(i)) {
                gain += live.end(i) - live.base(i) - live.live(i);
            }
        }
        return gain;
    }
}

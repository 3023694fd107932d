package io.persist.store.upkeep;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.error.RetiredException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.store.core.StoreCore;
import io.persist.store.state.LiveBytes;
import io.persist.store.value.MappedSegment;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Which segment compaction takes: the one from which most is to be gained, but for those that it leaves alone. Of some
 * of these a value is needed that it cannot move: once nothing in them is needed any more, they can go as any other.
 *
 * <p>An error that is a matter of one segment puts it off, and everything else goes on: the device does not read it, or
 * a node of the index that tells of it, there is no space for its placeholder, or the heap is too small for one of its
 * values. It is left alone until {@link #tryAgain}.
 *
 * <p><b>Threads:</b> the one that has the store's lock.
 */
final class SegmentChoice {

    /** In place of an index: there is no such segment. */
    static final int NONE = -1;

    /** A segment is not worth copying if less than this part of it is gained. */
    static final double MIN_GAIN = 0.05;

    static final double ANY_GAIN = Double.NEGATIVE_INFINITY; // a wrong checkpoint may say that it is more than full

    private static final int MAX_PLACEHOLDERS = 64; // more than segments: then the oldest one goes first

    private static final int MOST_DOUBLINGS = 9; // from each five seconds to each three quarters of an hour

    private final StoreCore core;
    private final LongPredicate isTaken;

    /** By where a segment begins; forgotten when nothing in it is needed any more. */
    private final Map<Long, Obstacle> obstacles = new HashMap<>();

    /** How often one was put off, and why the last time. */
    private long timesPutOff;

    private @Nullable LogIOException lastError;
    private long timesFailed;
    private String lastFailure = "";

    /**
     * What a segment is left alone for. There is never a second reason: with the first three it is not taken as long as
     * something of it is needed, and after that it is forgotten before it can be found to be the fourth.
     */
    enum Reason {
        /** Something in it cannot be read. */
        DAMAGED,
        /** It has a value for which new segments are too short. */
        UNMOVABLE,
        /** The index cannot say what is needed of it, because a node is damaged. */
        UNKNOWN,
        /** It is empty, and so damaged that no placeholder can be made of it. */
        LASTING
    }

    /** What is known of a segment that is left alone, or put off. */
    private static final class Obstacle {

        @Nullable
        Reason reason;

        boolean isPutOff;
        int pause; // nothing is moved out of it before so many calls of tryAgain
        int failures; // how often something in it could not be moved

        boolean isCounted() {
            return reason != null && reason != Reason.UNKNOWN;
        }

        boolean keeps(boolean isNeeded) {
            return reason == Reason.LASTING || isNeeded && (reason != null || isPutOff || pause > 0);
        }
    }

    /** Of segments that are, by where they begin, not taken already. */
    SegmentChoice(StoreCore core, LongPredicate isTaken) {
        this.core = core;
        this.isTaken = isTaken;
    }

    /**
     * The emptiest segment below {@code floor}, {@link #NONE} if of none {@code minGain} is to be gained; on a full
     * disk the oldest one, if what is needed of it finds space: it alone goes without a placeholder.
     */
    int pick(long floor, double minGain) {
        LiveBytes live = core.state().live();
        int best = NONE;
        double bestPart = 1 - minGain;
        boolean gains = false; // also of one that is empty, and waits for a block for its placeholder
        for (int i = 0; i < live.segments() && live.end(i) <= floor; i++) {
            double part = neededPart(i);
            gains |= part < 1 - minGain;
            if (part < bestPart && !isOut(i)) {
                best = i;
                bestPart = part;
            }
        }
        boolean isFirst = isInTheWay(0) || gains && core.space().isShortButEnough(live.live(0));
        return isFirst && live.end(0) <= floor && !isOut(0) ? 0 : best;
    }

    /** Whether it has to go however full it is: while it is there, so are all the placeholders behind it. */
    private boolean isInTheWay(int index) {
        LiveBytes live = core.state().live();
        return index == 0 && live.placeholders() > MAX_PLACEHOLDERS + live.segments();
    }

    /** Whether the segment number {@code index} is to be taken, by what is known of it now. */
    boolean isWorthIt(int index, double minGain) {
        return neededPart(index) < 1 - minGain || isInTheWay(index);
    }

    /**
     * Whether nobody knows how the values of the segment number {@code index} fill it. Of one that has another length
     * than new ones that says nothing: its values would be packed in another way.
     */
    boolean isUnknown(int index) {
        LiveBytes live = core.state().live();
        boolean isAsNew =
                live.end(index) - live.base(index) == core.config().log().segmentLength();
        return isAsNew && live.unfilled(index) == LiveBytes.UNKNOWN;
    }

    /** The segment number {@code index}; null if it cannot be read, and is left alone. */
    @Nullable
    MappedSegment map(int index) {
        long base = core.state().live().base(index);
        try {
            return core.segments().at(base);
        } catch (CorruptLogException | UnsupportedFormatException | RetiredException e) {
            leave(base, e);
        } catch (LogIOException e) {
            putOff(base, e);
        }
        return null;
    }

    /**
     * The part of the segment number {@code index} that is needed, and so will take as much of another one. What is
     * left over at its end belongs to its values if they are too long for it.
     */
    double neededPart(int index) {
        LiveBytes live = core.state().live();
        long filled = live.end(index) - live.base(index) - Math.max(0, live.unfilled(index));
        return (double) Math.max(0, live.live(index)) / filled; // a wrong checkpoint may have it below 0
    }

    /** Whether the segment number {@code index} is not to be taken. */
    boolean isOut(int index) {
        LiveBytes live = core.state().live();
        long base = live.base(index);
        boolean isNeeded = live.live(index) != 0; // a wrong checkpoint may have it below 0, and that stays so
        Obstacle obstacle = obstacles.get(base);
        return obstacle != null && obstacle.keeps(isNeeded) || isTaken.test(base);
    }

    private Obstacle obstacle(long base) {
        return obstacles.computeIfAbsent(base, any -> new Obstacle());
    }

    /** Leaves the segment at {@code base} alone because of {@code e}. */
    void leave(long base, PersistException e) {
        failed(String.valueOf(e.getMessage()));
        if (e instanceof CorruptLogException damage
                && CheckpointName.position(damage.file()).isPresent()) {
            leave(base, Reason.UNKNOWN); // nothing is wrong with the segment
        } else {
            leave(base, Reason.DAMAGED);
        }
    }

    /** The same for {@code reason}. */
    void leave(long base, Reason reason) {
        obstacle(base).reason = reason;
    }

    /** The same: it is empty, and so damaged that it cannot be taken away. */
    void leaveLasting(long base, CorruptLogException e) {
        failed(String.valueOf(e.getMessage()));
        leave(base, Reason.LASTING);
    }

    /** Puts the segment at {@code base} off because of {@code e}, or throws that if the log has failed: all is over. */
    void putOff(long base, LogIOException e) {
        note(e);
        obstacle(base).isPutOff = true;
    }

    /**
     * The same because nothing more can be moved out of it, for twice as long each time: whenever it is tried again it
     * is read again up to there, and before all others, as it is the emptiest one by then.
     */
    void putOffMoves(long base, LogIOException e) {
        note(e);
        Obstacle obstacle = obstacle(base);
        obstacle.pause = 1 << Math.min(obstacle.failures, MOST_DOUBLINGS);
        obstacle.failures++;
    }

    private void note(LogIOException e) {
        if (core.writer().positions().hasFailed()) {
            throw e;
        }
        failed(String.valueOf(e.getMessage()));
        lastError = e;
        timesPutOff++;
    }

    boolean isPutOff(long base) {
        Obstacle obstacle = obstacles.get(base);
        return obstacle != null && obstacle.isPutOff;
    }

    /** Whether some are put off. */
    boolean hasPutOff() {
        return obstacles.values().stream().anyMatch(obstacle -> obstacle.isPutOff || obstacle.pause > 0);
    }

    /** What was put off is not any more, unless that was for longer. */
    void tryAgain() {
        for (Obstacle obstacle : obstacles.values()) {
            obstacle.isPutOff = false;
            obstacle.pause = Math.max(0, obstacle.pause - 1);
        }
    }

    /** What was put off is not any more, for however long that was. */
    void tryAllAgain() {
        for (Obstacle obstacle : obstacles.values()) {
            obstacle.isPutOff = false;
            obstacle.pause = 0;
            obstacle.failures = 0;
        }
    }

    /** How often a segment was put off. */
    long timesPutOff() {
        return timesPutOff;
    }

    /** Throws the last error if one was put off more often than {@code before}. */
    void checkPutOff(long before) {
        LogIOException error = lastError;
        if (error != null && timesPutOff != before) {
            throw error;
        }
    }

    /** Throws if one below {@code end} has neither been emptied, nor is one of the damaged and the unmovable. */
    void checkNoneLeft(long end) {
        LiveBytes live = core.state().live();
        for (int i = 0; i < live.segments() && live.end(i) <= end; i++) {
            Obstacle obstacle = obstacles.get(live.base(i));
            if (!isTaken.test(live.base(i)) && (obstacle == null || !obstacle.isCounted())) {
                String why = "a segment is left; see what checkpoints and compaction failed by";
                throw new LogIOException("not everything was erased: " + why + ": position=" + live.base(i), null);
            }
        }
    }

    /** Notes why something was given up. */
    void failed(String failure) {
        timesFailed++;
        lastFailure = failure;
    }

    long timesFailed() {
        return timesFailed;
    }

    /** What was noted last, empty if nothing was. */
    String lastFailure() {
        return lastFailure;
    }

    /** Nothing in the segment at {@code base} is needed any more. */
    void leaveNoMore(long base) {
        obstacles.remove(base);
    }

    /** How many are left alone because of damage. */
    int damaged() {
        return count(Reason.DAMAGED) + count(Reason.LASTING);
    }

    /** How many are left alone because of a value that is too long. */
    int unmovable() {
        return count(Reason.UNMOVABLE);
    }

    private int count(Reason reason) {
        return (int) obstacles.values().stream().filter(o -> o.reason == reason).count();
    }

    /** Bytes to be gained of whole segments that end after {@code floor}. */
    long gainAfter(long floor) {
        LiveBytes live = core.state().live();
        long gain = 0;
        for (int i = live.segments() - 1; i >= 0 && live.end(i) > floor; i--) {
            boolean isWhole = live.end(i) <= core.appliedEnd();
            if (isWhole && neededPart(i) < 1 - MIN_GAIN && !isOut(i)) {
                gain += (long) ((live.end(i) - live.base(i)) * (1 - neededPart(i)));
            }
        }
        return gain;
    }
}

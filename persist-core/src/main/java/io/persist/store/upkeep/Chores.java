package io.persist.store.upkeep;

import io.persist.error.IndexFullException;
import io.persist.event.Notices;
import io.persist.event.RepeatedFailure;
import io.persist.log.thread.Pace;
import io.persist.log.thread.Turn;
import io.persist.store.StoreStatistics;
import io.persist.store.checkpoint.Checkpointer;
import io.persist.store.core.StoreCore;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The pieces of which a store's upkeep is made. Each has its turn: one thread works, and the others wait for it.
 *
 * <p><b>Threads:</b> any.
 */
final class Chores {

    private static final long MOST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final StoreCore core;
    private final Checkpointer checkpointer;
    private final Compactor compactor;
    private final Turn turn = new Turn();
    private final RepeatedFailure failing;

    /** Threads for which compaction makes way. */
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();

    /** Set once, by the thread that closes the store; nothing else is ordered by it. */
    private volatile boolean closing;

    /** Set after {@link #closing}, in the same way. */
    private volatile boolean stopping;

    Chores(StoreCore core, Checkpointer checkpointer, Compactor compactor) {
        this.core = core;
        this.checkpointer = checkpointer;
        this.compactor = compactor;
        this.failing = new RepeatedFailure(
                Notices.STORE, "store " + core.storage().description() + ": compaction goes on again");
    }

    /**
     * To be called before anything else by whoever wants something done, and not in the middle of it: code that the
     * work itself has called must not give back the turn of the thread that works.
     *
     * @throws IllegalStateException if the work has called this thread's code
     */
    void checkOutside() {
        core.checkOutside();
        if (isMine()) {
            throw new IllegalStateException("a checkpoint or a compaction was called for in the middle of another one;"
                    + " call it in another thread");
        }
    }

    /** Whether the current thread is in the middle of one. */
    boolean isMine() {
        return turn.isMine();
    }

    /** What is under way goes on as fast as it can, and nothing more is begun, but for the last checkpoint. */
    void beginClose() {
        closing = true;
    }

    /** What is under way is given up. */
    void stop() {
        stopping = true;
    }

    boolean isClosing() {
        return closing;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Takes the turn. A segment that is being emptied may take long at its pace: that is interrupted. */
    private void takeSoon() {
        Thread current = Thread.currentThread();
        waiting.add(current);
        try {
            turn.take();
        } finally {
            waiting.remove(current);
        }
    }

    /** Whether a thread waits for compaction to be interrupted. */
    boolean isAwaited() {
        return !waiting.isEmpty();
    }

    private boolean isInterrupted() {
        return isAwaited() || core.ask(checkpointer::isUrgent);
    }

    /** Writes a checkpoint; returns its length. */
    long checkpoint(Pace pace) throws IOException {
        takeSoon();
        try {
            return checkpointer.write(pace);
        } finally {
            turn.giveBack();
        }
    }

    /** Writes two checkpoints, so that all of the log up to now lies below the fallback. */
    void raiseFloor(Pace pace) throws IOException {
        takeSoon();
        try {
            writeTwo(pace);
        } finally {
            turn.giveBack();
        }
    }

    private void writeTwo(Pace pace) throws IOException {
        checkpointer.write(pace);
        core.commits().appendNothing(); // so that the next one has another position
        checkpointer.writeWhole(pace);
    }

    /**
     * Empties a segment, or finds some that are empty. It is interrupted if another thread waits or the index needs a
     * checkpoint, and goes on with that segment the next time.
     *
     * @return whether there was one
     */
    boolean emptyOne(Pace pace, Pace ofCheckpoint) throws IOException {
        turn.letOthersGo(); // first: it may have been interrupted for them
        turn.take();
        try {
            return emptySome(checkpointer.fallback(), SegmentChoice.MIN_GAIN, pace, ofCheckpoint);
        } finally {
            turn.giveBack();
        }
    }

    private boolean emptySome(long floor, double minGain, Pace pace, Pace ofCheckpoint) throws IOException {
        try {
            return compactor.emptyOne(floor, minGain, pace, this::isInterrupted);
        } catch (IndexFullException e) { // moves have changed nodes, which can give their memory up once written
            checkpointer.write(ofCheckpoint);
            return compactor.emptyOne(floor, minGain, pace, () -> true);
        }
    }

    /** Takes away what can go, until {@code isEnough}; returns whether something has to wait. */
    boolean vacate(BooleanSupplier isEnough) {
        turn.take();
        try {
            vacateInSteps(isEnough);
            return compactor.isWaiting();
        } finally {
            turn.giveBack();
        }
    }

    /** Goes on behind the threads that wait: there may be thousands, and each takes some syncs. */
    private long vacateInSteps(BooleanSupplier isEnough) {
        long given = 0;
        long last;
        do {
            letAwaitedGo();
            last = closing ? 0 : vacateUnlessAwaited(isEnough); // it may have been for the thread that closes the store
            given += last;
        } while (last > 0 && isAwaited());
        return given;
    }

    /** The first one in any case: or nothing would ever go while threads come again and again. */
    private long vacateUnlessAwaited(BooleanSupplier isEnough) {
        boolean[] isBegun = new boolean[1];
        return compactor.vacate(() -> {
            boolean makesWay = isBegun[0] && isAwaited();
            isBegun[0] = true;
            return closing || makesWay || isEnough.getAsBoolean();
        });
    }

    /** A thread that waits may have just begun to, or need a moment to wake up: it is waited for, but not for ever. */
    private void letAwaitedGo() {
        if (isAwaited()) {
            turn.giveBack();
            long startNs = System.nanoTime();
            while (isAwaited() && System.nanoTime() - startNs < MOST_WAIT_NS) {
                LockSupport.parkNanos(this, PAUSE_NS);
            }
            turn.take();
        }
    }

    /**
     * Takes away what nobody needs any more: what was found to be empty, and, as long as compaction is due, what is
     * empty besides. All of that lies below the fallback. So no newer checkpoint is needed for it, and none may be
     * possible before: nor is it interrupted for a thread that waits to write one, which may need the space, too.
     */
    void giveBackEmpty() {
        turn.take();
        try {
            findEmpty(compactor::isDue);
            compactor.vacate(this::isClosing);
        } finally {
            turn.giveBack();
        }
    }

    /** Asks {@code isDue} under the store's lock. */
    private void findEmpty(BooleanSupplier isDue) {
        boolean isLeft = true;
        while (isLeft && !closing && core.ask(isDue)) {
            isLeft = compactor.findEmpty(checkpointer.fallback());
        }
    }

    /** As {@code StoreLogger.compact} says; with the budget {@link Compactor#ALL} as {@code rewrite} does. */
    long compact(long budgetBytes, Pace pace) throws IOException {
        boolean isAll = budgetBytes == Compactor.ALL;
        // Not the choice's: between two segments other threads may have their turn, and want something else of it.
        double minGain = isAll ? SegmentChoice.ANY_GAIN : SegmentChoice.MIN_GAIN;
        takeSoon();
        long given = 0;
        try {
            long errors = beginErrors();
            long promised = isAll ? core.read(core::appliedEnd) : 0;
            findEmpty(() -> true);
            given = vacateInSteps(() -> false); // for two checkpoints there may be no space before
            if (!closing) {
                writeTwo(pace);
                given += vacateInSteps(() -> false);
                long before = compactor.movedBytes();
                long floor = checkpointer.fallback(); // what is moved from here on must not be moved again
                while (!closing && isLeft(budgetBytes, before) && emptySome(floor, minGain, pace, pace)) {
                    given += vacateInSteps(() -> false);
                    makeWay(pace);
                }
                core.locked(() -> check(errors, closing ? 0 : promised));
            }
        } catch (IllegalStateException | IOException e) {
            if (!closing) {
                throw e;
            } // else the store has been closed meanwhile, and what was given back is the answer
        } finally {
            turn.giveBack();
        }
        if (isAll && closing) {
            throw new IllegalStateException("store is closed: it is not known whether everything was erased");
        }
        return given;
    }

    private void check(long errorsBefore, long noneBelow) {
        compactor.choice().checkPutOff(errorsBefore);
        compactor.choice().checkNoneLeft(noneBelow);
    }

    private boolean isLeft(long budgetBytes, long movedBefore) {
        return budgetBytes == Compactor.ALL || compactor.movedBytes() - movedBefore < budgetBytes;
    }

    /** By hand all is tried, also what was put off; returns how many errors there were before. */
    private long beginErrors() {
        return core.read(() -> {
            compactor.choice().tryAllAgain();
            return compactor.choice().timesPutOff();
        });
    }

    /** For what has interrupted compaction, if anything has. */
    private void makeWay(Pace pace) throws IOException {
        letAwaitedGo();
        if (!closing && core.ask(checkpointer::isUrgent)) {
            checkpointer.write(pace);
        }
    }

    /** Says what compaction has failed by since the last time, or that it goes on. The store's own thread. */
    void sayFailures() {
        StoreStatistics.Compaction now = core.readAnyway(compactor::statistics);
        long failures = core.readAnyway(compactor.choice()::timesFailed);
        failing.look(
                closing ? 0 : failures, // what is under way fails then, and is nobody's matter
                now.movedBytes() + now.vacatedSegments(),
                () -> "store "
                        + core.storage().description() + ": compaction failed: " + now.lastFailure()
                        + "; the log grows while segments cannot be emptied; remove the cause");
    }

    /** Gives back what a late error may have left behind, see {@link Turn}. */
    void leave() {
        try {
            core.unlock();
            core.space().leave();
            waiting.remove(Thread.currentThread());
        } finally {
            turn.giveBack();
        }
    }

    /** Returns when no other thread works, nor will. */
    void end() {
        turn.take();
        try {
            compactor.leave();
        } finally {
            turn.giveBack();
        }
    }
}

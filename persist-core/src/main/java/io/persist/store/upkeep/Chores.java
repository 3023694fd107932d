package io.persist.store.upkeep;

import io.persist.log.thread.Pace;
import io.persist.log.thread.Turn;
import io.persist.store.checkpoint.Checkpointer;
import io.persist.store.core.StoreCore;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * The pieces of which a store's upkeep is made. Each has its turn: one thread works, and the others wait for it.
 *
 * <p><b>Threads:</b> any.
 */
final class Chores {

    private final StoreCore core;
    private final Checkpointer checkpointer;
    private final Compactor compactor;
    private final Turn turn = new Turn();

    Chores(StoreCore core, Checkpointer checkpointer, Compactor compactor) {
        this.core = core;
        this.checkpointer = checkpointer;
        this.compactor = compactor;
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

    /** Writes a checkpoint; returns its length. */
    long checkpoint(Pace pace) throws IOException {
        turn.take();
        try {
            return checkpointer.write(pace);
        } finally {
            turn.giveBack();
        }
    }

    /** Writes two checkpoints, so that all of the log up to now lies below the fallback. */
    void raiseFloor(Pace pace) throws IOException {
        turn.take();
        try {
            writeTwo(pace);
        } finally {
            turn.giveBack();
        }
    }

    private void writeTwo(Pace pace) throws IOException {
        checkpointer.write(pace);
        checkpointer.appendNothing(); // so that the next one has another position
        checkpointer.writeWhole(pace);
    }

    /** Empties a segment, or finds some that are empty; returns whether there was one. */
    boolean emptyOne(Pace pace) throws IOException {
        turn.take();
        try {
            return compactor.emptyOne(checkpointer.fallback(), pace);
        } finally {
            turn.giveBack();
        }
    }

    /** Takes away what can go, until {@code isEnough}; returns whether something has to wait. */
    boolean vacate(BooleanSupplier isEnough) {
        turn.take();
        try {
            compactor.vacate(isEnough);
            return compactor.isWaiting();
        } finally {
            turn.giveBack();
        }
    }

    /**
     * Takes away what nobody needs any more, until {@code isEnough}: what was found to be empty, and, as long as {@code
     * isDue} says so under the store's lock, what is empty besides. All of that lies below the fallback. So no newer
     * checkpoint is needed for it, and none may be possible before.
     */
    void giveBackEmpty(BooleanSupplier isDue, BooleanSupplier isEnough) {
        turn.take();
        try {
            vacateEmpty(isDue, isEnough);
        } finally {
            turn.giveBack();
        }
    }

    private long vacateEmpty(BooleanSupplier isDue, BooleanSupplier isEnough) {
        boolean isLeft = true;
        while (isLeft && !isEnough.getAsBoolean() && core.ask(isDue)) {
            isLeft = compactor.findEmpty(checkpointer.fallback());
        }
        return compactor.vacate(isEnough);
    }

    /** As {@code StoreLogger.compact} says; no more is begun once it {@code isEnough}. */
    long compact(long budgetBytes, Pace pace, BooleanSupplier isEnough) throws IOException {
        turn.take();
        try {
            long given = vacateEmpty(() -> true, isEnough); // for two checkpoints there may be no space before
            writeTwo(pace);
            given += compactor.vacate(isEnough);
            long before = compactor.movedBytes();
            while (!isEnough.getAsBoolean()
                    && compactor.movedBytes() - before < budgetBytes
                    && compactor.emptyOne(checkpointer.fallback(), pace)) {
                given += compactor.vacate(isEnough);
            }
            return given;
        } finally {
            turn.giveBack();
        }
    }

    /** Gives back what a late error may have left behind, see {@link Turn}. */
    void leave() {
        try {
            core.unlock();
            core.space().leave();
        } finally {
            turn.giveBack();
        }
    }

    /** Returns when no other thread works. */
    void awaitEnd() {
        turn.take();
        turn.giveBack();
    }
}

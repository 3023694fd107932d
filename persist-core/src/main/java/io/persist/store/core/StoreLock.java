package io.persist.store.core;

import io.persist.log.engine.Log;
import io.persist.log.thread.Turn;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The lock of a store. The thread that has it is the one that may append to an attached log.
 *
 * <p>A listener, or the step of a future, that the log calls in the middle of a flush or sync may run in the thread
 * that has the lock. It must not come in: it would find a change half done, and give the lock back under its owner. And
 * a listener in any thread must not wait for the lock: the lock's owner may be about to call listeners, too.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> as {@link Turn}.
 */
final class StoreLock {

    private final Turn turn = new Turn();
    private final Log log;

    StoreLock(StoreCore core) {
        this.log = core.log();
        log.guardedBy(core.isQueued() ? null : turn::isMine);
    }

    /**
     * Takes it, as soon as nobody else has it.
     *
     * @throws IllegalStateException in a listener, in the middle of a call of the log, or on a thread of the log's own
     */
    void take() {
        checkOutside();
        turn.take();
    }

    /** Throws as {@link #take} does, in the middle of a call of the log, or on a thread of the log's own. */
    void checkOutside() {
        if (log.isWithin()) {
            throw new IllegalStateException(
                    "the store was used in the middle of a flush or sync of its log, by a listener"
                            + " or the step of a future, which must not use it; use the store in another thread");
        }
    }

    /** Gives it back, if this thread has it, and is not in the middle of a call of the log: then it has more to do. */
    void giveBack() {
        if (!log.isWithin()) {
            turn.giveBack();
        }
    }

    /** What {@code work} returns behind {@code check}, with the lock, which is given back twice: see {@link Turn}. */
    <T> T with(Runnable check, Supplier<T> work) {
        try {
            take();
            try {
                check.run();
                return work.get();
            } finally {
                giveBack();
            }
        } finally {
            giveBack();
        }
    }

    /**
     * The same without an answer, of {@code work} done to {@code on}. It makes no object: where there is no memory,
     * {@code work} may end something.
     */
    <T> void run(Runnable check, T on, Consumer<T> work) {
        try {
            take();
            try {
                check.run();
                work.accept(on);
            } finally {
                giveBack();
            }
        } finally {
            giveBack();
        }
    }

    void letOthersGo() {
        turn.letOthersGo();
    }
}

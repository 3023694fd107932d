package io.persist.matrix.power;

import io.persist.file.Storage;
import io.persist.support.Interposed;
import io.persist.testkit.CrashableStorage;
import java.util.Random;

/**
 * Lets a reader and the threads of a writer work by turns on one storage. A turn of the reader ends behind one of its
 * calls, as is drawn. Then the writer's threads do a drawn number of operations, and wait before the next one until the
 * reader has had its turn. What they do between two operations they may do at any time.
 *
 * <p><b>Threads:</b> the one that makes it reads; any others write.
 */
final class Turns {

    /** A turn of the writer has at most 2 to the power of this many operations. */
    private static final int MOST_BITS = 9;

    /** A turn of the reader has so many calls on average. */
    private static final int CALLS = 6;

    private final Thread reader = Thread.currentThread();
    private final Random random;

    /** How many operations the writer may do before it is the reader's turn. */
    private int operations;

    /** How many threads of the writer are before an operation. */
    private int waiting;

    private boolean areOver;

    /** The lengths of turns follow from {@code random}. */
    Turns(Random random) {
        this.random = random;
    }

    /** Has the writer's threads wait for their turn before each operation, and {@code then} look at it. */
    CrashableStorage.Hook ofWriter(CrashableStorage.Hook then) {
        return (number, what) -> {
            if (Thread.currentThread() != reader) {
                take();
                then.beforeOperation(number, what);
            }
        };
    }

    private synchronized void take() {
        waiting++;
        notifyAll();
        while (operations == 0 && !areOver) {
            await();
        }
        waiting--;
        operations = Math.max(0, operations - 1);
        notifyAll(); // others may wait already, and this thread for them
    }

    /** There are no turns any more: nobody waits. */
    synchronized void end() {
        areOver = true;
        notifyAll();
    }

    synchronized boolean areOver() {
        return areOver;
    }

    /** {@code storage} as the reader sees it, whose turn may end behind each call. */
    Storage ofReader(CrashableStorage storage) {
        return Interposed.afterEach(storage, call -> mayEnd());
    }

    /** Ends the reader's turn. */
    synchronized void pass() {
        operations = 1 + random.nextInt(1 << random.nextInt(MOST_BITS + 1));
        notifyAll();
        while (!areOver && (operations > 0 || waiting == 0)) {
            await();
        }
    }

    private synchronized void mayEnd() {
        if (Thread.currentThread() == reader && random.nextInt(CALLS) == 0) {
            pass();
        }
    }

    private void await() {
        try {
            wait();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts here", e);
        }
    }
}

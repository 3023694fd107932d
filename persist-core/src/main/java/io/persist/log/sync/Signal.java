package io.persist.log.sync;

import io.persist.error.PersistException;
import io.persist.log.sync.WaiterList.Visitor;
import io.persist.log.sync.WaiterList.Waiter;
import io.persist.log.sync.Waiters.Parked;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What one signal takes out of the list, and then tells: whoever need not wait any more. The futures are a list of
 * their own, which needs no memory.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class Signal implements Visitor {

    /** A future that waits for a position. */
    static final class Promised extends Waiter {

        final CompletableFuture<Long> future = new CompletableFuture<>();

        /** The one that was taken out of the list after it. */
        private @Nullable Promised nextTaken;

        /** Completes the future if its position is reached, or will never be. */
        void complete(LogPositions positions) {
            try {
                long reached = positions.reached(level);
                if (reached >= position) {
                    future.complete(reached);
                } else {
                    positions.checkNotEnded();
                }
            } catch (PersistException | IllegalStateException e) {
                future.completeExceptionally(e);
            }
        }
    }

    private final LogPositions positions;
    private final WaiterList list;
    private final ArrayList<Thread> threads = new ArrayList<>();

    /** How many of them are woken. */
    private int woken;

    private @Nullable Promised first;
    private @Nullable Promised last;

    Signal(LogPositions positions, WaiterList list) {
        this.positions = positions;
        this.list = list;
    }

    @Override
    public boolean visit(Waiter waiter) {
        if (positions.reached(waiter.level) >= waiter.position || positions.hasEnded()) {
            if (waiter instanceof Parked parked) {
                threads.add(parked.thread()); // before it is taken out: there may be no memory
            } else if (last == null) {
                first = (Promised) waiter;
                last = first;
            } else {
                last.nextTaken = (Promised) waiter;
                last = last.nextTaken;
            }
            list.takeOut(waiter);
        }
        return true;
    }

    /**
     * Wakes the threads, those first that have waited longest: the other way round eight producers made a tenth fewer
     * commits. A second call finds those that the first one has not come to.
     */
    void wakeThreads() {
        while (woken < threads.size()) {
            LockSupport.unpark(threads.get(woken));
            woken++;
        }
        woken = 0; // first: to wake one twice does no harm
        threads.clear();
    }

    /** Whether no error has kept it from completing the futures that it has. A guess while another thread uses it. */
    boolean isTold() {
        return first == null;
    }

    /** Completes the futures. Those for which there is no memory are listed for the next signal. */
    void completeFutures() {
        Promised promised = first;
        first = null;
        last = null;
        try {
            while (promised != null) {
                promised.complete(positions);
                promised = promised.nextTaken;
            }
        } finally {
            while (promised != null) {
                Promised after = promised.nextTaken;
                promised.nextTaken = null;
                list.add(promised);
                promised = after;
            }
        }
    }
}

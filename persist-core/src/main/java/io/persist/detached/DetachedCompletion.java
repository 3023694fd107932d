package io.persist.detached;

import io.persist.log.Durability;
import io.persist.log.sync.Completion;
import io.persist.log.sync.LogPositions;
import io.persist.log.thread.OnInterrupt;
import java.util.function.LongConsumer;

/**
 * Waits for positions of a detached log, which the writer thread brings about when it is asked to.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none per wait.
 */
final class DetachedCompletion {

    private final LogPositions positions;
    private final Completion completion;
    private final HandoffQueue queue;
    private final DetachedWriter writer;
    private final Requests requests;
    private final WriterIdle idle;
    private final YieldPolicy yields;
    private final LongConsumer lookAround = this::lookAround; // made once: a wait allocates nothing

    DetachedCompletion(
            LogPositions positions,
            Completion completion,
            HandoffQueue queue,
            DetachedWriter writer,
            Requests requests,
            YieldPolicy yields) {
        this.positions = positions;
        this.completion = completion;
        this.queue = queue;
        this.writer = writer;
        this.requests = requests;
        this.idle = writer.idle();
        this.yields = yields;
    }

    /** Returns once everything before {@code position} has {@code level}. */
    void await(long position, Durability level) {
        await(position, level, Long.MAX_VALUE, OnInterrupt.GO_ON);
    }

    /** The same; false if the time ran out first, or an interrupt has ended it. */
    boolean await(long position, Durability level, long timeoutNs, OnInterrupt onInterrupt) {
        if (positions.reached(level) >= position) {
            return true;
        }
        writer.checkMayWait();
        request(position, level);
        long startNs = System.nanoTime();
        if (reachedWhileYielding(position, level, startNs, timeoutNs, onInterrupt)) {
            return true;
        }
        long remainingNs = timeoutNs - (System.nanoTime() - startNs);
        if (completion.awaitOthers(position, level, remainingNs, onInterrupt, lookAround)) {
            return true;
        }
        lookAround(position); // also if there was no time
        return false;
    }

    /** What a thread does each time it wakes up and its position is not reached; throws if that is refused. */
    private void lookAround(long position) {
        if (positions.published() < position) {
            writer.checkNotRefused();
            if (queue.isBroken) {
                idle.wake(); // it may not know yet
            }
        }
        completion.sayIfStuck();
    }

    /** Whether it was reached while this thread gave its CPU away again and again. */
    private boolean reachedWhileYielding(
            long position, Durability level, long startNs, long timeoutNs, OnInterrupt onInterrupt) {
        long nowNs = startNs;
        boolean goesOn = yields.mayBegin(nowNs);
        for (int i = 1; goesOn; i++) {
            Thread.yield();
            if (positions.reached(level) >= position) {
                return true;
            }
            long tookNs = System.nanoTime() - nowNs;
            nowNs += tookNs;
            goesOn = yields.mayGoOn(i, tookNs, nowNs)
                    && nowNs - startNs < timeoutNs
                    && !(onInterrupt == OnInterrupt.END
                            && Thread.currentThread().isInterrupted());
        }
        return false;
    }

    /** Asks for it, and does not wait. What is not appended yet is left to the threads that will append it. */
    void request(long position, Durability level) {
        long end = Math.min(position, queue.position());
        switch (level) {
            case BUFFERED -> {}
            case FLUSHED -> requests.flushTo(end);
            case SYNCED -> requests.syncTo(end);
        }
        idle.wake();
    }
}

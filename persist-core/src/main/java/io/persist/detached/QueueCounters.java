package io.persist.detached;

import io.persist.format.control.CounterBlock;
import io.persist.monitor.Counter;
import io.persist.monitor.LogStatistics;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what the queue does, and the commits that a thread waits for. Producers count in memory of the process, and
 * the writer thread brings that to the control block: the block is gone once the log is closed, and a producer may come
 * later.
 */
final class QueueCounters {

    private final CounterBlock block;
    private final int capacity;
    private final AtomicLong full = new AtomicLong();
    private final AtomicLong waitNs = new AtomicLong();
    private final AtomicLong syncedCommits = new AtomicLong();

    /** The most entries that a caller was told of: none shall be told of fewer afterwards. */
    private final AtomicLong mostTold = new AtomicLong();

    QueueCounters(CounterBlock block, int capacity) {
        this.block = block;
        this.capacity = capacity;
        block.set(Counter.QUEUE_CAPACITY, capacity);
    }

    /** The queue was full for a producer. Any thread. */
    void full() {
        full.incrementAndGet();
    }

    /** A producer waited for a free entry. Any thread. */
    void waited(long ns) {
        waitNs.addAndGet(ns);
    }

    /** A thread has ended a commit, and will wait until it is synced. Any thread. */
    void syncedCommit() {
        syncedCommits.incrementAndGet();
    }

    /** The writer thread took {@code count} entries at once, perhaps none, and left {@code left}. */
    void batch(int count, int left) {
        if (count > 0) {
            block.add(Counter.BATCHES, 1);
            block.add(Counter.BATCH_ENTRIES, count);
            block.max(Counter.BATCH_MAX, count);
        }
        // Some of what is left came while the first ones were taken.
        store(left, Math.min(count + left, capacity));
    }

    /** The queue has {@code left} entries. The writer thread says it before it is held up. */
    void left(int left) {
        store(left, left);
    }

    private void store(int left, int most) {
        block.max(Counter.QUEUE_MAX_DEPTH, Math.max(most, mostTold.get()));
        block.set(Counter.QUEUE_DEPTH, left);
        block.set(Counter.QUEUE_FULL, full.get());
        block.set(Counter.QUEUE_WAIT_NS, waitNs.get());
        block.set(Counter.SYNCED_COMMITS, syncedCommits.get());
    }

    /** {@code stored} with the queue as it is now, of {@code depth} entries: the writer thread may be held up. */
    LogStatistics now(LogStatistics stored, int depth) {
        long most = mostTold.accumulateAndGet(Math.max(stored.queueMaxDepth(), depth), Math::max);
        return LogStatistics.of(counter -> switch (counter) {
            case QUEUE_DEPTH -> depth;
            case QUEUE_MAX_DEPTH -> most;
            case QUEUE_FULL -> full.get();
            case QUEUE_WAIT_NS -> waitNs.get();
            case SYNCED_COMMITS -> syncedCommits.get();
            default -> stored.get(counter);
        });
    }
}

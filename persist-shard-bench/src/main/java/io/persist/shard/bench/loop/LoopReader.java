package io.persist.shard.bench.loop;

import io.persist.shard.Shard;
import io.persist.shard.ShardEvent;
import io.persist.shard.ShardListener;
import io.persist.shard.ShardReader;
import io.persist.shard.model.Frontier;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Listens to all. One thread reads; others look at the counters. */
final class LoopReader implements AutoCloseable {

    private static final Duration LOOK = Duration.ofMillis(100);

    private final int index;
    private final Schedule schedule;
    private final long first;
    private final ShardListener<byte[], byte[]> listener;
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong maxLag = new AtomicLong();
    private final Latency latency = new Latency();
    private long updates;

    LoopReader(int index, Shard<byte[], byte[]> shard, Schedule schedule) {
        this.index = index;
        this.schedule = schedule;
        try (ShardReader<byte[], byte[]> reader = shard.reader()) {
            Frontier since = reader.since();
            if (since.isEmpty()) {
                throw new IllegalStateException("nobody can read the shard any more; take another --shard-id");
            }
            first = since.time();
            listener = reader.listen(first);
        }
        records.set(first);
    }

    int index() {
        return index;
    }

    /** From when a record was due until it was read. */
    Latency latency() {
        return latency;
    }

    /** How many were read: times are numbers of records. */
    long records() {
        return records.get();
    }

    /** How many are due and not read. */
    long lag() {
        return Math.max(0, schedule.dueRecords() - records());
    }

    long maxLag() {
        return Math.max(lag(), maxLag.get());
    }

    /** Reads until all is there. */
    void read() throws InterruptedException {
        schedule.awaitStart();
        while (!schedule.isOver()
                && listener.frontier().isBelow(Frontier.at(schedule.data().records()))) {
            ShardEvent<byte[], byte[]> event = listener.poll(LOOK);
            maxLag.accumulateAndGet(lag(), Math::max);
            if (event instanceof ShardEvent.Updates<byte[], byte[]> more) {
                updates += more.updates().size();
            } else if (event instanceof ShardEvent.Progress<byte[], byte[]> progress) {
                progress(progress.frontier());
            }
        }
    }

    private void progress(Frontier frontier) {
        if (frontier.isEmpty()) {
            throw new IllegalStateException("the shard was ended before all was written");
        }
        records.set(frontier.time());
        latency.took(schedule.lateNs(frontier.time()));
        long expected = Math.max(0, frontier.time() - 1 - first); // it listens behind the first time
        if (updates != expected) {
            throw new IllegalStateException("reader " + index + " was given " + updates + " records in place of "
                    + expected + " up to time " + frontier);
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}

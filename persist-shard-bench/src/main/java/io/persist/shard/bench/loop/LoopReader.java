package io.persist.shard.bench.loop;

import io.persist.command.Text;
import io.persist.shard.Shard;
import io.persist.shard.ShardEvent;
import io.persist.shard.ShardListener;
import io.persist.shard.ShardReader;
import io.persist.shard.bench.place.DataSet;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.Update;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Listens to all, and looks whether it is what was written. One thread reads; others look at the counters. */
final class LoopReader implements AutoCloseable {

    private static final Duration LOOK = Duration.ofMillis(100);

    /** Of a reader beside writers of its own process: these end the run if they fail. */
    static final long FOR_EVER = Long.MAX_VALUE;

    private final int index;
    private final Schedule schedule;
    private final long patienceNs;
    private final long first;
    private final ShardListener<byte[], byte[]> listener;
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong readNs = new AtomicLong();
    private final AtomicLong maxLag = new AtomicLong();
    private final AtomicLong maxLagLately = new AtomicLong();
    private final Latency latency = new Latency();
    private long updates;
    private long sumOfTimes;

    /** The first that is not read to its end. */
    private int batch;

    /** {@code patienceNs} is how long it waits for more when all is due. */
    LoopReader(int index, Shard<byte[], byte[]> shard, Schedule schedule, long patienceNs) {
        this.index = index;
        this.schedule = schedule;
        this.patienceNs = patienceNs;
        try (ShardReader<byte[], byte[]> reader = shard.reader()) {
            Frontier since = reader.since();
            if (since.isEmpty()) {
                throw new IllegalStateException("nobody can read the shard any more; take another --shard-id");
            }
            first = since.time();
            listener = reader.listen(first);
        }
        records.set(first);
        batch = schedule.data().batchOf(Math.max(first, schedule.there()));
    }

    int index() {
        return index;
    }

    /** From when a batch was due until it was read: one for each that came since the start, however many at once. */
    Latency latency() {
        return latency;
    }

    /** The time that it listens behind. */
    long first() {
        return first;
    }

    /** How many were read: times are numbers of records. */
    long records() {
        return records.get();
    }

    /** When the last of these was read, ns since the start. */
    long readNs() {
        return readNs.get();
    }

    /** How many are due and not read. */
    long lag() {
        return Math.max(0, schedule.dueRecords() - records());
    }

    long maxLag() {
        return Math.max(lag(), maxLag.get());
    }

    /** The greatest lag since the last call. */
    long takeMaxLag() {
        return Math.max(lag(), maxLagLately.getAndSet(0));
    }

    /**
     * Reads until all is there.
     *
     * @throws IllegalStateException if it was given something else, or nothing for too long
     */
    void read() throws InterruptedException {
        schedule.awaitStart();
        long newsNs = System.nanoTime();
        while (!schedule.isOver()
                && listener.frontier().isBelow(Frontier.at(schedule.data().records()))) {
            ShardEvent<byte[], byte[]> event = listener.poll(LOOK);
            long lag = lag();
            maxLag.accumulateAndGet(lag, Math::max);
            maxLagLately.accumulateAndGet(lag, Math::max);
            if (event != null || schedule.due() < schedule.data().batches()) {
                newsNs = System.nanoTime();
            } else if (System.nanoTime() - newsNs >= patienceNs) {
                throw new IllegalStateException("reader " + index + " has read " + Text.grouped(records()) + " of "
                        + Text.grouped(schedule.data().records()) + " records, and nothing comes any more; is"
                        + " somebody writing the shard?");
            }
            if (event instanceof ShardEvent.Updates<byte[], byte[]> more) {
                more.updates().forEach(this::look);
            } else if (event instanceof ShardEvent.Progress<byte[], byte[]> progress) {
                progress(progress.frontier());
            }
        }
    }

    private void look(Update<byte[], byte[]> update) {
        if (!schedule.data().hasRecord(update)) {
            throw new IllegalStateException("reader " + index + " was given key " + DataSet.numberOf(update.key()) + " "
                    + update.diff() + " times at time " + update.time() + ", which is not what was written");
        }
        updates++;
        sumOfTimes += update.time();
    }

    /** Each time once: as many as there are between the first one and this, and with the same sum. */
    private void progress(Frontier frontier) {
        if (frontier.isEmpty()) {
            throw new IllegalStateException("the shard was ended before all was written");
        }
        records.set(frontier.time());
        readNs.set(schedule.elapsedNs());
        while (batch < schedule.data().batches() && schedule.data().lower(batch + 1) <= frontier.time()) {
            if (schedule.data().lower(batch + 1) > schedule.there()) {
                latency.took(schedule.lateNs(batch));
            }
            batch++;
        }
        long expected = Math.max(0, frontier.time() - 1 - first); // it listens behind the first time
        long last = frontier.time() - 1;
        boolean isEachOnce = expected == 0 || sumOfTimes == sumTo(last) - sumTo(first);
        if (updates != expected || !isEachOnce) {
            throw new IllegalStateException("reader " + index + " was given " + updates + " records in place of "
                    + expected + " up to time " + frontier + (isEachOnce ? "" : ", and not each once"));
        }
    }

    /** Of 1 to {@code last}; with more than 64 bits it is that modulo 2 to the 64, as the other one. */
    private static long sumTo(long last) {
        return last % 2 == 0 ? last / 2 * (last + 1) : (last + 1) / 2 * last;
    }

    @Override
    public void close() {
        listener.close();
    }
}

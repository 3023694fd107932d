package io.persist.shard.bench.loop;

import io.persist.shard.bench.place.DataSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When each batch is to be written: by the rate alone, however late the ones before are.
 *
 * <p><b>Threads:</b> any.
 */
final class Schedule {

    private static final long LOOK_NS = 50_000_000;

    private final DataSet data;
    private final double batchNs;
    private final AtomicLong startNs = new AtomicLong();
    private final CountDownLatch started = new CountDownLatch(1);
    private final AtomicBoolean over = new AtomicBoolean();

    Schedule(DataSet data, double batchNs) {
        this.data = data;
        this.batchNs = batchNs;
    }

    DataSet data() {
        return data;
    }

    /** Begins now, for all who wait. */
    void start() {
        startNs.set(System.nanoTime());
        started.countDown();
    }

    void awaitStart() throws InterruptedException {
        started.await();
    }

    /** From now on nothing new is begun. */
    void end() {
        over.set(true);
    }

    boolean isOver() {
        return over.get();
    }

    long elapsedNs() {
        return System.nanoTime() - startNs.get();
    }

    /** When a batch is due, ns since the start: as soon as all of its records are there. */
    long dueNs(int batch) {
        return Math.round((batch + 1) * batchNs);
    }

    /** How many batches are due by now. */
    int due() {
        return (int) Math.min(data.batches(), (long) (elapsedNs() / batchNs));
    }

    /** How many records are due by now. */
    long dueRecords() {
        return data.lower(due());
    }

    /** The rate of the records. */
    double bytesPerSecond() {
        return data.batchRecords() * 1e9 / batchNs * data.recordBytes();
    }

    /** How long so many records take to come, s. */
    double seconds(long records) {
        return records * batchNs / data.batchRecords() / 1e9;
    }

    /** By how much a batch is late, ns; below 0 if others are ahead of this process. */
    long lateNs(int batch) {
        return elapsedNs() - dueNs(batch);
    }

    /** Waits until a batch is due; false if all is over before. */
    boolean awaitDue(int batch) throws InterruptedException {
        long leftNs = dueNs(batch) - elapsedNs();
        while (leftNs > 0 && !isOver()) {
            TimeUnit.NANOSECONDS.sleep(Math.min(leftNs, LOOK_NS));
            leftNs = dueNs(batch) - elapsedNs();
        }
        return !isOver();
    }
}

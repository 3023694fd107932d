package io.persist.shard.bench.loop;

import io.persist.shard.bench.place.DataSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When each batch is to be written: by the rate alone, however late the ones before are. Records that are in the shard
 * at the beginning are due then; the rate begins behind them.
 *
 * <p><b>Threads:</b> any.
 */
final class Schedule {

    private static final long LOOK_NS = 50_000_000;

    private final DataSet data;
    private final double recordNs;
    private final long there;
    private final AtomicLong startNs = new AtomicLong();
    private final CountDownLatch started = new CountDownLatch(1);
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong endNs = new AtomicLong();

    /**
     * Of a run that begins with {@link #start}.
     *
     * @param recordNs the time from one record to the next one
     * @param there how many records are in the shard before it
     */
    Schedule(DataSet data, double recordNs, long there) {
        this.data = data;
        this.recordNs = recordNs;
        this.there = there;
    }

    DataSet data() {
        return data;
    }

    /** How many records are there before the run. */
    long there() {
        return there;
    }

    /** Begins now, for all who wait. */
    void start() {
        startNs.set(System.nanoTime());
        started.countDown();
    }

    void awaitStart() throws InterruptedException {
        started.await();
    }

    /** From now on nothing new is begun, also by those who still wait for the start. */
    void end() {
        endNs.set(elapsedNs());
        over.set(true);
        started.countDown();
    }

    /** When it was ended, ns since the start. */
    long endNs() {
        return endNs.get();
    }

    boolean isOver() {
        return over.get();
    }

    long elapsedNs() {
        return System.nanoTime() - startNs.get();
    }

    /** When a batch is due, ns since the start: as soon as all of its records have come. */
    long dueNs(int batch) {
        return Math.round((data.lower(batch + 1) - there) * recordNs);
    }

    /** How many batches are due by now. */
    int due() {
        long records = (long) (there + elapsedNs() / recordNs);
        return records >= data.records() ? data.batches() : (int) (records / data.batchRecords());
    }

    /** How many records are due by now. */
    long dueRecords() {
        return data.lower(due());
    }

    /** The rate of the records. */
    double bytesPerSecond() {
        return 1e9 / recordNs * data.recordBytes();
    }

    /** How long so many records take to come, s. */
    double seconds(long records) {
        return records * recordNs / 1e9;
    }

    /** How many whole batches the rate is ahead of so many records, so long after the start; it may be below 0. */
    double batchesBehind(long records, long ns) {
        double whole = Math.floor((there + ns / recordNs) / data.batchRecords());
        return whole - Math.ceil((double) records / data.batchRecords());
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

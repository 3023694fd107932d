package io.persist.peers.trial.load;

import io.persist.log.Durability;
import io.persist.peers.engine.Producer;
import io.persist.peers.trial.Latencies;
import io.persist.peers.trial.Limits;
import io.persist.peers.trial.Mode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Appends numbered messages by one producer, in groups that end with a commit if the mode has commits. A thread that is
 * interrupted ends early: another one has failed, and nobody asks for what this one has done.
 */
public final class AppendLoop {

    /** So many groups between two looks at the time, where a group takes no longer than that. */
    private static final int UNSYNCED_CHUNK = 1024;

    /** A wait that is longer than this is slept in part. */
    private static final long MIN_SLEEP_NS = 2_000_000;

    private final Producer producer;
    private final ByteBuffer message;
    private final int batch;
    private final boolean commits;
    private final int chunk;
    private long next;

    public AppendLoop(Producer producer, Mode mode) {
        this.producer = producer;
        this.message = producer.message();
        Stamp.fillRest(message);
        this.batch = mode.batch();
        this.commits = mode.durability() == Durability.SYNCED;
        this.chunk = commits ? 1 : UNSYNCED_CHUNK;
    }

    /** As fast as it goes; no clock is read but once in a while. Returns how many. */
    public long run(Limits limits) throws IOException {
        long first = next;
        long end = System.nanoTime() + limits.durationNs();
        long groups = limits.messages() / batch;
        while (groups > 0 && System.nanoTime() - end < 0 && !isInterrupted()) {
            int count = (int) Math.min(groups, chunk);
            groups(count);
            groups -= count;
        }
        return next - first;
    }

    private static boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }

    private void groups(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            group();
        }
    }

    /** The same, and measures each group. */
    public long run(Limits limits, Histogram latencies) throws IOException {
        long first = next;
        long end = System.nanoTime() + limits.durationNs();
        long groups = limits.messages() / batch;
        while (groups > 0 && System.nanoTime() - end < 0 && !isInterrupted()) {
            int count = (int) Math.min(groups, chunk);
            timedGroups(count, latencies);
            groups -= count;
        }
        return next - first;
    }

    private void timedGroups(int count, Histogram latencies) throws IOException {
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            group();
            Latencies.record(latencies, System.nanoTime() - start);
        }
    }

    private void group() throws IOException {
        for (int i = 0; i < batch; i++) {
            Stamp.putSequence(message, next++);
            producer.append();
        }
        if (commits) {
            producer.commit();
        }
    }

    /** Appends messages at a fixed rate, and measures each from when it was meant to start. */
    void runAtRate(Limits limits, long rate, Histogram latencies) throws IOException {
        long origin = System.nanoTime();
        double intervalNs = 1e9 / rate;
        for (long i = 0; i < limits.messages() && !isInterrupted(); i++) {
            long intended = origin + (long) (i * intervalNs);
            if (await(intended) - origin >= limits.durationNs()) {
                return;
            }
            group();
            Latencies.record(latencies, System.nanoTime() - intended);
        }
    }

    /**
     * Appends {@code count} messages at a fixed rate, each with the time at which its append was meant to start: where
     * one is held up, the reader has those that wait behind it late as well.
     */
    public void runStamped(long count, long rate) throws IOException {
        long origin = System.nanoTime();
        double intervalNs = 1e9 / rate;
        for (long i = 0; i < count && !isInterrupted(); i++) {
            long intended = origin + (long) (i * intervalNs);
            await(intended);
            Stamp.putTime(message, intended);
            group();
        }
    }

    /** Waits for a time without giving up the CPU, unless it is far ahead; returns the time then. */
    private static long await(long time) {
        long now = System.nanoTime();
        while (now - time < 0) {
            if (time - now > MIN_SLEEP_NS) {
                LockSupport.parkNanos(time - now - MIN_SLEEP_NS / 2);
            } else {
                Thread.onSpinWait();
            }
            now = System.nanoTime();
        }
        return now;
    }
}

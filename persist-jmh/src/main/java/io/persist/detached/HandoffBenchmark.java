package io.persist.detached;

import io.persist.jmh.support.ScratchDirectory;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The queue of a detached logger without the log: a record is claimed, copied into its entry, published, and taken by a
 * thread that does nothing else and spins. {@code -t 2} has two producers. With more busy threads than CPUs it measures
 * the scheduler.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(3)
public class HandoffBenchmark {

    private static final int SEGMENT_LENGTH = 4 << 20;

    /** A queue to an empty log, which all threads of the benchmark share. */
    @State(Scope.Benchmark)
    public static class Queue {

        @Param({"64", "256", "1024", "4096"})
        public int payload;

        private byte[] message;
        private HandoffQueue queue;

        /** The end of the last record that was taken. */
        private final AtomicLong taken = new AtomicLong();

        private volatile boolean stopped;
        private Thread taker;

        /** A log is opened only because it knows where its records will end. */
        @Setup(Level.Trial)
        public void create() throws IOException {
            message = new byte[payload];
            try (ScratchDirectory directory = ScratchDirectory.create(4L * SEGMENT_LENGTH);
                    Log log = Log.open(LogConfig.builder(directory.path())
                            .segmentLength(SEGMENT_LENGTH)
                            .build())) {
                queue = new HandoffQueue(
                        DetachedConfig.DEFAULT_QUEUE_DEPTH,
                        DetachedConfig.defaultQueueBytes(),
                        log.position(),
                        log.layout());
            }
        }

        private void startTaker() {
            stopped = false;
            taker = new Thread(this::takeAll, "taker");
            taker.setDaemon(true);
            taker.start();
        }

        private void takeAll() {
            while (!stopped) {
                if (queue.drain(this::take, Integer.MAX_VALUE) == 0) {
                    Thread.onSpinWait();
                }
            }
        }

        private void take(QueueEntry entry) {
            taken.lazySet(entry.end()); // nothing more: a fence for each record would be most of the time
        }

        private void stopTaker() throws InterruptedException {
            stopped = true;
            taker.join();
        }

        /** Hands over a record, as soon as there is an entry for it; returns where it ends. */
        private long handOver() {
            QueueEntry entry = queue.claim(payload);
            while (entry == null) {
                Thread.onSpinWait();
                entry = queue.claim(payload);
            }
            entry.put(message, 0);
            return entry.publish();
        }
    }

    /** The thread that takes the records. */
    @State(Scope.Benchmark)
    public static class Taker {

        private Queue queue;

        @Setup(Level.Trial)
        public void start(Queue shared) {
            queue = shared;
            queue.startTaker();
        }

        @TearDown(Level.Trial)
        public void stop() throws InterruptedException {
            queue.stopTaker();
        }
    }

    /** One record after the other: the pace of the slower of the two sides. */
    @Benchmark
    public long stream(Queue queue, Taker taker) {
        return queue.handOver();
    }

    /** Until the other thread has taken it: the way there and back. */
    @Benchmark
    public long roundTrip(Queue queue, Taker taker) {
        long end = queue.handOver();
        while (queue.taken.get() < end) {
            Thread.onSpinWait();
        }
        return end;
    }

    /** Both sides in one thread, only with {@code -t 1}: the instructions, without cache lines that change CPUs. */
    @Benchmark
    public long alone(Queue queue) {
        long end = queue.handOver();
        queue.queue.drain(queue::take, 1);
        return end;
    }
}

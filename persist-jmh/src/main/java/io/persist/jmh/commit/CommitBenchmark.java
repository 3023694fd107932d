package io.persist.jmh.commit;

import io.persist.jmh.support.LogBenchmark;
import io.persist.jmh.support.Payloads;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WaitStrategy;
import io.persist.log.WriteMode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What one record with its commit costs: of each logger, for each durability, mode and writer, in a closed loop of one
 * thread. The subclasses say what a record is.
 *
 * <ul>
 *   <li>{@code latency}: how long each one took, as percentiles. JMH takes two timestamps around each, some 25 ns each.
 *   <li>{@code throughput}: how many there are per second, over {@link #BATCH} between timestamps.
 * </ul>
 *
 * <p>With {@code writer=ATTACHED} the calling thread has written the record when its commit returns. With {@code
 * DETACHED} a commit that is
 *
 * <ul>
 *   <li>{@code FLUSHED} or {@code SYNCED} waits for the writer thread: it is the way there and back.
 *   <li>{@code BUFFERED} waits for nothing. {@code latency} is then that of the hand-off alone: before the queue is
 *       half full the writer thread may catch up, outside of the time. {@code throughput} goes on while the queue is
 *       full, so it is what the writer thread writes.
 * </ul>
 *
 * <p>A closed loop hides what others wait for during a pause: for percentiles at a rate use the programs of
 * persist-bench.
 */
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public abstract class CommitBenchmark extends LogBenchmark {

    static final int BATCH = 256;

    /** So long waits nobody unless the writer thread is stuck. */
    static final Duration LIMIT = Duration.ofMinutes(1);

    /** More than what each kind of record has around its payload: the frame, keys, metadata. */
    private static final int MAX_OVERHEAD = 256;

    static final int CATCH_UP_INTERVAL = DetachedConfig.DEFAULT_QUEUE_DEPTH / 2;

    /** Who writes. */
    public enum Writer {
        ATTACHED,
        DETACHED
    }

    @Param({"BUFFERED", "FLUSHED", "SYNCED"})
    public Durability durability;

    @Param({"MAPPED", "FILE"})
    public WriteMode writeMode;

    @Param({"ATTACHED", "DETACHED"})
    public Writer writer;

    @Param({"64", "256", "1024", "4096"})
    public int payload;

    /** What the writer thread does while its queue is empty. */
    @Param("BLOCKING")
    public WaitStrategy waitStrategy;

    /** What is written: {@link #payload} bytes. */
    byte[] message;

    private boolean catchesUp;
    private int handedOver;

    /** What the last commit has returned. */
    private long end;

    abstract void openAttached(LogConfig config);

    abstract void openDetached(LogConfig config, DetachedConfig detached);

    /** Writes {@link #message} and commits it at {@link #durability}; returns the position after it. */
    abstract long commitOne();

    /**
     * Waits until the writer thread has written all before {@code end}, which is what a commit has returned: the
     * position of a detached log is only what is written already. Returns whether it has.
     */
    abstract boolean awaitWriter(long end) throws InterruptedException;

    // These two once more, so that the tests of this package may call them.

    @Override
    protected abstract long position();

    @Override
    protected abstract void close();

    @Override
    protected void open(LogConfig.Builder config) {
        message = Payloads.random(payload);
        catchesUp = writer == Writer.DETACHED
                && durability == Durability.BUFFERED
                && benchmark().getMode() == Mode.SampleTime;
        LogConfig log = config.writeMode(writeMode).durability(durability).build();
        switch (writer) {
            case ATTACHED -> openAttached(log);
            case DETACHED ->
                openDetached(
                        log, DetachedConfig.builder().waitStrategy(waitStrategy).build());
        }
    }

    @Override
    protected long invocationLength() {
        return (long) BATCH * (payload + MAX_OVERHEAD);
    }

    @Setup(Level.Invocation)
    public void catchUp() throws InterruptedException {
        if (catchesUp && ++handedOver == CATCH_UP_INTERVAL) {
            handedOver = 0;
            if (!awaitWriter(end)) {
                throw new IllegalStateException("the writer is stuck");
            }
        }
    }

    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public long latency() {
        end = commitOne();
        return end;
    }

    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    @OperationsPerInvocation(BATCH)
    public long throughput() {
        long last = 0;
        for (int i = 0; i < BATCH; i++) {
            last = commitOne();
        }
        return last;
    }
}

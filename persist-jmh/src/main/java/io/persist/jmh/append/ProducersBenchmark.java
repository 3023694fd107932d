package io.persist.jmh.append;

import io.persist.detached.DetachedLog;
import io.persist.jmh.support.LogBenchmark;
import io.persist.jmh.support.Payloads;
import io.persist.jmh.support.Producers;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WaitStrategy;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Several producers into one log, in a closed loop, until all that they handed over can be read: the time per message,
 * of all producers together. Without a sync.
 *
 * <p>{@code detached} goes through the queue and the writer thread; {@code locked} is what a program without it would
 * do: an attached log, one lock around each append.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(3)
public class ProducersBenchmark extends LogBenchmark {

    /** Messages of all producers together, in one invocation. */
    public static final int BATCH = 1 << 16;

    private static final int MAX_FRAME_OVERHEAD = 64;

    @Param({"1", "2", "4"})
    public int producers;

    @Param("256")
    public int payload;

    @Param("YIELDING")
    public WaitStrategy waitStrategy;

    private byte[] message;
    private Producers threads;
    private LogWriter log;

    /** The one of an attached log that producers share. */
    private final ReentrantLock lock = new ReentrantLock();

    @Setup(Level.Trial)
    public void start() {
        threads = new Producers(producers);
    }

    @Override
    protected void open(LogConfig.Builder config) {
        message = Payloads.random(payload);
        boolean isDetached = benchmark().getBenchmark().endsWith("detached");
        Log attached = Log.open((isDetached ? config : config.guardedBy(lock)).build());
        DetachedConfig detached =
                DetachedConfig.builder().waitStrategy(waitStrategy).build();
        log = isDetached ? DetachedLog.over(attached, detached) : attached;
    }

    @Override
    protected long position() {
        return log.position();
    }

    @Override
    protected long invocationLength() {
        return (long) BATCH * (payload + MAX_FRAME_OVERHEAD);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long detached() {
        int each = BATCH / producers;
        threads.run(producer -> {
            long end = 0;
            for (int i = 0; i < each; i++) {
                end = log.append(message, 0, message.length);
            }
            if (!log.await(end, Durability.BUFFERED, Duration.ofMinutes(1))) {
                throw new IllegalStateException("the writer is stuck");
            }
        });
        return log.position();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long locked() {
        int each = BATCH / producers;
        threads.run(producer -> {
            for (int i = 0; i < each; i++) {
                lock.lock();
                try {
                    log.append(message, 0, message.length);
                } finally {
                    lock.unlock();
                }
            }
        });
        return log.position();
    }

    @Override
    protected void close() {
        log.close();
    }

    @TearDown(Level.Trial)
    public void end() {
        threads.close();
    }
}

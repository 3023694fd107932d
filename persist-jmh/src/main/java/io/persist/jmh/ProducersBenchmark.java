package io.persist.jmh;

import io.persist.detached.DetachedConfig;
import io.persist.detached.DetachedLog;
import io.persist.detached.WaitStrategy;
import io.persist.log.Durability;
import io.persist.log.Log;
import io.persist.log.LogConfig;
import io.persist.log.LogWriter;
import io.persist.log.Prefill;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Several producers into one log, in a closed loop, until all that they handed over can be read: the time per message,
 * of all producers together. Without a sync.
 *
 * <p>{@code detached} goes through the queue and the writer thread; {@code locked} is what a program without it would
 * do: an attached log, one lock around each append. The logs are filled ahead and replaced as in
 * {@link AppendBenchmark}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(3)
public class ProducersBenchmark {

    static final int BATCH = 1 << 16;

    private static final long AHEAD_LENGTH = 3L * LogConfig.DEFAULT_SEGMENT_LENGTH;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MAX_FRAME_OVERHEAD = 64;

    @Param({"1", "2", "4"})
    public int producers;

    @Param("256")
    public int payload;

    @Param("YIELDING")
    public WaitStrategy waitStrategy;

    private byte[] message;
    private Producers threads;
    private ScratchDirectory directory;
    private LogWriter log;
    private boolean isDetached;

    @Setup(Level.Trial)
    public void start(BenchmarkParams benchmark) throws IOException {
        isDetached = benchmark.getBenchmark().endsWith("detached");
        message = Payloads.random(payload);
        threads = new Producers(producers);
        openFresh();
    }

    private void openFresh() throws IOException {
        directory = ScratchDirectory.create();
        Log attached = Log.open(LogConfig.builder(directory.path())
                .initialLength(AppendBenchmark.LOG_LENGTH + AHEAD_LENGTH)
                .prefill(Prefill.BEFORE_OPEN)
                .build());
        DetachedConfig config =
                DetachedConfig.builder().waitStrategy(waitStrategy).build();
        log = isDetached ? DetachedLog.over(attached, config) : attached;
        LockSupport.parkNanos(PAUSE_NS);
    }

    @Setup(Level.Invocation)
    public void makeRoom() throws IOException {
        if (log.position() + (long) BATCH * (payload + MAX_FRAME_OVERHEAD) > AppendBenchmark.LOG_LENGTH) {
            closeLog();
            openFresh();
        }
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
            if (!log.await(end, Durability.BUFFERED, 1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("the writer is stuck");
            }
        });
        return log.position();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long locked() {
        int each = BATCH / producers;
        ReentrantLock lock = new ReentrantLock();
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

    private void closeLog() throws IOException {
        log.close();
        if (log.statistics().stalls() > 0) {
            throw new IllegalStateException("the filler was measured: " + log.statistics());
        }
        directory.close();
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        threads.close();
        closeLog();
    }
}

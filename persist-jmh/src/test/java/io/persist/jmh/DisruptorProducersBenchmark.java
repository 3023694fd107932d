package io.persist.jmh;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import com.lmax.disruptor.util.DaemonThreadFactory;
import io.persist.detached.DetachedConfig;
import io.persist.log.Log;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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

/** The same as {@link ProducersBenchmark#detached} with an LMAX Disruptor in place of Persist's queue. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(3)
public class DisruptorProducersBenchmark {

    private static final int BATCH = ProducersBenchmark.BATCH;
    private static final long AHEAD_LENGTH = 3L * LogConfig.DEFAULT_SEGMENT_LENGTH;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    @Param({"1", "2", "4"})
    public int producers;

    @Param("256")
    public int payload;

    private byte[] message;
    private Producers threads;
    private ScratchDirectory directory;
    private Log log;
    private Disruptor<Entry> disruptor;
    private RingBuffer<Entry> ring;
    private volatile long written;
    private long goal;

    /** What a producer fills. */
    private static final class Entry {
        byte[] bytes = new byte[0];
        int length;

        void put(byte[] source) {
            if (bytes.length < source.length) {
                bytes = new byte[source.length];
            }
            System.arraycopy(source, 0, bytes, 0, source.length);
            length = source.length;
        }
    }

    @Setup(Level.Trial)
    public void start() throws IOException {
        message = Payloads.random(payload);
        threads = new Producers(producers);
        openFresh();
    }

    private void openFresh() throws IOException {
        directory = ScratchDirectory.create();
        log = Log.open(LogConfig.builder(directory.path())
                .initialLength(AppendBenchmark.LOG_LENGTH + AHEAD_LENGTH)
                .prefill(Prefill.BEFORE_OPEN)
                .build());
        disruptor = new Disruptor<>(
                Entry::new,
                DetachedConfig.DEFAULT_QUEUE_DEPTH,
                DaemonThreadFactory.INSTANCE,
                ProducerType.MULTI,
                new YieldingWaitStrategy());
        disruptor.handleEventsWith((entry, sequence, endOfBatch) -> {
            log.append(entry.bytes, 0, entry.length);
            if (endOfBatch) {
                written = sequence;
            }
        });
        ring = disruptor.start();
        written = -1;
        goal = -1;
        LockSupport.parkNanos(PAUSE_NS);
    }

    @Setup(Level.Invocation)
    public void makeRoom() throws IOException {
        if (log.position() + (long) BATCH * (payload + 64) > AppendBenchmark.LOG_LENGTH) {
            closeLog();
            openFresh();
        }
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long disruptor() {
        int each = BATCH / producers;
        goal += BATCH;
        threads.run(producer -> {
            for (int i = 0; i < each; i++) {
                long sequence = ring.next();
                try {
                    ring.get(sequence).put(message);
                } finally {
                    ring.publish(sequence);
                }
            }
            while (written < goal) {
                Thread.yield();
            }
        });
        return log.position();
    }

    private void closeLog() throws IOException {
        disruptor.shutdown();
        log.close();
        directory.close();
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        threads.close();
        closeLog();
    }
}

package io.persist.peers.handoff;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import com.lmax.disruptor.util.DaemonThreadFactory;
import io.persist.jmh.append.ProducersBenchmark;
import io.persist.jmh.support.LogBenchmark;
import io.persist.jmh.support.Payloads;
import io.persist.jmh.support.Producers;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The same as {@link ProducersBenchmark#detached} with an LMAX Disruptor in place of Persist's queue. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(3)
public class DisruptorProducersBenchmark extends LogBenchmark {

    private static final int BATCH = ProducersBenchmark.BATCH;
    private static final int MAX_FRAME_OVERHEAD = 64;

    @Param({"1", "2", "4"})
    public int producers;

    @Param("256")
    public int payload;

    private byte[] message;
    private Producers threads;
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
    public void start() {
        threads = new Producers(producers);
    }

    @Override
    protected void open(LogConfig.Builder config) {
        message = Payloads.random(payload);
        log = Log.open(config.build());
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

    @Override
    protected void close() {
        disruptor.shutdown();
        log.close();
    }

    @TearDown(Level.Trial)
    public void end() {
        threads.close();
    }
}

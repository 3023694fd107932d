package io.persist.jmh;

import io.persist.MessageLogger;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import io.persist.log.WriteMode;
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

/**
 * What an append costs, in a closed loop, without a sync.
 *
 * <p>An appender that never pauses outruns the filler, which writes zeros at the speed of a file system: a plain loop
 * would fill the disk and measure the filler. So each log takes {@link #LOG_LENGTH} bytes at most, has all of them and
 * what the filler keeps ahead filled with zeros before it is opened, and is then replaced by a fresh one. That is done
 * between invocations, which JMH times one by one because of {@code Level.Invocation}; an invocation is {@link #BATCH}
 * appends, so that the timestamps do not count. The page faults that the filler's thread has not taken yet, the rolls
 * of the segments and the syncs of sealed ones in the background are in the figures.
 *
 * <p>{@code gc.alloc.rate.norm} of {@code -prof gc} holds the opening of the logs too, spread over all appends: it is a
 * fraction of a byte, where a single object per append would be 16 bytes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(3)
public class AppendBenchmark {

    static final int BATCH = 4096;
    static final long LOG_LENGTH = 512L << 20;
    static final int WRITE_BUFFER_LENGTH = 64 << 10;

    /** The filler goes to work as soon as it is less than two segments ahead; one more for the segments' ends. */
    private static final long AHEAD_LENGTH = 3L * LogConfig.DEFAULT_SEGMENT_LENGTH;

    /** Time for the first page faults, which the filler's thread takes. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int MAX_FRAME_OVERHEAD = 64;

    @Param({"64", "256", "1024", "4096"})
    public int payload;

    @Param({"MAPPED", "FILE"})
    public WriteMode writeMode;

    private byte[] message;
    private ScratchDirectory directory;
    private MessageLogger logger;

    @Setup(Level.Trial)
    public void open() throws IOException {
        message = Payloads.random(payload);
        openFresh();
    }

    private void openFresh() throws IOException {
        directory = ScratchDirectory.create();
        logger = MessageLogger.open(LogConfig.builder(directory.path())
                .writeMode(writeMode)
                .writeBufferLength(WRITE_BUFFER_LENGTH)
                .initialLength(LOG_LENGTH + AHEAD_LENGTH)
                .prefill(Prefill.BEFORE_OPEN)
                .build());
        LockSupport.parkNanos(PAUSE_NS);
    }

    @Setup(Level.Invocation)
    public void makeRoom() throws IOException {
        if (logger.position() + (long) BATCH * (payload + MAX_FRAME_OVERHEAD) > LOG_LENGTH) {
            close();
            openFresh();
        }
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long append() {
        for (int i = 0; i < BATCH; i++) {
            logger.append(message, 0, message.length);
        }
        return logger.position();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long appendAndCommit() {
        for (int i = 0; i < BATCH; i++) {
            logger.append(message, 0, message.length);
            logger.commit(Durability.BUFFERED);
        }
        return logger.position();
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        logger.close();
        if (logger.statistics().stalls() > 0) {
            throw new IllegalStateException("the filler was measured: " + logger.statistics());
        }
        directory.close();
    }
}

package io.persist.jmh.append;

import io.persist.MessageLogger;
import io.persist.jmh.support.LogBenchmark;
import io.persist.jmh.support.Payloads;
import io.persist.log.Claim;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an append costs, in a closed loop, without a sync. To be read beside {@link BareCopyBenchmark} of the same run.
 *
 * <p>An invocation is {@link #BATCH} appends, so that the timestamps do not count.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(3)
public class AppendBenchmark extends LogBenchmark {

    static final int BATCH = 4096;
    static final int WRITE_BUFFER_LENGTH = 64 << 10;

    private static final int MAX_FRAME_OVERHEAD = 64;

    @Param({"64", "256", "1024", "4096"})
    public int payload;

    @Param({"MAPPED", "FILE"})
    public WriteMode writeMode;

    private byte[] message;
    private MessageLogger logger;

    @Override
    protected void open(LogConfig.Builder config) {
        message = Payloads.random(payload);
        logger = MessageLogger.open(config.writeMode(writeMode)
                .writeBufferLength(WRITE_BUFFER_LENGTH)
                .build());
    }

    @Override
    protected long position() {
        return logger.position();
    }

    @Override
    protected long invocationLength() {
        return (long) BATCH * (payload + MAX_FRAME_OVERHEAD);
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

    /** As a loop does it that must not wait in an append. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long askAndAppend() {
        for (int i = 0; i < BATCH; i++) {
            while (logger.wouldWait(message.length)) {
                Thread.onSpinWait();
            }
            logger.append(message, 0, message.length);
        }
        return logger.position();
    }

    /** The record is filled in the claim's memory, and copied as it is published. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long claimAndPublish() {
        for (int i = 0; i < BATCH; i++) {
            try (Claim claim = logger.claim(message.length)) {
                claim.payload().put(message);
                claim.publish();
            }
        }
        return logger.position();
    }

    @Override
    protected void close() {
        logger.close();
    }
}

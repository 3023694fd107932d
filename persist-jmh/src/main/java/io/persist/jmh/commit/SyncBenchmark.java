package io.persist.jmh.commit;

import io.persist.MessageLogger;
import io.persist.jmh.support.LogBenchmark;
import io.persist.jmh.support.Payloads;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to have a record on the device: append, and a commit that is SYNCED. To be read beside {@link
 * BareSyncBenchmark} of the same run, because devices drift. In {@code FILE} mode a commit is one O_DSYNC write.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(3)
public class SyncBenchmark extends LogBenchmark {

    private static final int MAX_FRAME_OVERHEAD = 64;

    @Param("256")
    public int payload;

    @Param({"MAPPED", "FILE"})
    public WriteMode writeMode;

    private byte[] message;
    private MessageLogger logger;

    @Override
    protected void open(LogConfig.Builder config) {
        message = Payloads.random(payload);
        logger = MessageLogger.open(config.writeMode(writeMode).build());
    }

    @Override
    protected long position() {
        return logger.position();
    }

    @Override
    protected long invocationLength() {
        return (long) payload + MAX_FRAME_OVERHEAD;
    }

    @Benchmark
    public long appendAndCommit() {
        logger.append(message, 0, message.length);
        return logger.commit(Durability.SYNCED);
    }

    @Override
    protected void close() {
        logger.close();
    }
}

package io.persist.jmh;

import io.persist.MessageLogger;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import io.persist.log.WriteMode;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
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
 * What it costs to have a record on the device: append, and a commit that is SYNCED. To be read beside {@link
 * BareSyncBenchmark} of the same run, because devices drift.
 *
 * <p>Each iteration has a fresh log whose zeros were written before: enough for some 400,000 commits, so that the
 * filler does not share the device. In {@code FILE} mode a commit is one O_DSYNC write.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(3)
public class SyncBenchmark {

    private static final long INITIAL_LENGTH = 5L * LogConfig.DEFAULT_SEGMENT_LENGTH;

    @Param("256")
    public int payload;

    @Param({"MAPPED", "FILE"})
    public WriteMode writeMode;

    private byte[] message;
    private ScratchDirectory directory;
    private MessageLogger logger;

    @Setup(Level.Iteration)
    public void open() throws IOException {
        message = Payloads.random(payload);
        directory = ScratchDirectory.create();
        logger = MessageLogger.open(LogConfig.builder(directory.path())
                .writeMode(writeMode)
                .initialLength(INITIAL_LENGTH)
                .prefill(Prefill.BEFORE_OPEN)
                .build());
    }

    @Benchmark
    public long appendAndCommit() {
        logger.append(message, 0, message.length);
        return logger.commit(Durability.SYNCED);
    }

    @TearDown(Level.Iteration)
    public void close() throws IOException {
        logger.close();
        directory.close();
    }
}

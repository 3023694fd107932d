package io.persist.jmh.read;

import io.persist.MessageLogger;
import io.persist.event.Notices;
import io.persist.jmh.support.LogBenchmark;
import io.persist.jmh.support.Payloads;
import io.persist.jmh.support.ScratchDirectory;
import io.persist.log.LogConfig;
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
 * The time from {@code open} to the first append of a log of 1 GiB (twice {@link LogBenchmark#LOG_LENGTH}) that is in
 * the page cache. The first warm-up iteration is what a new process sees; {@code -wi 0 -i 1 -f 10} measures that alone.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(2)
public class ReopenBenchmark {

    private static final long LOG_LENGTH = 2 * LogBenchmark.LOG_LENGTH;

    /** How the process before ended. */
    public enum End {
        CLOSED,
        KILLED
    }

    @Param("256")
    public int payload;

    @Param("" + LogConfig.DEFAULT_SEGMENT_LENGTH)
    public int segmentLength;

    @Param({"MAPPED", "FILE"})
    public WriteMode writeMode;

    @Param({"CLOSED", "KILLED"})
    public End end;

    private byte[] message;
    private ScratchDirectory directory;
    private LogConfig config;
    private MessageLogger logger;

    @Setup(Level.Trial)
    public void create() throws IOException {
        Notices.off(); // each opening after a kill would be logged, in the time that is measured
        message = Payloads.random(payload);
        directory = ScratchDirectory.create(2 * LOG_LENGTH + 4L * segmentLength);
        config = LogConfig.builder(directory.path())
                .segmentLength(segmentLength)
                .writeMode(writeMode)
                .build();
        if (end == End.CLOSED) {
            try (MessageLogger writer = MessageLogger.open(config)) {
                while (writer.position() < LOG_LENGTH) {
                    writer.append(message, 0, message.length);
                }
            }
        }
    }

    @Setup(Level.Iteration)
    public void kill() throws IOException {
        if (end == End.KILLED) {
            KilledWriter.run(config, payload, LOG_LENGTH);
        }
    }

    @Benchmark
    public long openAndAppend() {
        logger = MessageLogger.open(config);
        return logger.append(message, 0, message.length);
    }

    @TearDown(Level.Iteration)
    public void closeLog() {
        logger.close();
    }

    @TearDown(Level.Trial)
    public void delete() throws IOException {
        directory.close();
    }
}

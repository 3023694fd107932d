package io.persist.jmh.support;

import io.persist.LogMonitor;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A benchmark that writes a log in a closed loop, as long as JMH wants, without filling the disk.
 *
 * <p>An appender that never pauses outruns the filler, which writes zeros at the speed of a file system: a plain loop
 * would measure the filler. So each log takes {@link #LOG_LENGTH} bytes at most, has all of them and what the filler
 * keeps ahead filled with zeros before it is opened, and is then replaced by a fresh one. That is done between
 * invocations, and JMH leaves it out of the time. The page faults that the filler's thread has not taken yet, the rolls
 * of the segments and the syncs of sealed ones in the background are in the figures.
 *
 * <p>{@code gc.alloc.rate.norm} of {@code -prof gc} holds the opening of the logs too, spread over all operations: it
 * is a fraction of a byte, where a single object per append would be 16 bytes.
 */
@State(Scope.Thread)
public abstract class LogBenchmark {

    /** The system property with the MiB of each log: less takes less of the disk, and replaces logs more often. */
    public static final String LENGTH_PROPERTY = "persist.jmh.logMiB";

    private static final int DEFAULT_MIB = 512;
    private static final int MIN_MIB = 16;
    private static final int MAX_MIB = 1024;

    /** The most that is written into one log, bytes. */
    public static final long LOG_LENGTH = Long.getLong(LENGTH_PROPERTY, DEFAULT_MIB) << 20;

    private static final int SEGMENT_LENGTH = (int) Math.min(LogConfig.DEFAULT_SEGMENT_LENGTH, LOG_LENGTH / 8);

    /** The filler goes to work as soon as it is less than two segments ahead; one more for the segments' ends. */
    private static final long FILLED_LENGTH = LOG_LENGTH + 3L * SEGMENT_LENGTH;

    /** Time for the first page faults, which the filler's thread takes: 0.1 s for a log of 512 MiB. */
    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(1) / (5 << 10) * (LOG_LENGTH >> 20);

    private BenchmarkParams benchmark;
    private ScratchDirectory directory;

    /** Opens the log that {@code config} describes, with the settings of the benchmark. */
    protected abstract void open(LogConfig.Builder config);

    /** The end of the open log. */
    protected abstract long position();

    /** The most that an invocation takes in the log, bytes. */
    protected abstract long invocationLength();

    /** Closes the open log. */
    protected abstract void close();

    /** A log of its own for this benchmark, all of whose bytes are filled. */
    static LogConfig.Builder filledLog(ScratchDirectory directory) {
        return LogConfig.builder(directory.path())
                .segmentLength(SEGMENT_LENGTH)
                .initialLength(FILLED_LENGTH)
                .prefill(Prefill.BEFORE_OPEN);
    }

    /** A directory with the space for such a log. */
    static ScratchDirectory directoryForLog() throws IOException {
        if (LOG_LENGTH < (long) MIN_MIB << 20 || LOG_LENGTH > (long) MAX_MIB << 20) {
            throw new IllegalArgumentException(
                    LENGTH_PROPERTY + "=" + (LOG_LENGTH >> 20) + ", min=" + MIN_MIB + ", max=" + MAX_MIB);
        }
        return ScratchDirectory.create(FILLED_LENGTH);
    }

    /** Lets the filler's thread take the first page faults of a log that has just been opened. */
    static void pause() {
        LockSupport.parkNanos(PAUSE_NS);
    }

    /** What JMH runs: which method, with which mode and parameters. */
    protected final BenchmarkParams benchmark() {
        return benchmark;
    }

    @Setup(Level.Trial)
    public void openFirst(BenchmarkParams running) throws IOException {
        benchmark = running;
        openFresh();
    }

    private void openFresh() throws IOException {
        directory = directoryForLog();
        open(filledLog(directory));
        pause();
    }

    @Setup(Level.Invocation)
    public void makeRoom() throws IOException {
        if (position() + invocationLength() > LOG_LENGTH) {
            closeAndDelete();
            openFresh();
        }
    }

    @TearDown(Level.Trial)
    public void closeAndDelete() throws IOException {
        long stalls = stalls();
        close();
        directory.close();
        if (stalls > 0) {
            throw new IllegalStateException("the filler was measured: the appender waited for it, stalls=" + stalls);
        }
    }

    private long stalls() {
        return LogMonitor.open(directory.path()).read().statistics().stalls();
    }
}

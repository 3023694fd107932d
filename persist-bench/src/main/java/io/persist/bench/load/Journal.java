package io.persist.bench.load;

import io.persist.bench.latency.Target;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.PositionListener;
import io.persist.log.Registration;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.monitor.LogStatistics;
import java.time.Duration;

/** A logger that is measured, of whatever kind: what the phases of a program need of it. */
public interface Journal extends AutoCloseable {

    /** What the producer of this number writes, from 0 on. */
    Target target(int producer);

    /** The number of the last record, 0 if there is none; while nobody writes. */
    long lastSequence();

    /** The end of what has {@code level}. */
    long reached(Durability level);

    /** Waits until everything before {@code position} has {@code level}; false if the time ran out first. */
    boolean await(long position, Durability level, Duration timeout) throws InterruptedException;

    /** Has {@code listener} told each time more has {@code level}, which is FLUSHED or SYNCED. */
    Registration listen(Durability level, PositionListener listener);

    /** Makes everything written visible to tailers. */
    void flush();

    /** A reader at the start of the log that reads as {@code config} says; to be closed. */
    Tailer tailer(TailerConfig config);

    /** What opening it found, in one line or several. */
    String describeRecovery();

    LogStatistics statistics();

    /**
     * Bytes of the payloads of all records that were written since it was opened. What it has only moved from one place
     * of its log to another is not among them.
     */
    default long recordBytes() {
        return statistics().bytes();
    }

    @Override
    void close();

    /** Opens the log of a configuration. */
    @FunctionalInterface
    interface Opener {

        Journal open(LogConfig config);
    }
}

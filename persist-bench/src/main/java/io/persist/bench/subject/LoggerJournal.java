package io.persist.bench.subject;

import io.persist.bench.load.Journal;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.PositionListener;
import io.persist.log.RecoveryReport;
import io.persist.log.Registration;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.monitor.LogStatistics;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A logger of any kind as a {@link Journal}: what is the same for all of them. */
abstract class LoggerJournal implements Journal {

    private final io.persist.Journal logger;
    private final boolean detached;
    private final @Nullable CommitAwaiter awaiter;

    /** @param config that the logger was opened with */
    LoggerJournal(io.persist.Journal logger, LogConfig config, boolean detached) {
        this.logger = logger;
        this.detached = detached;
        this.awaiter = detached ? CommitAwaiter.startIfNeeded(logger::await, config) : null;
    }

    /**
     * Ends a commit of the calling thread; returns its position. Who hands his records over to another thread does not
     * wait for the device either: his commits are BUFFERED, and another thread awaits their durability.
     */
    final long endCommit() {
        if (!detached) {
            return logger.commit();
        }
        long end = logger.commit(Durability.BUFFERED);
        if (awaiter != null) {
            awaiter.request(end);
        }
        return end;
    }

    @Override
    public long lastSequence() {
        return logger.lastSequence();
    }

    @Override
    public long reached(Durability level) {
        return switch (level) {
            case BUFFERED -> logger.position();
            case FLUSHED -> logger.flushedPosition();
            case SYNCED -> logger.syncedPosition();
        };
    }

    @Override
    public boolean await(long position, Durability level, Duration timeout) throws InterruptedException {
        return logger.await(position, level, timeout);
    }

    @Override
    public Registration listen(Durability level, PositionListener listener) {
        return logger.listen(level, listener);
    }

    @Override
    public void flush() {
        logger.flush();
    }

    @Override
    public Tailer tailer(TailerConfig config) {
        return logger.tailer(config);
    }

    @Override
    public String describeRecovery() {
        RecoveryReport report = logger.recovery();
        return report.isUneventful() ? report.describe() : report.describe() + "\n" + report.explain();
    }

    @Override
    public LogStatistics statistics() {
        return logger.statistics();
    }

    @Override
    public void close() {
        try {
            if (awaiter != null) {
                awaiter.close();
            }
        } finally {
            logger.close();
        }
    }
}

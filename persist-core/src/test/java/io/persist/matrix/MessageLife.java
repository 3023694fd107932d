package io.persist.matrix;

import io.persist.MessageLogger;
import io.persist.detached.DetachedConfig;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RecoveryReport;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.Tailer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A message is an entry. At times a claim comes before it that is aborted. */
final class MessageLife extends Life {

    private static final long KEPT_BYTES = 3L * Subject.SEGMENT_LENGTH;

    private static final int ABORTED = 11;

    private final MessageLogger logger;

    MessageLife(LogConfig config, @Nullable DetachedConfig queue, Storage storage) {
        logger = queue == null ? MessageLogger.open(config, storage) : MessageLogger.open(config, queue, storage);
    }

    @Override
    public void append(Entries entries, long number) {
        if (number % ABORTED == 0) {
            logger.claim(number % 2 == 0 ? 0 : 100).abort();
        }
        logger.append(entries.bytes(number));
    }

    @Override
    public void commit(Durability level) {
        logger.commit(level);
    }

    @Override
    public long flushedPosition() {
        return logger.flushedPosition();
    }

    @Override
    public boolean await(long position, Durability level, long timeout, TimeUnit unit) {
        return logger.await(position, level, timeout, unit);
    }

    @Override
    public CompletableFuture<Long> reached(long position, Durability level) {
        return logger.reached(position, level);
    }

    @Override
    public void upkeep() {
        logger.retire(logger.planRetention(RetentionRule.keepBytes(KEPT_BYTES)), Retirement.RECYCLE);
    }

    @Override
    public long verify(Entries entries) {
        try (Tailer tailer = logger.tailer()) {
            long last = 0;
            while (tailer.next()) {
                if (last != 0 && tailer.sequence() != last + 1) {
                    throw new AssertionError("record " + tailer.sequence() + " follows " + last);
                }
                last = tailer.sequence();
                check(entries, last, tailer.payload());
            }
            return last;
        }
    }

    @Override
    public RecoveryReport recovery() {
        return logger.recovery();
    }

    @Override
    public void close() {
        logger.close();
    }
}

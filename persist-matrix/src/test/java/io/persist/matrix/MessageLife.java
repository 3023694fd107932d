package io.persist.matrix;

import io.persist.MessageLogger;
import io.persist.file.Storage;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.log.Retirement;
import io.persist.log.read.Tailer;
import org.jspecify.annotations.Nullable;

/** A message is an entry. At times a claim comes before it that is aborted. */
final class MessageLife extends JournalLife {

    private static final int ABORTED = 11;

    private final MessageLogger logger;

    MessageLife(LogConfig config, @Nullable DetachedConfig queue, Storage storage) {
        this(queue == null ? MessageLogger.open(config, storage) : MessageLogger.open(config, queue, storage));
    }

    private MessageLife(MessageLogger logger) {
        super(logger, Retirement.RECYCLE);
        this.logger = logger;
    }

    @Override
    public void append(Entries entries, long number) {
        if (number % ABORTED == 0) {
            logger.claim(number % 2 == 0 ? 0 : 100).abort();
        }
        logger.append(entries.bytes(number));
    }

    @Override
    void check(Entries entries, long number, Tailer tailer) {
        check(entries, number, tailer.payload());
    }
}

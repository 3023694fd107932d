package io.persist.jmh.commit;

import io.persist.MessageLogger;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;

/** {@link CommitBenchmark} of a {@link MessageLogger}: a record is one message. */
public class MessageCommitBenchmark extends CommitBenchmark {

    private MessageLogger logger;

    @Override
    void openAttached(LogConfig config) {
        logger = MessageLogger.open(config);
    }

    @Override
    void openDetached(LogConfig config, DetachedConfig detached) {
        logger = MessageLogger.open(config, detached);
    }

    @Override
    long commitOne() {
        logger.append(message, 0, message.length);
        return logger.commit(durability);
    }

    @Override
    boolean awaitWriter(long end) throws InterruptedException {
        return logger.await(end, Durability.BUFFERED, LIMIT);
    }

    @Override
    protected long position() {
        return logger.position();
    }

    @Override
    protected void close() {
        logger.close();
    }
}

package io.persist.bench.subject;

import io.persist.MessageLogger;
import io.persist.bench.latency.Target;
import io.persist.bench.record.Messages;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A {@link MessageLogger} to which a run's messages are written. */
public final class MessageJournal extends LoggerJournal {

    private final MessageLogger log;
    private final Messages messages;
    private final int producers;

    private MessageJournal(MessageLogger log, LogConfig config, boolean detached, Messages messages, int producers) {
        super(log, config, detached);
        this.log = log;
        this.messages = messages;
        this.producers = producers;
    }

    /** Opens a log to which {@code producers} threads write the messages in turn. */
    public static MessageJournal open(
            LogConfig config, @Nullable DetachedConfig detached, Messages messages, int producers) {
        MessageLogger log = detached == null ? MessageLogger.open(config) : MessageLogger.open(config, detached);
        return new MessageJournal(log, config, detached != null, messages, producers);
    }

    @Override
    public Target target(int producer) {
        return new MessageTarget(messages.copy(), producer);
    }

    /** Every n-th of the messages, if there are n producers. */
    private final class MessageTarget implements Target {

        private final Messages own;
        private final int producer;
        private ByteBuffer message = ByteBuffer.allocate(0);

        MessageTarget(Messages own, int producer) {
            this.own = own;
            this.producer = producer;
        }

        @Override
        public void prepare(long index) {
            message = own.message(index * producers + producer);
        }

        @Override
        public long write() {
            return log.append(message);
        }

        @Override
        public long commit() {
            return endCommit();
        }
    }
}

package io.persist.bench;

import io.persist.MessageLogger;
import io.persist.detached.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.LogStatistics;
import io.persist.log.PositionListener;
import io.persist.log.Registration;
import io.persist.log.Tailer;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A {@link MessageLogger} to which a run's messages are written. */
final class MessageJournal implements Journal {

    private final MessageLogger log;
    private final Messages messages;
    private final int producers;
    private final boolean detached;
    private final @Nullable CommitAwaiter awaiter;

    private MessageJournal(MessageLogger log, LogConfig config, boolean detached, Messages messages, int producers) {
        this.log = log;
        this.messages = messages;
        this.producers = producers;
        this.detached = detached;
        this.awaiter = detached ? CommitAwaiter.startIfNeeded(log::await, config) : null;
    }

    /** Opens a log to which {@code producers} threads write the messages in turn. */
    static MessageJournal open(LogConfig config, @Nullable DetachedConfig detached, Messages messages, int producers) {
        MessageLogger log = detached == null ? MessageLogger.open(config) : MessageLogger.open(config, detached);
        return new MessageJournal(log, config, detached != null, messages, producers);
    }

    @Override
    public Target target(int producer) {
        return new MessageTarget(messages.copy(), producer);
    }

    @Override
    public long lastSequence() {
        return log.lastSequence();
    }

    @Override
    public long reached(Durability level) {
        return switch (level) {
            case BUFFERED -> log.position();
            case FLUSHED -> log.flushedPosition();
            case SYNCED -> log.syncedPosition();
        };
    }

    @Override
    public boolean await(long position, Durability level, long timeoutNs) {
        return log.await(position, level, timeoutNs, TimeUnit.NANOSECONDS);
    }

    @Override
    public Registration listen(Durability level, PositionListener listener) {
        return log.listen(level, listener);
    }

    @Override
    public void flush() {
        log.flush();
    }

    @Override
    public Tailer tailer() {
        return log.tailer();
    }

    @Override
    public String describeRecovery() {
        return log.recovery().describe();
    }

    @Override
    public LogStatistics statistics() {
        return log.statistics();
    }

    @Override
    public void close() {
        if (awaiter != null) {
            awaiter.close();
        }
        log.close();
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
            if (!detached) {
                return log.commit();
            }
            // Who hands his records over to another thread does not wait for the device either.
            long end = log.commit(Durability.BUFFERED);
            if (awaiter != null) {
                awaiter.request(end);
            }
            return end;
        }
    }
}

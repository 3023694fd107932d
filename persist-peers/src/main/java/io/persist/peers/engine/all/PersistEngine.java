package io.persist.peers.engine.all;

import io.persist.MessageLogger;
import io.persist.error.PersistException;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import io.persist.log.WriteMode;
import io.persist.log.read.Tailer;
import io.persist.peers.engine.Engine;
import io.persist.peers.engine.EngineConfig;
import io.persist.peers.engine.EngineKind;
import io.persist.peers.engine.MessageReader;
import io.persist.peers.engine.Producer;
import io.persist.peers.engine.Space;
import io.persist.peers.engine.Survival;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Persist itself, by a {@link MessageLogger} with defaults. Where space is to be prepared, and for more than a few
 * messages, all of it is filled with zeros before the log is opened.
 *
 * <p>Attached, several producers share the logger by a lock, and wait for the device without it; detached, they share
 * the queue.
 */
final class PersistEngine implements Engine {

    private static final String LIBRARY = "Persist, this version";

    /** Attached, with mapped stores. */
    static final EngineKind MAPPED =
            EngineKind.of("persist", LIBRARY, Survival.KILL, EngineKind.Reading.ANY_PROCESS, PersistEngine::mapped);

    /** Attached; what is BUFFERED is in the write buffer. */
    static final EngineKind FILE = EngineKind.of(
            "persist-file", LIBRARY, Survival.ORDERLY_END, EngineKind.Reading.ANY_PROCESS, PersistEngine::file);

    /** Through the queue, which is in memory. */
    static final EngineKind DETACHED = EngineKind.of(
            "persist-detached", LIBRARY, Survival.ORDERLY_END, EngineKind.Reading.ANY_PROCESS, PersistEngine::detached);

    private static final int FRAME_OVERHEAD = 32;

    /** Shorter logs are not laid out ahead: they are opened to be looked at, or to append a little. */
    private static final long MIN_PREFILLED_LENGTH = 4 << 20;

    /** The filler goes to work as soon as it is less than two segments ahead; one more for the segments' ends. */
    private static final long AHEAD_LENGTH = 3L * LogConfig.DEFAULT_SEGMENT_LENGTH;

    private final EngineConfig config;
    private final LogConfig logConfig;

    /** Null if it is only read. */
    private final @Nullable MessageLogger logger;

    /** The one under which several producers share an attached logger. */
    private final ReentrantLock appending;

    private final boolean locks;

    private PersistEngine(
            EngineConfig config, LogConfig logConfig, @Nullable MessageLogger logger, ReentrantLock appending) {
        this.config = config;
        this.logConfig = logConfig;
        this.logger = logger;
        this.appending = appending;
        this.locks = logConfig.guard() != null;
    }

    private static Engine mapped(EngineConfig config) throws IOException {
        return open(config, WriteMode.MAPPED, null);
    }

    private static Engine file(EngineConfig config) throws IOException {
        return open(config, WriteMode.FILE, null);
    }

    private static Engine detached(EngineConfig config) throws IOException {
        return open(config, WriteMode.MAPPED, DetachedConfig.builder().build());
    }

    private static Engine open(EngineConfig config, WriteMode mode, @Nullable DetachedConfig detached)
            throws IOException {
        LogConfig.Builder builder =
                LogConfig.builder(config.directory()).writeMode(mode).durability(config.durability());
        long expectedLength = config.expectedMessages() * (config.messageLength() + FRAME_OVERHEAD);
        if (config.space() == Space.PREPARED && expectedLength > MIN_PREFILLED_LENGTH) {
            builder.initialLength(expectedLength + AHEAD_LENGTH).prefill(Prefill.BEFORE_OPEN);
        }
        ReentrantLock appending = new ReentrantLock();
        if (detached == null && config.producers() > 1) {
            builder.guardedBy(appending);
        }
        LogConfig logConfig = builder.build();
        try {
            MessageLogger logger = null;
            if (config.producers() > 0) {
                logger = detached == null ? MessageLogger.open(logConfig) : MessageLogger.open(logConfig, detached);
            }
            return new PersistEngine(config, logConfig, logger, appending);
        } catch (PersistException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private MessageLogger logger() {
        if (logger == null) {
            throw new IllegalStateException("opened for readers only");
        }
        return logger;
    }

    @Override
    public Producer producer() {
        return locks ? new LockingProducer() : new LoneProducer();
    }

    /** Needs no lock: the only producer, or one of those of a detached logger. */
    private class LoneProducer implements Producer {

        final MessageLogger target = logger();
        private final ByteBuffer message =
                ByteBuffer.allocate(config.messageLength()).order(ByteOrder.LITTLE_ENDIAN);
        private final byte[] bytes = message.array();

        @Override
        public ByteBuffer message() {
            return message;
        }

        @Override
        public void append() {
            target.append(bytes, 0, bytes.length);
        }

        @Override
        public void commit() {
            target.commit();
        }

        /** Attached and alone, it has had the logger. */
        @Override
        public void close() {
            target.handOver();
        }
    }

    /** One of several that take turns. */
    private final class LockingProducer extends LoneProducer {

        @Override
        public void append() {
            appending.lock();
            try {
                super.append();
            } finally {
                appending.unlock();
            }
        }

        @Override
        public void commit() {
            if (config.durability() == Durability.BUFFERED) {
                appending.lock();
                try {
                    super.commit();
                } finally {
                    appending.unlock();
                }
                return;
            }
            long end;
            appending.lock();
            try {
                end = target.commit(Durability.FLUSHED);
            } finally {
                appending.unlock();
            }
            try {
                target.await(end, config.durability(), ChronoUnit.FOREVER.getDuration());
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted while it waited for a commit", e);
            }
        }
    }

    @Override
    public MessageReader reader() {
        return new Reader(logger == null ? Tailer.open(logConfig.directory()) : logger.tailer());
    }

    /** The tailer hands out what it has mapped, with the message from its position on. */
    private record Reader(Tailer tailer) implements MessageReader {

        @Override
        public int poll(Handler handler, int limit) {
            int count = 0;
            while (count < limit && tailer.next()) {
                ByteBuffer payload = tailer.payloadUntilNext();
                handler.onMessage(payload, payload.position(), payload.remaining());
                count++;
            }
            return count;
        }

        @Override
        public void close() {
            tailer.close();
        }
    }

    /** Detached, what is still in the queue is appended; in FILE mode, what is in the write buffer is written. */
    @Override
    public void drain() {
        appending.lock();
        try {
            if (config.durability() == Durability.SYNCED) {
                logger().sync();
            } else {
                logger().flush();
            }
            logger().handOver(); // whoever drains is seldom the one that appends
        } finally {
            appending.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        if (logger == null) {
            return;
        }
        try {
            logger.close();
        } catch (PersistException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}

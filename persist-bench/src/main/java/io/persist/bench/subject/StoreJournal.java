package io.persist.bench.subject;

import io.persist.LogMonitor;
import io.persist.StoreLogger;
import io.persist.bench.latency.Target;
import io.persist.bench.load.Journal;
import io.persist.bench.record.KeyPattern;
import io.persist.bench.record.Messages;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.PositionListener;
import io.persist.log.RecoveryReport;
import io.persist.log.Registration;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.monitor.LogStatistics;
import io.persist.store.StoreConfig;
import io.persist.store.StoreRecovery;
import io.persist.store.transaction.Transaction;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A {@link StoreLogger} into which a run's messages are put. */
final class StoreJournal implements Journal {

    private final StoreLogger store;
    private final LogMonitor monitor;
    private final Messages messages;
    private final KeyPattern pattern;
    private final boolean detached;
    private final @Nullable CommitAwaiter awaiter;

    private StoreJournal(StoreLogger store, LogConfig config, boolean detached, Messages messages, KeyPattern pattern) {
        this.store = store;
        this.monitor = LogMonitor.open(config.directory());
        this.messages = messages;
        this.pattern = pattern;
        this.detached = detached;
        this.awaiter = detached ? CommitAwaiter.startIfNeeded(store::await, config) : null;
    }

    /** Opens a store into which the producers of {@code pattern} put the messages in turn. */
    static StoreJournal open(
            StoreConfig config, @Nullable DetachedConfig detached, Messages messages, KeyPattern pattern) {
        StoreLogger store = detached == null ? StoreLogger.open(config) : StoreLogger.open(config, detached);
        return new StoreJournal(store, config.log(), detached != null, messages, pattern);
    }

    StoreLogger store() {
        return store;
    }

    @Override
    public Target target(int producer) {
        return new PutTarget(messages.copy(), producer);
    }

    /** Of the log, when it was opened: only who opens a log asks. */
    @Override
    public long lastSequence() {
        return store.logRecovery().kept().lastSequence();
    }

    @Override
    public long reached(Durability level) {
        return switch (level) {
            case BUFFERED -> store.position();
            case FLUSHED -> store.flushedPosition();
            case SYNCED -> store.syncedPosition();
        };
    }

    @Override
    public boolean await(long position, Durability level, Duration timeout) throws InterruptedException {
        return store.await(position, level, timeout);
    }

    @Override
    public Registration listen(Durability level, PositionListener listener) {
        return store.listen(level, listener);
    }

    @Override
    public void flush() {
        store.flush();
    }

    @Override
    public Tailer tailer(TailerConfig config) {
        return store.tailer(config);
    }

    @Override
    public String describeRecovery() {
        RecoveryReport log = store.logRecovery();
        StoreRecovery state = store.recovery();
        return log.describe() + (log.isUneventful() ? "" : "\n" + log.explain()) + "\n" + state.describe()
                + (state.isUneventful() ? "" : "\n" + state.explain());
    }

    @Override
    public LogStatistics statistics() {
        return monitor.read().statistics();
    }

    /** Each record is a transaction, with its keys. */
    @Override
    public long recordBytes() {
        return statistics().bytes() - store.statistics().compaction().movedBytes();
    }

    @Override
    public void close() {
        try {
            if (awaiter != null) {
                awaiter.close();
            }
        } finally {
            store.close();
        }
    }

    /** Every n-th of the messages, if there are n producers, in transactions of this thread. */
    private final class PutTarget implements Target {

        private final Messages own;
        private final int producer;
        private final ByteBuffer key = KeyPattern.newKey();
        private ByteBuffer message = ByteBuffer.allocate(0);
        private @Nullable Transaction transaction;

        PutTarget(Messages own, int producer) {
            this.own = own;
            this.producer = producer;
        }

        @Override
        public void prepare(long index) {
            long global = index * pattern.producers() + producer;
            key.putLong(0, pattern.number(global));
            message = own.message(global);
        }

        @Override
        public long write() {
            if (transaction == null) {
                transaction = store.begin();
            }
            transaction.put(key.array(), message);
            return UNKNOWN;
        }

        @Override
        public long commit() {
            if (transaction == null) {
                throw new IllegalStateException("commit without a put");
            }
            long end = detached ? transaction.commit(Durability.BUFFERED) : transaction.commit();
            transaction = null;
            if (awaiter != null) {
                awaiter.request(end);
            }
            return end;
        }
    }
}

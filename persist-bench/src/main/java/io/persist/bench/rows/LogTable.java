package io.persist.bench.rows;

import io.persist.MessageLogger;
import io.persist.StoreLogger;
import io.persist.bench.rows.promise.RowPromise;
import io.persist.bench.rows.promise.WalPages;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;

/** Rows in what Persist has: the parts that a log and a store have in common. */
abstract class LogTable implements RowTable {

    private final RowPromise promise;
    private final WalPages wal;

    private LogTable(RowPromise promise) {
        this.promise = promise;
        this.wal = new WalPages(promise.syncPages());
    }

    /** Each row is a message: its number, then its text. */
    static RowTable message(RowSpec spec) throws IOException {
        Files.createDirectory(spec.path());
        return new OfMessages(MessageLogger.open(config(spec)), spec.promise());
    }

    /** Each row is a key, its number, with its text as the value; a batch is a transaction. */
    static RowTable store(RowSpec spec) throws IOException {
        Files.createDirectory(spec.path());
        return new OfStore(StoreLogger.open(StoreConfig.builder(config(spec)).build()), spec.promise());
    }

    private static LogConfig config(RowSpec spec) {
        LogConfig.Builder config = LogConfig.builder(spec.path())
                .segmentLength(spec.segmentLength())
                .durability(spec.promise().level());
        WriteMode mode = spec.writeMode();
        return (mode == null ? config : config.writeMode(mode)).build();
    }

    @Override
    public final void commit() {
        commit(promise.level());
        if (wal.commit()) {
            sync();
        }
    }

    @Override
    public final void insert(long number, byte[] text) {
        add(number, text);
        wal.add(text.length);
    }

    abstract void add(long number, byte[] text);

    abstract void commit(Durability level);

    abstract void sync();

    private static final class OfMessages extends LogTable {

        private final MessageLogger logger;
        private byte[] row = new byte[0];

        OfMessages(MessageLogger logger, RowPromise promise) {
            super(promise);
            this.logger = logger;
        }

        @Override
        public void begin() {}

        @Override
        void add(long number, byte[] text) {
            int length = Long.BYTES + text.length;
            if (row.length != length) {
                row = new byte[length];
            }
            ByteBuffer.wrap(row).putLong(number).put(text);
            logger.append(row);
        }

        @Override
        void commit(Durability level) {
            logger.commit(level);
        }

        @Override
        void sync() {
            logger.sync();
        }

        @Override
        public void close() {
            logger.close();
        }
    }

    private static final class OfStore extends LogTable {

        private final StoreLogger store;
        private final byte[] key = new byte[Long.BYTES];
        private @Nullable Transaction transaction;

        OfStore(StoreLogger store, RowPromise promise) {
            super(promise);
            this.store = store;
        }

        @Override
        public void begin() {
            transaction = store.begin();
        }

        private Transaction open() {
            Transaction current = transaction;
            if (current == null) {
                throw new IllegalStateException("no batch was begun");
            }
            return current;
        }

        @Override
        void add(long number, byte[] text) {
            ByteBuffer.wrap(key).putLong(number);
            open().put(key, text);
        }

        @Override
        void commit(Durability level) {
            open().commit(level);
            transaction = null;
        }

        @Override
        void sync() {
            store.sync();
        }

        @Override
        public void close() {
            store.close();
        }
    }
}

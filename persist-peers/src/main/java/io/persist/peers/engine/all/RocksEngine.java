package io.persist.peers.engine.all;

import io.persist.log.Durability;
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
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * RocksDB, used as a log: the key of a message is its sequence, 8 bytes big-endian, so that each is behind all others,
 * the memtable is only ever extended at its end, and compaction has nothing to merge and moves files as they are. No
 * compression, since the messages do not compress; all else is RocksDB's default. Keys and values are direct buffers,
 * which need no copy on the way through JNI.
 *
 * <ul>
 *   <li>{@code BUFFERED}: one put for each message, with the write-ahead log, which is the default. Each put writes it
 *       to the operating system; {@code kill -9} takes nothing away.
 *   <li>{@code SYNCED}: a write batch for each commit with {@code WriteOptions.setSync}: one write and one
 *       {@code fdatasync} of the write-ahead log, whatever the number of messages.
 * </ul>
 *
 * <p>Where space is to be prepared, it writes again into the blocks of write-ahead logs that were filled before, by
 * {@code recycle_log_file_num}: its own remedy for syncs that have the length of a file to write too.
 *
 * <p>A reader follows a tailing iterator, which was faster than one that is refreshed. With two producers it waits
 * where a sequence has been taken but is not there yet, so that it passes over nothing.
 */
final class RocksEngine implements Engine {

    /** The version of the native library, without loading it to ask; a test compares them. */
    static final String VERSION = "11.8.1";

    static final EngineKind KIND = EngineKind.of(
            "rocksdb", "RocksDB " + VERSION, Survival.KILL, EngineKind.Reading.SAME_PROCESS, RocksEngine::new);

    /** About what a log has when the next one is begun: a memtable, whose default this is. */
    private static final long LOG_BYTES = 64L << 20;

    private static final int FILLING_BYTES = 1 << 20;

    /** What a log has for a message besides, and half of that again. */
    private static final int OVERHEAD = 64;

    private final int messageLength;
    private final boolean synced;
    private final Options options;
    private final WriteOptions writeOptions;
    private final RocksDB db;
    /** The sequences from here on have been taken since the log was opened: gaps between them will be filled. */
    private final long firstSequence;

    private final AtomicLong nextSequence;
    private final List<RocksProducer> producers = new CopyOnWriteArrayList<>();

    RocksEngine(EngineConfig config) throws IOException {
        RocksDB.loadLibrary();
        messageLength = config.messageLength();
        synced = config.durability() == Durability.SYNCED;
        options = new Options()
                .setCreateIfMissing(true)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL);
        boolean prepares = config.space() == Space.PREPARED && config.producers() > 0;
        long preparedBytes = config.expectedMessages() * (messageLength + OVERHEAD);
        if (prepares) {
            options.setRecycleLogFileNum(preparedBytes / LOG_BYTES + 2);
        }
        writeOptions = new WriteOptions().setSync(synced);
        try {
            db = RocksDB.open(options, config.directory().toString());
            if (prepares) {
                prepare(preparedBytes);
            }
            firstSequence = lastSequence() + 1;
        } catch (RocksDBException e) {
            throw failed(e);
        }
        nextSequence = new AtomicLong(firstSequence);
    }

    /**
     * Fills logs with one key again and again, which no message has, and of which flushes leave nothing. A log can be
     * written again once a flush has ended it, by the log after the next: hence the second flush.
     */
    private void prepare(long bytes) throws RocksDBException {
        byte[] key = new byte[Long.BYTES];
        byte[] filling = new byte[FILLING_BYTES];
        try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
            for (long done = 0; done <= bytes; done += FILLING_BYTES) {
                db.put(key, filling);
            }
            for (int i = 0; i < 2; i++) {
                db.delete(key);
                db.flush(flush);
            }
        }
    }

    private long lastSequence() throws RocksDBException {
        try (RocksIterator iterator = db.newIterator()) {
            iterator.seekToLast();
            iterator.status();
            return iterator.isValid() ? ByteBuffer.wrap(iterator.key()).getLong() : 0;
        }
    }

    private static IOException failed(RocksDBException e) {
        return new IOException("RocksDB failed: " + e.getMessage(), e);
    }

    @Override
    public Producer producer() {
        RocksProducer producer = new RocksProducer();
        producers.add(producer);
        return producer;
    }

    @Override
    public MessageReader reader() {
        return new RocksReader();
    }

    @Override
    public void drain() throws IOException {
        for (RocksProducer producer : producers) {
            producer.commit();
        }
    }

    @Override
    public void close() throws IOException {
        for (RocksProducer producer : producers) {
            producer.close();
        }
        db.close();
        writeOptions.close();
        options.close();
    }

    private final class RocksProducer implements Producer {

        private final ByteBuffer message =
                ByteBuffer.allocateDirect(messageLength).order(ByteOrder.LITTLE_ENDIAN);
        /** The same bytes; RocksDB moves the positions of what it is given. */
        private final ByteBuffer value = message.duplicate();

        private final ByteBuffer key = ByteBuffer.allocateDirect(Long.BYTES);
        private final WriteBatch batch = new WriteBatch();
        private int batched;

        @Override
        public ByteBuffer message() {
            return message;
        }

        @Override
        public void append() throws IOException {
            key.clear();
            key.putLong(0, nextSequence.getAndIncrement());
            value.clear();
            try {
                if (synced) {
                    batch.put(key, value);
                    batched++;
                } else {
                    db.put(writeOptions, key, value);
                }
            } catch (RocksDBException e) {
                throw failed(e);
            }
        }

        @Override
        public void commit() throws IOException {
            if (batched == 0) {
                return;
            }
            try {
                db.write(writeOptions, batch);
            } catch (RocksDBException e) {
                throw failed(e);
            }
            batch.clear();
            batched = 0;
        }

        @Override
        public void close() throws IOException {
            if (batch.isOwningHandle()) {
                commit();
                batch.close();
            }
        }
    }

    private final class RocksReader implements MessageReader {

        private final ReadOptions readOptions = new ReadOptions().setTailing(true);
        private final RocksIterator iterator = db.newIterator(readOptions);
        private final ByteBuffer key = ByteBuffer.allocateDirect(Long.BYTES);
        private final ByteBuffer message =
                ByteBuffer.allocateDirect(messageLength).order(ByteOrder.LITTLE_ENDIAN);
        private long next = 1;
        private boolean positioned;

        @Override
        public int poll(Handler handler, int limit) throws IOException {
            if (!positioned) {
                key.clear();
                key.putLong(0, next);
                iterator.seek(key);
            }
            int count = 0;
            positioned = iterator.isValid();
            while (positioned && count < limit) {
                key.clear();
                iterator.key(key);
                long sequence = key.getLong(0);
                if (sequence != next && sequence > firstSequence) {
                    positioned = false;
                    break;
                }
                message.clear();
                handler.onMessage(message, 0, iterator.value(message));
                count++;
                next = sequence + 1;
                iterator.next();
                positioned = iterator.isValid();
            }
            try {
                iterator.status();
            } catch (RocksDBException e) {
                throw failed(e);
            }
            return count;
        }

        @Override
        public void close() {
            iterator.close();
            readOptions.close();
        }
    }
}

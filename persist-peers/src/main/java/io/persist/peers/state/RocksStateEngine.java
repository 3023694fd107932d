package io.persist.peers.state;

import io.persist.bench.host.DirectoryTree;
import io.persist.log.Durability;
import java.util.Arrays;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * RocksDB with the options of Kafka Streams 3.4 ({@code RocksDBStore} of apache/kafka): a block cache of 50 MiB, blocks
 * of 4 KiB, three write buffers of 16 MiB, universal compaction, no compression, a Bloom filter,
 * optimizeFiltersForHits, as many threads in the background as CPUs but at least two. All else is RocksDB's default.
 *
 * <p>Its durability is, where a {@code StoreLogger} has
 *
 * <ul>
 *   <li>{@code BUFFERED}: no write-ahead log, as in Kafka Streams. The end of the process takes along what is in the
 *       memtables. (A {@code StoreLogger} in mode {@code MAPPED} is better than that: the page cache has all of it.)
 *   <li>{@code FLUSHED}: the write-ahead log, written to the operating system by each commit, which is the default.
 *   <li>{@code SYNCED}: the write-ahead log, synced by each commit.
 * </ul>
 *
 * <p>A commit of one change is a plain put or delete, since that is cheaper than a batch of one.
 */
final class RocksStateEngine implements StateEngine {

    private static final long WRITE_BUFFER_BYTES = 16L << 20;
    private static final int WRITE_BUFFERS = 3;
    private static final int BLOCK_BYTES = 4 << 10;
    private static final int MAX_KEY_LENGTH = 1024;

    static {
        RocksDB.loadLibrary();
    }

    /** SpeedB, which has the same classes as an older RocksDB, can only make new arrays. */
    private static final boolean COPIES_INTO_ARRAYS = Arrays.stream(RocksIterator.class.getMethods())
            .anyMatch(method -> method.getName().equals("key")
                    && Arrays.equals(method.getParameterTypes(), new Class<?>[] {byte[].class}));

    private final StateEngineConfig config;
    private final LRUCache cache;
    private final BloomFilter filter = new BloomFilter();
    private final Options options = new Options();
    private final WriteOptions writeOptions = new WriteOptions();
    private final ReadOptions readOptions = new ReadOptions();
    private final WriteBatch batch = new WriteBatch();
    private final RocksDB db;
    private final byte[] scannedKey = new byte[MAX_KEY_LENGTH];
    private byte[] scannedValue = new byte[0];

    /** The only change since the last commit, until there is a second one; its value is null if it is a delete. */
    private byte[] onlyKey;

    private byte[] onlyValue;

    RocksStateEngine(StateEngineConfig config) {
        this.config = config;
        this.cache = new LRUCache(config.blockCacheBytes());
        options.setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(cache)
                        .setBlockSize(BLOCK_BYTES)
                        .setFilterPolicy(filter))
                .setOptimizeFiltersForHits(true)
                .setWriteBufferSize(WRITE_BUFFER_BYTES)
                .setMaxWriteBufferNumber(WRITE_BUFFERS)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setCompactionStyle(CompactionStyle.UNIVERSAL)
                .setIncreaseParallelism(Math.max(Runtime.getRuntime().availableProcessors(), 2))
                .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL)
                .setCreateIfMissing(true);
        writeOptions
                .setDisableWAL(config.durability() == Durability.BUFFERED)
                .setSync(config.durability() == Durability.SYNCED);
        try {
            this.db = RocksDB.open(options, config.directory().toString());
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    private static IllegalStateException failed(RocksDBException e) {
        return new IllegalStateException("RocksDB failed: " + e.getMessage(), e);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        add(key, value);
    }

    @Override
    public void delete(byte[] key) {
        add(key, null);
    }

    private void add(byte[] key, byte[] value) {
        try {
            if (onlyKey == null && batch.count() == 0) {
                onlyKey = key;
                onlyValue = value;
                return;
            }
            if (onlyKey != null) {
                addToBatch(onlyKey, onlyValue);
                onlyKey = null;
            }
            addToBatch(key, value);
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    private void addToBatch(byte[] key, byte[] value) throws RocksDBException {
        if (value == null) {
            batch.delete(key);
        } else {
            batch.put(key, value);
        }
    }

    @Override
    public void commit() {
        try {
            if (onlyKey == null) {
                db.write(writeOptions, batch);
                batch.clear();
            } else if (onlyValue == null) {
                db.delete(writeOptions, onlyKey);
            } else {
                db.put(writeOptions, onlyKey, onlyValue);
            }
            onlyKey = null;
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    @Override
    public int get(byte[] key, byte[] target) {
        try {
            int length = db.get(readOptions, key, target);
            return length == RocksDB.NOT_FOUND ? -1 : length;
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    @Override
    public int scan(byte[] from, int limit, int maxValueLength, Visitor visitor) {
        return scan(from, null, limit, maxValueLength, visitor);
    }

    @Override
    public int scanThrough(byte[] from, byte[] through, int maxValueLength, Visitor visitor) {
        return scan(from, through, Integer.MAX_VALUE, maxValueLength, visitor);
    }

    /** The end is compared here and is none of RocksDB's options, as in Kafka Streams; null for none. */
    private int scan(byte[] from, byte[] through, int limit, int maxValueLength, Visitor visitor) {
        if (scannedValue.length < maxValueLength) {
            scannedValue = new byte[maxValueLength];
        }
        int count = 0;
        try (RocksIterator iterator = db.newIterator(readOptions)) {
            for (iterator.seek(from); count < limit && iterator.isValid(); iterator.next()) {
                int keyLength = key(iterator);
                if (through != null
                        && Arrays.compareUnsigned(scannedKey, 0, keyLength, through, 0, through.length) > 0) {
                    break;
                }
                visitor.entry(scannedKey, keyLength, scannedValue, value(iterator));
                count++;
            }
            iterator.status();
        } catch (RocksDBException e) {
            throw failed(e);
        }
        return count;
    }

    private int key(RocksIterator iterator) {
        return COPIES_INTO_ARRAYS ? iterator.key(scannedKey) : copy(iterator.key(), scannedKey);
    }

    private int value(RocksIterator iterator) {
        return COPIES_INTO_ARRAYS ? iterator.value(scannedValue) : copy(iterator.value(), scannedValue);
    }

    private static int copy(byte[] source, byte[] target) {
        System.arraycopy(source, 0, target, 0, source.length);
        return source.length;
    }

    @Override
    public void checkpoint() {
        try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
            db.flush(flush);
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    @Override
    public void compact() {
        checkpoint();
        try {
            db.compactRange();
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    /** {@code compaction-pending} is no help: it can stay set for ever while RocksDB runs nothing. */
    @Override
    public boolean isIdle() {
        try {
            return db.getLongProperty("rocksdb.mem-table-flush-pending") == 0
                    && db.getLongProperty("rocksdb.num-running-flushes") == 0
                    && db.getLongProperty("rocksdb.num-running-compactions") == 0;
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    @Override
    public long fileBytes() {
        return DirectoryTree.bytes(config.directory());
    }

    /** Without a write-ahead log RocksDB writes its memtables now, so that an orderly end loses nothing. */
    @Override
    public void close() {
        batch.close();
        db.close();
        readOptions.close();
        writeOptions.close();
        options.close();
        filter.close();
        cache.close();
    }
}

package io.persist.peers.cache;

import io.persist.bench.cache.CacheEngine;
import io.persist.bench.cache.CacheMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/**
 * RocksDB with its write-ahead log in the directory of the log, no compression, and else its defaults. One thread syncs
 * that log: in mode {@code SYNC} as soon as a set waits for it, for all that wait then, as ARCUS does; in mode {@code
 * ASYNC} after each interval. What it has in place of a checkpoint is a flush of its memtables, which it does by itself
 * too when they are full, whatever {@code --checkpoint} says. The rate of checkpoints is that of flushes which were
 * asked for.
 */
final class RocksCacheEngine implements CacheEngine {

    /** Longer than any run; the thread is woken. */
    private static final long IDLE_NS = TimeUnit.HOURS.toNanos(1);

    private final Options options;
    private final FlushRate rate;
    private final WriteOptions writeOptions;
    private final RocksDB db;
    private final Queue<Synced> waiting = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<Synced> served = new ArrayDeque<>(); // of one sync; of the thread that syncs
    private final AtomicLong syncs = new AtomicLong();
    private final long intervalNs;
    private final Thread syncer = new Thread(this::syncWhileOpen, "rocksdb-syncer");
    private volatile boolean closing;
    private volatile @Nullable Throwable ended; // what has ended the thread that syncs

    RocksCacheEngine(Place place) throws IOException {
        try {
            RocksDB.loadLibrary();
        } catch (UnsatisfiedLinkError e) {
            throw new IOException("RocksDB's native library does not load: " + e.getMessage(), e);
        }
        writeOptions = new WriteOptions();
        options = new Options()
                .setCreateIfMissing(true)
                .setWalDir(place.logs().toString())
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL)
                .setIncreaseParallelism(Math.max(2, Runtime.getRuntime().availableProcessors()));
        rate = new FlushRate(place.checkpointBytesPerSecond());
        rate.applyTo(options);
        intervalNs = place.mode() == CacheMode.ASYNC ? place.syncInterval().toNanos() : IDLE_NS;
        try {
            db = RocksDB.open(options, place.data().toString());
        } catch (RocksDBException e) {
            throw new IOException("RocksDB cannot be opened: " + e.getMessage(), e);
        }
        syncer.setDaemon(true);
        syncer.start();
    }

    private static IllegalStateException failed(RocksDBException e) {
        return new IllegalStateException("RocksDB failed: " + e.getMessage(), e);
    }

    private void syncWhileOpen() {
        try {
            while (!closing) {
                if (waiting.isEmpty()) {
                    LockSupport.parkNanos(this, intervalNs);
                }
                if (!waiting.isEmpty() || intervalNs < IDLE_NS) {
                    syncWaiting();
                }
            }
        } catch (Throwable e) {
            ended = e; // no thread syncs any more: those that wait would wait for ever
            tell(served, e);
            tell(waiting, e);
        }
    }

    private static void tell(Queue<Synced> all, @Nullable Throwable failure) {
        for (Synced each = all.poll(); each != null; each = all.poll()) {
            each.done(failure);
        }
    }

    /** What waits now was put before it began to wait. */
    private void syncWaiting() {
        for (Synced each = waiting.peek(); each != null; each = waiting.peek()) {
            served.add(each);
            waiting.remove();
        }
        Throwable failure = null;
        try {
            db.flushWal(true);
            syncs.incrementAndGet();
        } catch (RocksDBException e) {
            failure = e;
        }
        tell(served, failure);
    }

    @Override
    public long set(byte[] key, byte[] value) {
        try {
            db.put(writeOptions, key, value);
            return 0;
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    @Override
    public void whenSynced(long ticket, Synced synced) {
        waiting.add(synced);
        Throwable why = ended; // the thread that syncs sets it, and then looks for those that wait
        if (why != null) {
            tell(waiting, why);
        } else {
            LockSupport.unpark(syncer);
        }
    }

    @Override
    public boolean ordersSets() {
        return false;
    }

    @Override
    public boolean get(byte[] key, ValueReader reader) {
        try {
            byte[] value = db.get(key);
            if (value == null) {
                return false;
            }
            reader.read(ByteBuffer.wrap(value));
            return true;
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    @Override
    public void sync() {
        try {
            db.flushWal(true);
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    @Override
    public void checkpoint() {
        rate.begin();
        try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
            db.flush(wait);
        } catch (RocksDBException e) {
            throw failed(e);
        } finally {
            rate.end();
        }
    }

    /** How many bytes it may write per second in the background now. */
    long writableBytesPerSecond() {
        return rate.current();
    }

    @Override
    public long syncs() {
        return syncs.get();
    }

    @Override
    public void hurry() {
        rate.end();
    }

    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(syncer);
        boolean interrupted = false;
        while (syncer.isAlive()) {
            try {
                syncer.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        db.close();
        writeOptions.close();
        options.close();
        rate.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

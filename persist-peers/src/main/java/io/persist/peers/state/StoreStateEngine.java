package io.persist.peers.state;

import io.persist.StoreLogger;
import io.persist.bench.host.DirectoryTree;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.read.StoreScan;
import io.persist.store.transaction.Transaction;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** A {@link StoreLogger}, attached, in mode {@code MAPPED}, with the defaults of its configuration. */
final class StoreStateEngine implements StateEngine {

    private static final int MAX_KEY_LENGTH = 1024;

    /** Reading through a whole segment of which nothing is needed takes a second at the default rate. */
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(2);

    private final StateEngineConfig config;
    private final StoreLogger store;
    private final byte[] scannedKey = new byte[MAX_KEY_LENGTH];
    private byte[] scannedValue = new byte[0];
    private Transaction transaction;
    private long lastWork;
    private long lastWorkNs = System.nanoTime();

    StoreStateEngine(StateEngineConfig config) {
        this.config = config;
        LogConfig log = LogConfig.builder(config.directory())
                .writeMode(WriteMode.MAPPED)
                .durability(config.durability())
                .build();
        this.store = StoreLogger.open(StoreConfig.builder(log)
                .checkpointPercent(config.checkpointPercent())
                .compactionBytesPerSecond(config.compactionBytesPerSecond())
                .build());
    }

    private Transaction transaction() {
        if (transaction == null) {
            transaction = store.begin();
        }
        return transaction;
    }

    @Override
    public void put(byte[] key, byte[] value) {
        transaction().put(key, value);
    }

    @Override
    public void delete(byte[] key) {
        transaction().remove(key);
    }

    @Override
    public void commit() {
        transaction().commit();
        transaction = null;
    }

    @Override
    public int get(byte[] key, byte[] target) {
        ByteBuffer value = store.getUntilNext(key);
        return value == null ? -1 : copy(value, target);
    }

    @Override
    public int scan(byte[] from, int limit, int maxValueLength, Visitor visitor) {
        return scan(KeyRange.from(from), limit, maxValueLength, visitor);
    }

    @Override
    public int scanThrough(byte[] from, byte[] through, int maxValueLength, Visitor visitor) {
        return scan(KeyRange.closed(from, through), Integer.MAX_VALUE, maxValueLength, visitor);
    }

    private int scan(KeyRange range, int limit, int maxValueLength, Visitor visitor) {
        if (scannedValue.length < maxValueLength) {
            scannedValue = new byte[maxValueLength];
        }
        int count = 0;
        try (StoreScan scan = store.scan(range, Direction.FORWARD)) {
            for (; count < limit && scan.next(); count++) {
                int keyLength = copy(scan.keyUntilNext(), scannedKey);
                visitor.entry(scannedKey, keyLength, scannedValue, copy(scan.valueUntilNext(), scannedValue));
            }
        }
        return count;
    }

    private static int copy(ByteBuffer source, byte[] target) {
        int length = source.remaining();
        source.get(target, 0, length);
        return length;
    }

    @Override
    public void checkpoint() {
        store.checkpoint();
    }

    @Override
    public void compact() {
        store.compact(Long.MAX_VALUE);
    }

    /** Whether it has no reason to compact, or has one but has done nothing for a while, as nothing can be done. */
    @Override
    public boolean isIdle() {
        StoreStatistics now = store.statistics();
        long work = now.compaction().movedBytes()
                + now.compaction().vacatedSegments()
                + now.checkpoint().written();
        if (work != lastWork || now.checkpoint().inProgress()) {
            lastWork = work;
            lastWorkNs = System.nanoTime();
        }
        boolean hasReason = now.checkpoint().inProgress()
                || now.spaceRatio() > StoreConfig.DEFAULT_MAX_SPACE_RATIO
                        && now.spaceBytes() > LogConfig.DEFAULT_SEGMENT_LENGTH; // the last segment is never compacted
        return !hasReason || System.nanoTime() - lastWorkNs > QUIET_NS;
    }

    @Override
    public long fileBytes() {
        return DirectoryTree.bytes(config.directory());
    }

    @Override
    public void close() {
        store.close();
    }
}

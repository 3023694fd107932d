package io.persist.store.engine;

import io.persist.StoreLogger;
import io.persist.codec.Encoder;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.read.ChangeReader;
import io.persist.store.read.StoreReads;
import io.persist.store.read.StoreScan;
import io.persist.store.transaction.OptimisticTransaction;
import io.persist.store.transaction.Transaction;
import io.persist.store.transaction.WriteBatch;
import io.persist.support.Allocation;
import io.persist.support.InMemory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a thread allocates per call in the long run: nothing, but for a little with each new segment. */
@ParameterizedClass
@EnumSource(StoreAllocationTest.Kind.class)
class StoreAllocationTest {

    private static final int WARM_UP = 20_000;
    private static final int CALLS = 20_000;
    private static final int SEGMENT_LENGTH = 4 << 20;

    /**
     * A scan allocates if some copies were slow, which a busy machine does to them: from there to the end of the segment
     * it reads ahead. So it is looked at in short pieces, and segments are not much longer: one piece without is what
     * counts.
     */
    private static final int SCANNED = 1_000;

    private static final int SCANNED_SEGMENT_LENGTH = 256 << 10;

    /** Its objects, three keys of up to 1 KiB, and a few views. */
    private static final long MOST_FOR_A_SCAN = 6 << 10;

    private static final int TRIES = 60;
    private static final int KEYS = 1000;

    enum Kind {
        MAPPED,
        FILE,
        DETACHED
    }

    @Parameter
    Kind kind;

    @TempDir(factory = InMemory.class)
    Path directory;

    private final byte[][] keys = new byte[KEYS][];
    private final byte[] value = new byte[100];
    private StoreLogger store;
    private int next;

    @BeforeEach
    void open() {
        openStore(SEGMENT_LENGTH);
        for (int i = 0; i < KEYS; i++) {
            keys[i] = Texts.bytes("key-" + (1000 + i));
        }
        for (int i = 0; i < KEYS; i++) {
            put(Durability.BUFFERED);
        }
        store.flush();
    }

    private void openStore(int segmentLength) {
        LogConfig log = LogConfig.builder(directory)
                .segmentLength(segmentLength)
                .writeMode(kind == Kind.FILE ? WriteMode.FILE : WriteMode.MAPPED)
                .build();
        StoreConfig config =
                StoreConfig.builder(log).checkpointPercent(0).maxSpaceRatio(0).build();
        store = kind == Kind.DETACHED
                ? StoreLogger.open(config, DetachedConfig.builder().build())
                : StoreLogger.open(config);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static void shouldNotAllocate(Runnable call) {
        Allocation.checkNone(WARM_UP, CALLS, call);
    }

    private byte[] nextKey() {
        next = (next + 7) % KEYS;
        return keys[next];
    }

    private void put(Durability level) {
        Transaction transaction = store.begin();
        transaction.put(nextKey(), value);
        transaction.commit(level);
    }

    @Test
    void shouldNotAllocateToPutAndCommit() {
        shouldNotAllocate(() -> put(Durability.BUFFERED));
    }

    @Test
    void shouldNotAllocateToPutWithoutATransaction() {
        ByteBuffer buffer = ByteBuffer.wrap(value);
        Encoder<byte[]> encoder = (array, output) -> output.write(array);
        shouldNotAllocate(() -> {
            store.put(nextKey(), value, 0, 50, Durability.BUFFERED);
            store.put(nextKey(), buffer, Durability.BUFFERED);
            store.put(nextKey(), value, encoder, Durability.BUFFERED);
        });
    }

    @Test
    void shouldNotAllocateToFillAndWriteABatch() {
        WriteBatch batch = new WriteBatch();
        shouldNotAllocate(() -> {
            batch.clear();
            batch.put(nextKey(), value);
            batch.remove(nextKey());
            store.write(batch, Durability.BUFFERED);
        });
    }

    @Test
    void shouldNotAllocateToFollowTheChanges() {
        try (ChangeReader changes = ChangeReader.open(directory, store.position())) {
            shouldNotAllocate(() -> {
                put(Durability.FLUSHED);
                while (changes.next()) {
                    changes.keyUntilNext();
                    changes.valueUntilNext();
                }
            });
        }
    }

    @Test
    void shouldNotAllocateToCommitSafely() {
        shouldNotAllocate(() -> put(Durability.FLUSHED));
    }

    @Test
    void shouldNotAllocateToRemoveAndPutAgain() {
        shouldNotAllocate(() -> {
            byte[] key = nextKey();
            Transaction transaction = store.begin();
            transaction.remove(key);
            transaction.commit();
            Transaction next = store.begin();
            next.put(key, value, 0, 50);
            next.put(keys[0], value);
            next.commit();
        });
    }

    @Test
    void shouldNotAllocateToPutAndRemoveWithoutATransaction() {
        shouldNotAllocate(() -> {
            byte[] key = nextKey();
            store.put(key, value);
            if (!store.contains(key) || !store.remove(key, Durability.FLUSHED)) {
                throw new AssertionError("no key");
            }
            store.put(key, value);
        });
    }

    @Test
    void shouldNotAllocateToGet() {
        shouldNotAllocate(() -> {
            ByteBuffer found = store.getUntilNext(nextKey());
            if (found == null || found.remaining() != value.length) {
                throw new AssertionError("no value");
            }
        });
    }

    /** Values that were there before come from the file at first. */
    @Test
    void shouldNotAllocateToGetAfterOpening() {
        store.close();
        openStore(SEGMENT_LENGTH);
        shouldNotAllocateToGet();
    }

    @Test
    void shouldNotAllocateToGetWhatAnotherCommitHasJustWritten() {
        shouldNotAllocate(() -> {
            put(Durability.BUFFERED);
            if (store.getUntilNext(keys[next]) == null) {
                throw new AssertionError("no value");
            }
        });
    }

    /** A scan of a few keys is as frequent as a get, in a store of timers. */
    @Test
    void shouldTakeLittleForAShortScan() {
        int scans = 1_000;
        Allocation.checkLess(WARM_UP / 10, scans, Allocation.TRIES, scans * MOST_FOR_A_SCAN, () -> {
            try (StoreScan scan = store.scan(KeyRange.all(), Direction.FORWARD)) {
                for (int i = 0; i < 10; i++) {
                    if (!scan.next() || scan.valueUntilNext().remaining() != value.length) {
                        throw new AssertionError("no value");
                    }
                }
            }
        });
    }

    @Test
    void shouldNotAllocateToScan() {
        fillToScan();
        shouldNotAllocateToScan(store);
    }

    @Test
    void shouldNotAllocateToScanInAnOptimisticTransaction() {
        fillToScan();
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            shouldNotAllocateToScan(transaction);
        }
    }

    private void fillToScan() {
        store.close();
        openStore(SCANNED_SEGMENT_LENGTH);
        for (int i = 0; i < WARM_UP + TRIES * SCANNED; i++) {
            Transaction transaction = store.begin();
            transaction.put(Texts.bytes("more-" + (100_000 + i)), value);
            transaction.commit(Durability.BUFFERED);
        }
    }

    private void shouldNotAllocateToScan(StoreReads reads) {
        try (StoreScan scan = reads.scan(KeyRange.prefix(Texts.bytes("more-")), Direction.BACKWARD)) {
            Allocation.checkNone(WARM_UP, SCANNED, TRIES, () -> {
                if (!scan.next()
                        || scan.keyUntilNext().remaining() != 11
                        || scan.valueUntilNext().remaining() != value.length) {
                    throw new AssertionError("no value");
                }
            });
        }
    }
}

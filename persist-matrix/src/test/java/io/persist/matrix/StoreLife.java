package io.persist.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.file.Storage;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RecoveryReport;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.Transaction;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An entry is a transaction that puts it under one of some keys and under a key of the newest one, and at times removes
 * another key. What the store has to hold after entry n follows from the entries up to n.
 */
final class StoreLife extends Life {

    private static final int KEYS = 12;
    /** The key that has the newest entry. */
    static final byte[] NEWEST = {0};

    private static final long COMPACTED_BYTES = 1 << 20;

    private final StoreLogger store;

    StoreLife(LogConfig log, @Nullable DetachedConfig queue, Storage storage) {
        StoreConfig config =
                StoreConfig.builder(log).checkpointPercent(0).maxSpaceRatio(0).build();
        store = queue == null
                ? StoreLogger.open(config, storage, storage)
                : StoreLogger.open(config, queue, storage, storage);
    }

    @Override
    public void append(Entries entries, long number) {
        byte[] bytes = entries.bytes(number);
        try (Transaction transaction = store.begin()) {
            transaction.put(NEWEST, bytes);
            transaction.put(key(number), bytes);
            if (number % 5 == 0) {
                transaction.remove(removedKey(number));
            }
            transaction.commit(Durability.BUFFERED);
        }
    }

    /** The first entry of one key stays: what compaction takes away is before it, and behind it as well. */
    private static byte[] key(long number) {
        long key = number % KEYS;
        return new byte[] {1, (byte) (key == 0 && number > KEYS ? 1 : key)};
    }

    private static byte[] removedKey(long number) {
        return key(number * 7 + 3);
    }

    /** A transaction without changes, which waits for all before it. */
    @Override
    public void commit(Durability level) {
        try (Transaction transaction = store.begin()) {
            transaction.commit(level);
        }
    }

    @Override
    public long flushedPosition() {
        return store.flushedPosition();
    }

    @Override
    public boolean await(long position, Durability level, Duration timeout) throws InterruptedException {
        return store.await(position, level, timeout);
    }

    @Override
    public CompletableFuture<Long> reached(long position, Durability level) {
        return store.reached(position, level);
    }

    @Override
    public void roll() {
        store.roll();
    }

    @Override
    public void upkeep(Entries entries) {
        store.checkpoint();
        store.compact(COMPACTED_BYTES);
    }

    @Override
    public void checkpoint() {
        store.checkpoint();
    }

    @Override
    public long verify(Entries entries) {
        return verify(entries, store::get, () -> store.scan(KeyRange.all(), Direction.FORWARD));
    }

    /** The same of what {@code snapshot} shows. */
    static long verify(Entries entries, StoreSnapshot snapshot) {
        return verify(entries, snapshot::get, () -> snapshot.scan(KeyRange.all(), Direction.FORWARD));
    }

    private static long verify(Entries entries, Function<byte[], ByteBuffer> get, Supplier<StoreScan> all) {
        ByteBuffer newest = get.apply(NEWEST);
        long last = newest == null ? 0 : Entries.numberOf(newest);
        if (last != 0) {
            check(entries, last, newest);
        }
        TreeMap<byte[], Long> expected = stateAfter(last);
        try (StoreScan scan = all.get()) {
            for (Map.Entry<byte[], Long> key : expected.entrySet()) {
                assertThat(scan.next())
                        .as("key %s", Arrays.toString(key.getKey()))
                        .isTrue();
                assertThat(scan.key()).isEqualTo(ByteBuffer.wrap(key.getKey()));
                check(entries, key.getValue(), scan.value());
            }
            assertThat(scan.next()).as("more keys than there were put").isFalse();
        }
        return last;
    }

    /** The number of the entry that each key has after entry {@code last}. */
    private static TreeMap<byte[], Long> stateAfter(long last) {
        TreeMap<byte[], Long> state = new TreeMap<>(Arrays::compareUnsigned);
        for (long number = 1; number <= last; number++) {
            state.put(NEWEST, number);
            state.put(key(number), number);
            if (number % 5 == 0) {
                state.remove(removedKey(number));
            }
        }
        return state;
    }

    @Override
    public boolean hasFailed() {
        return store.hasFailed();
    }

    @Override
    public RecoveryReport recovery() {
        return store.logRecovery();
    }

    @Override
    public void close() {
        store.close();
    }
}

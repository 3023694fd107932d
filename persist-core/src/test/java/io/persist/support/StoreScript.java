package io.persist.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.file.Storage;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.read.StoreScan;
import io.persist.store.transaction.Transaction;
import io.persist.testkit.CrashScript;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/** Two counters that every transaction raises by one; in between a segment ends, and there is a checkpoint. */
class StoreScript implements CrashScript {

    private static final byte[] FIRST = {1};
    private static final byte[] SECOND = {2};
    private static final int TRANSACTIONS = 4;

    private final StoreConfig config = StoreConfig.builder(
                    LogConfig.builder(Path.of("memory")).segmentLength(4096).build())
            .checkpointPercent(0)
            .maxSpaceRatio(0)
            .build();
    private long begun;
    private long acknowledged;

    StoreLogger open(StoreConfig config, Storage storage) {
        return StoreLogger.open(config, storage, storage);
    }

    @Override
    public void run(Storage storage) {
        try (StoreLogger store = open(config, storage)) {
            begun = value(store, FIRST);
            for (int i = 0; i < TRANSACTIONS; i++) {
                begun++;
                try (Transaction transaction = store.begin()) {
                    transaction.put(FIRST, bytes(begun));
                    transaction.getAndPut(SECOND, bytes(begun));
                    transaction.commit(i % 2 == 0 ? Durability.SYNCED : Durability.BUFFERED);
                }
                store.begin().commit(Durability.SYNCED); // has no changes, and waits for those of the one before
                acknowledged = begun;
                if (i == 1) {
                    store.roll();
                }
                if (i == TRANSACTIONS / 2) {
                    store.checkpoint();
                }
            }
        }
    }

    @Override
    public Object check(Storage storage) {
        try (StoreLogger store = open(config, storage);
                StoreScan scan = store.scan(KeyRange.all(), Direction.FORWARD)) {
            long value = value(store, FIRST);
            assertThat(value).as("the counter").isBetween(acknowledged, Math.max(acknowledged, begun));
            assertThat(value(store, SECOND)).as("the other counter").isEqualTo(value);
            long keys = 0;
            while (scan.next()) {
                keys++;
            }
            assertThat(keys).isEqualTo(value == 0 ? 0 : 2);
            return value;
        }
    }

    private static long value(StoreLogger store, byte[] key) {
        ByteBuffer value = store.get(key);
        return value == null ? 0 : value.getLong();
    }

    private static byte[] bytes(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }

    /** The same by a writer thread. */
    static final class Detached extends StoreScript {

        private final DetachedConfig queue =
                DetachedConfig.builder().queueDepth(4).build();

        @Override
        StoreLogger open(StoreConfig config, Storage storage) {
            return StoreLogger.open(config, queue, storage, storage);
        }
    }
}

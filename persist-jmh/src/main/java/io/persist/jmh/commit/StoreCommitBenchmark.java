package io.persist.jmh.commit;

import io.persist.StoreLogger;
import io.persist.jmh.support.Payloads;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;

/**
 * {@link CommitBenchmark} of a {@link StoreLogger}: a record is a transaction that gives one of {@link #KEYS} keys a
 * new value of the payload's length. Checkpoints and compaction are off; {@code StateWriteBenchmark} has them, and many
 * keys.
 */
public class StoreCommitBenchmark extends CommitBenchmark {

    static final int KEYS = 1 << 10;
    private static final int KEY_LENGTH = 16;

    private final byte[][] keys = new byte[KEYS][KEY_LENGTH];
    private StoreLogger store;
    private int next;

    @Override
    void openAttached(LogConfig config) {
        store = StoreLogger.open(configure(config));
    }

    @Override
    void openDetached(LogConfig config, DetachedConfig detached) {
        store = StoreLogger.open(configure(config), detached);
    }

    private StoreConfig configure(LogConfig config) {
        byte[] random = Payloads.random(KEYS * KEY_LENGTH);
        for (int i = 0; i < KEYS; i++) {
            System.arraycopy(random, i * KEY_LENGTH, keys[i], 0, KEY_LENGTH);
        }
        return StoreConfig.builder(config).checkpointPercent(0).maxSpaceRatio(0).build();
    }

    @Override
    long commitOne() {
        Transaction transaction = store.begin();
        transaction.put(keys[next++ & (KEYS - 1)], message);
        return transaction.commit(durability);
    }

    @Override
    boolean awaitWriter(long end) throws InterruptedException {
        return store.await(end, Durability.BUFFERED, LIMIT);
    }

    @Override
    protected long position() {
        return store.position();
    }

    @Override
    protected void close() {
        store.close();
    }
}

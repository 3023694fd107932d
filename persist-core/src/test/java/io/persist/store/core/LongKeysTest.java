package io.persist.store.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.error.IndexFullException;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.StoreDisks;
import io.persist.store.Texts;
import io.persist.store.transaction.Transaction;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A large transaction of keys that are long and have nothing in common: three of them fill a leaf. */
class LongKeysTest {

    /** For more of them the index has no memory. */
    private static final int MOST = 5_500;

    private static final byte[] OTHER = Texts.bytes("other");
    private static final byte[] VALUE = new byte[8];

    private final StoreDisks disks = StoreDisks.one();
    private StoreLogger store;

    @BeforeEach
    void open() {
        LogConfig log =
                LogConfig.builder(Path.of("store")).segmentLength(16 << 20).build();
        StoreConfig config = StoreConfig.builder(log).indexMemoryBytes(12 << 20).build();
        store = StoreLogger.open(config, disks.log, disks.checkpoints);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void commit(int keys) {
        Random random = new Random(1);
        try (Transaction transaction = store.begin()) {
            for (int i = 0; i < keys; i++) {
                byte[] key = new byte[1000];
                random.nextBytes(key);
                transaction.put(key, VALUE);
            }
            transaction.commit();
        }
    }

    /** On the log it would be there for good, with an index that has no memory for it. */
    @Test
    void shouldRefuseWhatTheIndexHasNoMemoryFor() {
        assertThatExceptionOfType(IndexFullException.class).isThrownBy(() -> commit(2 * MOST));
        store.put(OTHER, VALUE);
        store.checkpoint();
        assertThat(store.size()).isEqualTo(1);
    }

    /** These take no memory, however many they are. */
    @Test
    void shouldReplaceAllValuesOfAsManyKeys() {
        commit(MOST);
        commit(MOST);
        store.close();
        open();
        commit(MOST);
        assertThat(store.size()).isEqualTo(MOST);
        assertThat(store.statistics().index().pendingChanges()).isZero();
    }

    @Test
    void shouldGoOnAfterWhatItHasMemoryFor() {
        commit(MOST);
        store.put(OTHER, VALUE);
        store.checkpoint();
        store.close();
        open();
        store.put(OTHER, VALUE);
        assertThat(store.size()).isEqualTo(MOST + 1);
    }
}

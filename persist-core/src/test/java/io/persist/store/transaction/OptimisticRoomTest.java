package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.StoreDisks;
import io.persist.store.Texts;
import io.persist.store.read.StoreScan;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A large optimistic transaction that has read much, while the index is larger than its memory. */
class OptimisticRoomTest {

    private static final int KEYS = 6_000;

    /** Their leaves take more memory than is left beside that for the puts. */
    private static final int READS = 2_500;

    /** More than a log of such short segments takes at once. */
    private static final int PUTS = 140;

    /** 1000 bytes, so that four of them fill a leaf. */
    private static byte[] key(int number) {
        byte[] key = new byte[1000];
        new Random(number).nextBytes(key);
        return key;
    }

    private static StoreLogger open(OldValues oldValues) {
        LogConfig log =
                LogConfig.builder(Path.of("store")).segmentLength(64 << 10).build();
        StoreConfig config = StoreConfig.builder(log)
                .oldValues(oldValues)
                .indexMemoryBytes(4 << 20)
                .build();
        StoreDisks disks = StoreDisks.one();
        StoreLogger store = StoreLogger.open(config, disks.log, disks.checkpoints);
        for (int i = 0; i < KEYS; ) {
            try (Transaction transaction = store.begin()) {
                for (; i < KEYS && transaction.fits(1000, 8); i++) {
                    transaction.put(key(i), new byte[8]);
                }
                transaction.commit();
            }
        }
        store.checkpoint();
        return store;
    }

    /** To look at what it has read takes the memory that was made free for what it puts. */
    @ParameterizedTest
    @EnumSource(OldValues.class)
    @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldCommitAfterMoreReadsThanFitBesideItsPuts(OldValues oldValues) {
        try (StoreLogger store = open(oldValues);
                OptimisticTransaction transaction = store.beginOptimistic()) {
            for (int i = 0; i < READS; i++) {
                assertThat(transaction.get(key(i))).isNotNull();
            }
            for (int i = 0; i < PUTS; i++) {
                transaction.put(Texts.bytes("new/" + i), new byte[8]);
            }
            assertThat(transaction.tryCommit()).isTrue();
            assertThat(store.size()).isEqualTo(KEYS + PUTS);
        }
    }

    /** What it has scanned is looked at without the lock, and read again for that. */
    @ParameterizedTest
    @EnumSource(OldValues.class)
    @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldCommitAfterAScanOfMoreThanFitsBesideItsPuts(OldValues oldValues) {
        try (StoreLogger store = open(oldValues)) {
            for (boolean isChanged : new boolean[] {true, false}) {
                try (OptimisticTransaction transaction = store.beginOptimistic()) {
                    byte[] last = new byte[0];
                    try (StoreScan scan = transaction.scan(KeyRange.all(), Direction.FORWARD)) {
                        for (int i = 0; i < READS; i++) {
                            assertThat(scan.next()).isTrue();
                            last = scan.keyBytes();
                        }
                    }
                    for (int i = 0; i < PUTS; i++) {
                        transaction.put(Texts.bytes("new/" + i), new byte[8]);
                    }
                    if (isChanged) {
                        store.put(last, new byte[8]);
                    }
                    assertThat(transaction.tryCommit()).isEqualTo(!isChanged);
                }
            }
            assertThat(store.size()).isEqualTo(KEYS + PUTS);
        }
    }
}

package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Texts;
import io.persist.store.read.StoreScan;
import io.persist.testkit.CrashableStorage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compaction gives values other places: that is no change for who has read them, whatever else comes with it. */
class OptimisticMovesTest {

    private static final KeyRange STAYING = KeyRange.prefix(Texts.bytes("stays-"));
    private static final int STAYS = 20;

    private final StoreLogger store = Texts.open(new CrashableStorage());

    @BeforeEach
    void fill() {
        for (int i = 0; i < STAYS; i++) {
            put("stays-" + (100 + i));
            overwrite(30);
        }
        overwrite(100);
        store.checkpoint();
    }

    private void put(String key) {
        store.put(Texts.bytes(key), new byte[40]);
    }

    /** So there are segments of which little is needed. */
    private void overwrite(int puts) {
        for (int i = 0; i < puts; i++) {
            put("other-" + i % 10);
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static int get(OptimisticTransaction transaction) {
        int keys = 0;
        for (int i = 0; i < STAYS; i++) {
            keys += transaction.contains(Texts.bytes("stays-" + (100 + i))) ? 1 : 0;
        }
        return keys;
    }

    private static int scan(OptimisticTransaction transaction) {
        int keys = 0;
        try (StoreScan scan = transaction.scan(STAYING, Direction.FORWARD)) {
            while (scan.next()) {
                keys++;
            }
        }
        return keys;
    }

    /** Moves what is needed; the next time it moves it again. */
    private void compact() {
        long before = store.statistics().compaction().movedBytes();
        overwrite(200);
        store.compact(Long.MAX_VALUE);
        assertThat(store.statistics().compaction().movedBytes()).isGreaterThan(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldCommitIfValuesWereOnlyMoved(int times) {
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            assertThat(scan(transaction)).isEqualTo(STAYS);
            for (int i = 0; i < times; i++) {
                compact();
            }
            transaction.put(Texts.bytes("own"), new byte[1]);
            assertThat(transaction.tryCommit()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldCommitIfValuesOfGetsWereOnlyMoved(int times) {
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            for (int i = 0; i < times; i++) {
                assertThat(get(transaction)).as("where they are now").isEqualTo(STAYS);
                compact();
            }
            assertThat(transaction.tryCommit()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotCommitIfAValueWasPutAndThenMoved(boolean isScanned) {
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            assertThat(isScanned ? scan(transaction) : get(transaction)).isEqualTo(STAYS);
            put("stays-105");
            compact();
            compact();
            assertThat(transaction.tryCommit()).isFalse();
        }
    }

    @Test
    void shouldNotCommitIfAKeyIsGoneBesideThoseThatWereMoved() {
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            assertThat(scan(transaction)).isEqualTo(STAYS);
            compact();
            store.remove(Texts.bytes("stays-105"));
            compact();
            assertThat(transaction.tryCommit()).isFalse();
        }
    }

    /** What was moved before the scan was opened lies before its moment, as all else that it shows. */
    @Test
    void shouldCommitIfValuesWereMovedBeforeToo() {
        compact();
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            assertThat(scan(transaction)).isEqualTo(STAYS);
            compact();
            assertThat(scan(transaction)).isEqualTo(STAYS);
            compact();
            assertThat(transaction.tryCommit()).isTrue();
        }
    }
}

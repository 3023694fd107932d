package io.persist.store.value;

import static io.persist.store.Texts.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.error.LogIOException;
import io.persist.format.TransactionLayout;
import io.persist.store.Texts;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.OptimisticTransaction;
import io.persist.support.CountingStorage;
import io.persist.support.CountingStorage.Read;
import io.persist.testkit.CrashableStorage;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a store reads of segments that were there when it was opened, of which nothing is known to be in memory. */
class ColdReadsTest {

    private static final int KEYS = 200;

    private final CrashableStorage disk = new CrashableStorage();
    private final CountingStorage storage = new CountingStorage(disk);
    private StoreLogger store;

    @BeforeEach
    void openAgain() {
        try (StoreLogger before = Texts.open(disk)) {
            Texts.fill(before, KEYS, KEYS);
        }
        store = StoreLogger.open(Texts.config(), storage, storage);
        storage.reads();
    }

    @AfterEach
    void close() {
        store.close();
        assertThat(disk.openHandles()).isZero();
    }

    private static String value(int i) {
        return "a value that takes some space: " + i;
    }

    private void assertOneRead(int i) {
        int length = TransactionLayout.ENTRY_HEADER_LENGTH + ("key-" + i).length() + value(i).length();
        assertThat(storage.reads())
                .as("reads for key-" + i)
                .singleElement()
                .extracting(Read::length)
                .isEqualTo(length);
    }

    @Test
    void shouldReadExactlyTheEntryThatIsAskedFor() {
        for (int i = 0; i < KEYS - 20; i += 7) {
            assertThat(Texts.get(store, "key-" + i)).isEqualTo(value(i));
            assertOneRead(i);
            assertThat(Texts.text(store.getUntilNext(bytes("key-" + i)))).isEqualTo(value(i));
            assertOneRead(i);
            store.ceilingEntry(bytes("key-" + i));
            assertOneRead(i);
            try (StoreSnapshot snapshot = store.snapshot()) {
                snapshot.get(bytes("key-" + i));
                assertOneRead(i);
            }
            try (OptimisticTransaction transaction = store.beginOptimistic()) {
                transaction.get(bytes("key-" + i));
                assertOneRead(i);
            }
        }
    }

    @Test
    void shouldReadNoValueToFindOutWhetherThereIsAKey() {
        assertThat(store.contains(bytes("key-1"))).isTrue();
        try (StoreSnapshot snapshot = store.snapshot()) {
            assertThat(snapshot.contains(bytes("key-1"))).isTrue();
        }
        assertThat(storage.reads()).isEmpty();
    }

    @Test
    void shouldReadFromMemoryWhatItHasWrittenItself() {
        while (store.position() < 20 * Texts.SEGMENT_LENGTH) {
            Texts.put(store, "key-" + KEYS, value(KEYS));
        }
        assertThat(Texts.get(store, "key-" + KEYS)).isEqualTo(value(KEYS));
        assertThat(storage.reads()).isEmpty();
    }

    @Test
    void shouldThrowForTheKeyOnlyWhatTheDeviceSays() {
        storage.fail();
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> store.get(bytes("key-1")))
                .withMessageContaining("Input/output error");
        storage.mend();
        assertThat(Texts.get(store, "key-1")).isEqualTo(value(1));
        Texts.put(store, "key-1", "new");
        assertThat(Texts.get(store, "key-1")).isEqualTo("new");
    }

    /** A value that a snapshot still needs is where it was, whatever compaction did meanwhile. */
    @Test
    void shouldReadOnWhatCompactionHasTakenAway() {
        try (StoreSnapshot snapshot = store.snapshot()) {
            snapshot.get(bytes("key-1"));
            Texts.fill(store, KEYS - 1, 2 * KEYS);
            store.compact(Long.MAX_VALUE);
            for (int i = 0; i < KEYS; i++) {
                assertThat(Texts.text(snapshot.get(bytes("key-" + i)))).isEqualTo(value(i));
            }
        }
        assertThat(List.of(Texts.get(store, "key-" + (KEYS - 1)))).containsExactly(value(KEYS - 1));
    }
}

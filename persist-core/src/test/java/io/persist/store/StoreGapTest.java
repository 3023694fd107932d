package io.persist.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.log.LogConfig;
import io.persist.support.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Where compaction has taken records away, nothing goes on as if they had never been. */
class StoreGapTest {

    private static final int MOST = Integer.MAX_VALUE;

    /** With it a segment is full, and so it stays. */
    private static final String LARGE = "x".repeat(3860);

    private final CrashableStorage storage = new CrashableStorage();
    private final CrashableStorage stale = new CrashableStorage();
    private final StoreConfig config = StoreConfig.builder(
                    LogConfig.builder(Path.of("store")).segmentLength(4096).build())
            .build();

    @Test
    void shouldRefuseACheckpointWhoseLogWasCompacted() {
        try (StoreLogger store = open(stale)) {
            put(store, "gone later", "");
            put(store, "large", LARGE);
            store.checkpoint();
        }
        try (StoreLogger store = open(storage)) {
            put(store, "large 2", LARGE); // so the log seems to go on behind the checkpoint
            Transaction transaction = store.begin();
            transaction.remove("gone later".getBytes(UTF_8));
            transaction.commit();
            overwrite(store);
            store.compact(MOST);
            assertThat(store.statistics().compaction().vacatedSegments()).isPositive();
        }
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> open(stale))
                .withMessageContaining("no checkpoint of the store can be used");
        try (StoreLogger store = open(storage)) {
            assertThat(store.get("gone later".getBytes(UTF_8))).isNull();
        }
    }

    @Test
    void shouldNotShowALogWithoutItsBeginningAsAllChanges() throws IOException {
        try (StoreLogger store = open(storage)) {
            long first = put(store, "key", "value");
            overwrite(store);
            store.compact(MOST);
            assertThat(storage.list()).doesNotContain("00000000000000000000.log");
            assertRetired(store, 0);
            assertRetired(store, first);
        }
    }

    @Test
    void shouldRefuseToGoOnInAVacatedSegment() {
        try (StoreLogger store = open(storage)) {
            put(store, "large", LARGE);
            long inside = overwrite(store);
            overwrite(store);
            store.compact(MOST);
            assertRetired(store, 0);
            assertRetired(store, inside);
            long end = store.position();
            put(store, "key", "value");
            try (ChangeReader changes = store.changes(end)) {
                assertThat(changes.next()).isTrue();
                assertThat(changes.next()).isFalse();
            }
        }
    }

    private static void assertRetired(StoreLogger store, long position) {
        assertThatExceptionOfType(RetiredException.class)
                .isThrownBy(() -> store.changes(position))
                .withMessageContaining("position=" + position + ",");
    }

    /** Fills some segments with values of which few are left; returns a position in the middle of one. */
    private static long overwrite(StoreLogger store) {
        long inside = 0;
        for (int i = 0; i < 200; i++) {
            long end = put(store, "key " + i % 5, "a value that takes some space " + i);
            inside = i == 30 ? end : inside;
        }
        return inside;
    }

    private static long put(StoreLogger store, String key, String value) {
        Transaction transaction = store.begin();
        transaction.put(key.getBytes(UTF_8), value.getBytes(UTF_8));
        return transaction.commit();
    }

    private StoreLogger open(CrashableStorage checkpoints) {
        return StoreLogger.open(config, storage, checkpoints);
    }
}

package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.read.ChangeReader;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** A commit without changes writes nothing, and waits for what was committed before. */
@ParameterizedClass
@CsvSource({"MAPPED, false, OMIT", "FILE, false, RECORD", "FILE, true, OMIT", "MAPPED, true, RECORD"})
class EmptyCommitTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final byte[] KEY = Texts.bytes("key");
    private static final byte[] VALUE = Texts.bytes("value");

    @Parameter(0)
    WriteMode mode;

    @Parameter(1)
    boolean isDetached;

    @Parameter(2)
    OldValues oldValues;

    private final CrashableStorage storage = new CrashableStorage();
    private StoreLogger store;

    private StoreLogger open() {
        LogConfig log = LogConfig.builder(Path.of("memory"))
                .segmentLength(1 << 20)
                .writeMode(mode)
                .durability(Durability.BUFFERED)
                .build();
        StoreConfig config =
                StoreConfig.builder(log).maxSpaceRatio(0).oldValues(oldValues).build();
        store = isDetached
                ? StoreLogger.open(config, DetachedConfig.builder().build(), storage, storage)
                : StoreLogger.open(config, storage, storage);
        return store;
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void shouldWriteNothing() {
        open();
        long end = store.position();
        for (Durability level : Durability.values()) {
            assertThat(store.begin().commit(level)).isEqualTo(end);
            assertThat(store.begin().commit(level, LONG)).isEqualTo(end);
            end = store.put(KEY, VALUE);
            Transaction transaction = store.begin();
            assertThat(transaction.commit(level)).isEqualTo(end);
            assertThat(transaction.isOpen()).isFalse();
            try (OptimisticTransaction reading = store.beginOptimistic()) {
                assertThat(reading.getBytes(KEY)).isEqualTo(VALUE);
                assertThat(reading.tryCommit(level)).isTrue();
            }
            assertThat(store.position()).isEqualTo(end);
        }
        store.sync();
        assertThat(store.logStatistics().records()).isEqualTo(Durability.values().length);
        try (ChangeReader changes = store.changes(0)) {
            for (Durability level : Durability.values()) {
                assertThat(changes.next()).as("%s", level).isTrue();
            }
            assertThat(changes.next()).isFalse();
        }
    }

    @Test
    void shouldWaitForWhatWasCommittedBefore() {
        open();
        long first = store.put(KEY, VALUE, Durability.BUFFERED);
        store.begin().commit(Durability.FLUSHED);
        assertThat(store.flushedPosition()).isGreaterThanOrEqualTo(first);
        long second = store.put(KEY, VALUE, Durability.BUFFERED);
        assertThat(store.begin().commit(Durability.SYNCED)).isEqualTo(second);
        assertThat(store.syncedPosition()).isGreaterThanOrEqualTo(second);
        long third = store.put(KEY, VALUE, Durability.BUFFERED);
        assertThat(store.begin().commit(Durability.SYNCED, LONG)).isEqualTo(third);
        assertThat(store.syncedPosition()).isGreaterThanOrEqualTo(third);
    }

    @Test
    void shouldRefuseReadsThatDoNotBelongTogether() {
        open();
        store.put(KEY, VALUE);
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            transaction.get(KEY);
            long end = store.put(KEY, VALUE);
            assertThat(transaction.tryCommit()).isFalse();
            assertThat(store.position()).isEqualTo(end);
        }
    }
}

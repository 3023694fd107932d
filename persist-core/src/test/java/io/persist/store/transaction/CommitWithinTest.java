package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.StoreLogger;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.support.Await;
import io.persist.support.HeldSyncs;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Transactions that say by when they have to be on the device, and do not wait for that. */
@ParameterizedClass
@CsvSource({"MAPPED, false", "FILE, false", "MAPPED, true", "FILE, true"})
class CommitWithinTest {

    private static final byte[] KEY = Texts.bytes("key");
    private static final byte[] VALUE = Texts.bytes("value");
    private static final Duration LATE = Duration.ofHours(1);

    /** More than are made part of a store in one step. */
    private static final int MANY = 3000;

    @Parameter(0)
    WriteMode mode;

    @Parameter(1)
    boolean isDetached;

    private final CrashableStorage storage = new CrashableStorage();
    private final HeldSyncs syncs = new HeldSyncs();
    private StoreLogger store;

    @BeforeEach
    void open() {
        LogConfig log = LogConfig.builder(Path.of("memory"))
                .segmentLength(1 << 20)
                .writeMode(mode)
                .build();
        StoreConfig config = StoreConfig.builder(log).build();
        store = isDetached
                ? StoreLogger.open(config, DetachedConfig.builder().build(), storage, storage)
                : StoreLogger.open(config, storage, storage);
        storage.hook(syncs);
    }

    @AfterEach
    void close() {
        syncs.releaseAll();
        store.close();
    }

    private Transaction changed(int keys) {
        Transaction transaction = store.begin();
        for (int i = 0; i < keys; i++) {
            transaction.put(Texts.bytes("key " + i), VALUE);
        }
        return transaction;
    }

    private void awaitSynced(long end) {
        Await.until("it is synced", () -> store.syncedPosition() >= end);
    }

    @Test
    void shouldNotWaitForADeviceThatHangs() {
        syncs.hold();
        Transaction transaction = changed(1);
        long end = transaction.commitWithin(Duration.ZERO);
        syncs.awaitHeld();
        assertThat(end).isEqualTo(store.position()).isGreaterThan(store.syncedPosition());
        assertThat(transaction.isOpen()).isFalse();
        syncs.releaseAll();
        awaitSynced(end);
        assertThat(store.size()).isOne();
    }

    @Test
    void shouldSyncManyAtOnce() {
        for (int i = 0; i < 100; i++) {
            long end = changed(1).commitWithin(LATE);
            assertThat(store.syncedPosition()).isLessThan(end);
        }
        store.flush(); // else the writer thread may be late, and there are two
        awaitSynced(store.begin().commitWithin(Duration.ofMillis(1)));
        assertThat(syncs.count()).isOne();
    }

    @Test
    void shouldSyncALargeTransaction() {
        long end = changed(MANY).commitWithin(Duration.ofMillis(1));
        awaitSynced(end);
        assertThat(store.size()).isEqualTo(MANY);
    }

    @Test
    void shouldSyncWhatWasCommittedBefore() {
        long end = store.put(KEY, VALUE, Durability.BUFFERED);
        assertThat(store.begin().commitWithin(Duration.ZERO)).isEqualTo(end);
        awaitSynced(end);
    }

    @Test
    void shouldSyncWhatHasReadNothingThatHasChanged() {
        OptimisticTransaction transaction = store.beginOptimistic();
        assertThat(transaction.contains(KEY)).isFalse();
        transaction.put(KEY, VALUE);
        assertThat(transaction.tryCommitWithin(Duration.ZERO)).isTrue();
        assertThat(transaction.isOpen()).isFalse();
        awaitSynced(store.position());
        assertThat(store.getBytes(KEY)).isEqualTo(VALUE);
    }

    @Test
    void shouldRefuseWhatHasReadSomethingThatHasChanged() {
        OptimisticTransaction transaction = store.beginOptimistic();
        assertThat(transaction.contains(KEY)).isFalse();
        transaction.put(KEY, VALUE);
        store.put(KEY, KEY, Durability.BUFFERED);
        assertThat(transaction.tryCommitWithin(LATE)).isFalse();
        assertThat(transaction.isOpen()).isFalse();
        assertThat(store.getBytes(KEY)).isEqualTo(KEY);
    }

    @Test
    void shouldRefuseANegativeTime() {
        Duration negative = Duration.ofNanos(-1);
        Transaction transaction = changed(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> transaction.commitWithin(negative))
                .withMessageContaining("maxDelay");
        assertThat(transaction.isOpen()).isTrue();
        transaction.commit();
        OptimisticTransaction optimistic = store.beginOptimistic();
        assertThatIllegalArgumentException().isThrownBy(() -> optimistic.tryCommitWithin(negative));
        assertThat(optimistic.tryCommit()).isTrue();
    }

    @Test
    void shouldRefuseWhenTheStoreIsClosed() {
        Transaction transaction = changed(1);
        store.close();
        assertThatIllegalStateException().isThrownBy(() -> transaction.commitWithin(LATE));
    }
}

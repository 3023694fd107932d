package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.persist.StoreLogger;
import io.persist.error.CommitTimeoutException;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.support.HeldSyncs;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Transactions whose commits wait for so long at most, on a device that hangs. */
class BoundedStoreCommitTest {

    private static final Duration SHORT = Duration.ofMillis(5);

    private final CrashableStorage storage = new CrashableStorage();
    private final HeldSyncs syncs = new HeldSyncs();

    private StoreLogger open(WriteMode mode, boolean isDetached) {
        LogConfig log = LogConfig.builder(Path.of("memory"))
                .segmentLength(1 << 20)
                .writeMode(mode)
                .build();
        StoreConfig config = StoreConfig.builder(log).build();
        return isDetached
                ? StoreLogger.open(config, DetachedConfig.builder().build(), storage, storage)
                : StoreLogger.open(config, storage, storage);
    }

    @ParameterizedTest
    @CsvSource({"MAPPED, false", "FILE, false", "MAPPED, true", "FILE, true"})
    void shouldTakeARangeOutOfTheIndexAlthoughTheDeviceHangs(WriteMode mode, boolean isDetached)
            throws InterruptedException {
        try (StoreLogger store = open(mode, isDetached)) {
            for (int i = 0; i < 100; i++) {
                store.put(new byte[] {1, (byte) i}, new byte[] {1}, Durability.BUFFERED);
            }
            store.sync();
            storage.hook(syncs);
            if (isDetached) {
                syncs.holdWrites();
            } else {
                syncs.hold();
            }
            Transaction transaction = store.begin();
            transaction.removeRange(KeyRange.all());
            assertThatExceptionOfType(CommitTimeoutException.class)
                    .isThrownBy(() -> transaction.commit(Durability.SYNCED, SHORT));
            syncs.awaitHeld();
            assertThat(store.statistics().keys()).isZero();
            assertThat(store.statistics().liveBytes()).isZero();
            syncs.releaseAll();
        }
    }

    @ParameterizedTest
    @CsvSource({"MAPPED, false", "FILE, false", "MAPPED, true", "FILE, true"})
    void shouldThrowWhenTheDeviceHangs(WriteMode mode, boolean isDetached) throws InterruptedException {
        try (StoreLogger store = open(mode, isDetached)) {
            store.put(new byte[] {1}, new byte[] {1}, Durability.SYNCED);
            storage.hook(syncs);
            if (isDetached) {
                syncs.holdWrites(); // the writer thread syncs by its writes
            } else {
                syncs.hold();
            }
            Transaction transaction = store.begin();
            transaction.put(new byte[] {2}, new byte[] {22});
            CommitTimeoutException late = catchThrowableOfType(
                    CommitTimeoutException.class, () -> transaction.commit(Durability.SYNCED, SHORT));
            syncs.awaitHeld();
            assertThat(late.position()).isEqualTo(store.position());
            assertThat(transaction.isOpen()).isFalse();
            assertThat(store.contains(new byte[] {2})).as("it was made").isTrue();
            OptimisticTransaction optimistic = store.beginOptimistic();
            optimistic.put(new byte[] {3}, new byte[] {33});
            assertThatExceptionOfType(CommitTimeoutException.class)
                    .isThrownBy(() -> optimistic.tryCommit(Durability.SYNCED, SHORT));
            assertThat(optimistic.isOpen()).isFalse();
            syncs.releaseAll();
            assertThat(store.await(store.position(), Durability.SYNCED, Duration.ofMinutes(1)))
                    .isTrue();
            assertThat(store.getBytes(new byte[] {3})).containsExactly(33);
            Transaction quick = store.begin();
            quick.put(new byte[] {4}, new byte[] {44});
            long end = quick.commit(Durability.SYNCED, Duration.ofMinutes(1));
            assertThat(store.syncedPosition()).isGreaterThanOrEqualTo(end);
        }
        assertThat(storage.openHandles()).isZero();
    }

    /** The thread's next transaction is another one, although it is the same object within. */
    @Test
    void shouldStayEndedWhenTheThreadBeginsAnotherTransaction() {
        try (StoreLogger store = open(WriteMode.MAPPED, false)) {
            storage.hook(syncs);
            syncs.hold();
            OptimisticTransaction ended = store.beginOptimistic();
            ended.put(new byte[] {1}, new byte[] {11});
            assertThatExceptionOfType(CommitTimeoutException.class)
                    .isThrownBy(() -> ended.tryCommit(Durability.SYNCED, SHORT));
            syncs.releaseAll();
            Transaction next = store.begin();
            next.put(new byte[] {2}, new byte[] {22});
            assertThat(ended.isOpen()).isFalse();
            assertThatIllegalStateException()
                    .isThrownBy(() -> ended.put(new byte[] {3}, new byte[] {33}))
                    .withMessageContaining("has ended");
            assertThatIllegalStateException().isThrownBy(ended::tryCommit);
            ended.close();
            assertThat(next.isOpen()).isTrue();
            assertThat(next.changes()).isOne();
            next.commit(Durability.BUFFERED);
            assertThat(store.getBytes(new byte[] {2})).containsExactly(22);
            assertThat(store.contains(new byte[] {3})).isFalse();
        }
    }
}

package io.persist.store.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.error.LogIOException;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.Transaction;
import io.persist.support.Await;
import io.persist.support.HeldSyncs;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A commit that waits for the device holds nobody up: other threads read, scan and commit meanwhile, and share the next
 * sync.
 */
@ParameterizedClass
@EnumSource
class SyncedCommitTest {

    private static final byte[] KEY = Texts.bytes("key/0");
    private static final byte[] VALUE = Texts.bytes("value");
    private static final int LARGE = StoreCommits.MOST_AT_ONCE + 1;

    @Parameter
    WriteMode mode;

    private final CrashableStorage storage = new CrashableStorage();
    private final HeldSyncs syncs = new HeldSyncs();
    private StoreEngine store;
    private Log log;

    private StoreConfig config(Path directory) {
        LogConfig config = LogConfig.builder(directory)
                .segmentLength(1 << 20)
                .writeMode(mode)
                .build();
        return StoreConfig.builder(config).maxSpaceRatio(0).build();
    }

    @BeforeEach
    void open() {
        store = new StoreOpener(config(Path.of("memory")), null).open(storage, storage);
        log = store.core().log();
        commit(1);
        storage.hook(syncs);
    }

    @AfterEach
    void close() {
        syncs.releaseAll();
        store.close();
    }

    private void commit(int changes) {
        try (Transaction transaction = store.thread().begin()) {
            for (int i = 0; i < changes; i++) {
                transaction.put(Texts.bytes("key/" + i), VALUE);
            }
            transaction.commit(Durability.SYNCED);
        }
    }

    private CompletableFuture<Void> start(int changes) {
        return CompletableFuture.runAsync(
                () -> commit(changes), work -> new Thread(work, "commits " + changes).start());
    }

    /** Begins a commit, and returns when the device has it. A write that is its own sync would not be held. */
    private CompletableFuture<Void> startHeld(int changes) {
        syncs.hold();
        CompletableFuture<Void> commit = start(changes);
        Await.until("the device is busy", () -> syncs.count() == 1 || commit.isDone());
        assertThat(commit).as("a commit that waits for a sync").isNotDone();
        return commit;
    }

    private void shouldHoldNobodyUpWith(int changes) {
        CompletableFuture<Void> commit = startHeld(changes);
        assertThat(store.single().getBytes(KEY)).isEqualTo(VALUE);
        assertThat(store.core().ask(() -> store.core().appliedEnd() == log.position()))
                .isTrue();
        try (StoreScan scan = store.snapshots().scan(KeyRange.all(), Direction.FORWARD)) {
            assertThat(scan.next()).isTrue();
        }
        try (StoreSnapshot snapshot = store.snapshots().open()) {
            assertThat(snapshot.size()).isEqualTo(changes);
            assertThat(snapshot.getBytes(KEY)).isEqualTo(VALUE);
        }
        store.single().put(Texts.bytes("other"), VALUE, Durability.FLUSHED);
        assertThat(log.flushedPosition()).isEqualTo(log.position());
        assertThat(commit).as("the commit while all of that was done").isNotDone();
        syncs.releaseAll();
        commit.join();
    }

    @Test
    void shouldHoldNobodyUp() {
        shouldHoldNobodyUpWith(1);
    }

    @Test
    void shouldHoldNobodyUpIfItIsLarge() {
        shouldHoldNobodyUpWith(LARGE);
    }

    @Test
    void shouldShareTheNextSync() {
        CompletableFuture<Void> first = startHeld(1);
        CompletableFuture<Void> second = start(1);
        CompletableFuture<Void> third = start(1);
        Await.until("both wait for it", () -> log.positions().waiters().count() == 2);
        syncs.releaseAll();
        CompletableFuture.allOf(first, second, third).join();
        assertThat(syncs.count()).as("syncs").isEqualTo(2);
        assertThat(log.statistics().syncedCommits()).isEqualTo(4);
        assertThat(log.syncedPosition()).isEqualTo(log.position());
    }

    /** Also where all is synced: it must not say that all is safe in a log that others do not find. */
    @Test
    void shouldLookForTheLog(@TempDir Path directory) throws IOException {
        StoreLogger other = StoreLogger.open(config(directory));
        other.put(KEY, VALUE, Durability.SYNCED);
        assertThat(other.begin().commit(Durability.SYNCED)).isEqualTo(other.syncedPosition());
        Files.delete(directory.resolve(LogFileName.LOCK));
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> other.begin().commit(Durability.SYNCED));
        assertThatExceptionOfType(LogIOException.class).isThrownBy(other::close);
    }
}

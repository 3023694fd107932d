package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.error.LogIOException;
import io.persist.index.KeyIndex;
import io.persist.index.node.NodeSource;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** The delay of {@code commitWithin} begins when other threads see the changes, which the index may get much later. */
@ParameterizedClass
@CsvSource({"MAPPED, false", "FILE, false", "MAPPED, true", "FILE, true"})
class DelayBeginsTest {

    private static final Duration SOON = Duration.ofMillis(1);

    /** More than are made part of a store in one step. */
    private static final int MANY = 3000;

    @Parameter(0)
    WriteMode mode;

    @Parameter(1)
    boolean isDetached;

    private final CrashableStorage storage = new CrashableStorage();
    private StoreEngine store;

    /** How many commits were seen whose sync came although the thread that commits got no further. */
    private final AtomicInteger synced = new AtomicInteger();

    /** Its index has to be read from the checkpoint. */
    @BeforeEach
    void openWithKeys() {
        open();
        Transaction transaction = store.thread().begin();
        putMany(transaction);
        transaction.commit();
        store.upkeep().checkpoint();
        store.close();
        open();
    }

    private void open() {
        LogConfig log = LogConfig.builder(Path.of("memory"))
                .segmentLength(4 << 20)
                .writeMode(mode)
                .build();
        StoreConfig config = StoreConfig.builder(log).checkpointPercent(0).build();
        DetachedConfig detached = isDetached ? DetachedConfig.builder().build() : null;
        store = new StoreOpener(config, detached).open(storage, storage);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static void putMany(Transaction transaction) {
        for (int i = 0; i < MANY; i++) {
            transaction.put(Texts.bytes("key " + i), Texts.bytes("value"));
        }
    }

    private void awaitSynced(long end) {
        Await.until("it is synced", () -> store.core().writer().syncedPosition() >= end);
    }

    /** The thread that commits gets no further than where it has the lock before the sync is done. */
    private Transaction beginHeld() {
        store.core().listen(end -> {
            awaitSynced(end);
            synced.incrementAndGet();
        });
        return store.thread().begin();
    }

    @Test
    void shouldSyncASmallTransaction() {
        Transaction transaction = beginHeld();
        transaction.put(Texts.bytes("key"), Texts.bytes("value"));
        transaction.commitWithin(SOON);
        assertThat(synced).hasValue(1);
    }

    @Test
    void shouldSyncALargeTransactionBeforeTheIndexHasIt() {
        Transaction transaction = beginHeld();
        putMany(transaction);
        transaction.commitWithin(SOON);
        assertThat(synced).hasValue(1);
    }

    @Test
    void shouldSyncARemovedRangeBeforeTheIndexHasDoneWithIt() {
        Transaction transaction = beginHeld();
        transaction.removeRange(KeyRange.all());
        transaction.commitWithin(SOON);
        assertThat(synced).hasValue(1);
        assertThat(store.lookups().size()).isZero();
    }

    @Test
    void shouldSyncARemovedRangeAlsoIfTheIndexCannotBeRead() {
        LogIOException unread = new LogIOException("cannot read a node", null);
        store.core().lockedAnyway(() -> {
            KeyIndex index = store.core().state().index();
            index.source(new Unreadable(index.source(), unread));
        });
        Transaction transaction = store.thread().begin();
        transaction.removeRange(KeyRange.all());
        assertThatThrownBy(() -> transaction.commitWithin(SOON)).isSameAs(unread);
        assertThat(transaction.isOpen()).isFalse();
        awaitSynced(store.lookups().end());
        assertThat(store.core().ask(store.core().state()::isSettled)).isFalse();
    }

    private record Unreadable(NodeSource source, LogIOException thrown) implements NodeSource {

        @Override
        public boolean has(int id) {
            return source.has(id);
        }

        @Override
        public void read(int id, ByteBuffer target, int at) {
            throw thrown;
        }

        @Override
        public RuntimeException damaged(int id, String what) {
            return source.damaged(id, what);
        }

        @Override
        public void close() {
            source.close();
        }
    }
}

package io.persist.store.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.index.ClosesAtSecondTry;
import io.persist.index.KeyIndex;
import io.persist.index.node.NodeSource;
import io.persist.log.Durability;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.testkit.CrashableStorage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An error cuts the close of a snapshot short: until it is closed once more it counts as open. */
class SnapshotCloseTest {

    private final CrashableStorage storage = new CrashableStorage();
    private final StoreEngine store = new StoreOpener(Texts.config(), null).open(storage, storage);
    private final KeyIndex index = store.core().state().index();
    private final ClosesAtSecondTry former = new ClosesAtSecondTry();

    @BeforeEach
    void put() {
        store.single().put(new byte[] {1}, new byte[] {11}, Durability.BUFFERED);
        readFrom(former);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void readFrom(NodeSource source) {
        store.core().lock();
        try {
            index.source(source);
        } finally {
            store.core().unlock();
        }
    }

    private int open() {
        store.core().lock();
        try {
            assertThat(index.openSnapshots()).as("the index is done with it").isZero();
            return store.snapshots().count();
        } finally {
            store.core().unlock();
        }
    }

    @Test
    void shouldCloseASnapshotThatHadNotLetGo() {
        StoreSnapshot snapshot = store.snapshots().open();
        readFrom(NodeSource.NONE);
        assertThatThrownBy(snapshot::close).isInstanceOf(StackOverflowError.class);
        assertThatIllegalStateException().isThrownBy(() -> snapshot.get(new byte[] {1}));
        assertThat(former.isClosed()).isFalse();
        assertThat(open()).isOne();
        for (int i = 0; i < 2; i++) {
            snapshot.close();
            assertThat(former.isClosed()).isTrue();
            assertThat(open()).isZero();
        }
    }

    @Test
    void shouldCloseAScanThatHadNotLetGo() {
        StoreScan scan = store.snapshots().scan(KeyRange.all(), Direction.FORWARD);
        assertThat(scan.next()).isTrue();
        assertThat(scan.valueBytes()).containsExactly(11);
        readFrom(NodeSource.NONE);
        assertThatThrownBy(scan::close).isInstanceOf(StackOverflowError.class);
        assertThatIllegalStateException().isThrownBy(scan::next);
        assertThat(former.isClosed()).isFalse();
        assertThat(open()).isOne();
        for (int i = 0; i < 2; i++) {
            scan.close();
            assertThat(former.isClosed()).isTrue();
            assertThat(open()).isZero();
        }
    }
}

package io.persist.store.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.index.KeyIndex;
import io.persist.index.read.UnreachableNode;
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

    @BeforeEach
    void put() {
        store.single().put(new byte[] {1}, new byte[] {11}, Durability.BUFFERED);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private UnreachableNode putUnreachableNode() {
        store.core().lock();
        try {
            return new UnreachableNode(index);
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
        UnreachableNode node = putUnreachableNode();
        assertThatThrownBy(snapshot::close).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatIllegalStateException().isThrownBy(() -> snapshot.get(new byte[] {1}));
        assertThat(open()).isOne();
        node.takeAway();
        for (int i = 0; i < 2; i++) {
            snapshot.close();
            assertThat(open()).isZero();
        }
    }

    @Test
    void shouldCloseAScanThatHadNotLetGo() {
        StoreScan scan = store.snapshots().scan(KeyRange.all(), Direction.FORWARD);
        assertThat(scan.next()).isTrue();
        assertThat(scan.valueBytes()).containsExactly(11);
        UnreachableNode node = putUnreachableNode();
        assertThatThrownBy(scan::close).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatIllegalStateException().isThrownBy(scan::next);
        assertThat(open()).isOne();
        node.takeAway();
        for (int i = 0; i < 2; i++) {
            scan.close();
            assertThat(open()).isZero();
        }
    }

    /** The program may keep the store's object. */
    @Test
    void shouldGiveTheMemoryBackBehindTheEndOfTheStore() {
        StoreSnapshot snapshot = store.snapshots().open();
        StoreScan scan = store.snapshots().scan(KeyRange.all(), Direction.FORWARD);
        store.close();
        snapshot.close();
        assertThat(index.memoryBytes()).as("what is under way reads on").isPositive();
        scan.close();
        assertThat(index.memoryBytes()).isZero();
    }
}

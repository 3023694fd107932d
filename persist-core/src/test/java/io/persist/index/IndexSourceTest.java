package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.Location;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An index reads from its newest source only, also for older snapshots, and leaves the one before to be closed. */
class IndexSourceTest {

    private static final int KEYS = 6_000;

    private final KeyBuffer key = new KeyBuffer();
    private final Location location = new Location();
    private final Images first = new Images();
    private KeyIndex index = new KeyIndex();

    private KeyBuffer key(int n) {
        byte[] bytes = KeyShape.RANDOM_8.key(n);
        return key.set(bytes, 0, bytes.length);
    }

    /** None of its nodes is in memory. */
    @BeforeEach
    void restore() {
        for (int i = 0; i < KEYS; i++) {
            index.put(key(i), i, 1, location);
        }
        try (IndexImage image = index.image(IndexImage.Scope.ALL)) {
            first.take(image);
        }
        index = first.restore();
    }

    private void assertHasAll(IndexSnapshot snapshot) {
        for (int i = 0; i < KEYS; i++) {
            assertThat(snapshot.get(key(i), location)).isTrue();
            assertThat(location.position()).isEqualTo(i);
        }
    }

    /** What has changed since is in memory as it was; the rest is in each source as it is. */
    @Test
    void shouldReadAnOldSnapshotFromTheNewestSource() {
        IndexSnapshot snapshot = index.snapshot();
        Images newest = first;
        for (int round = 0; round < 5; round++) {
            for (int i = round; i < KEYS; i += 500) {
                index.put(key(i), -1, 1, location);
            }
            Images next = new Images(newest);
            try (IndexImage image = index.image(IndexImage.Scope.CHANGED)) {
                next.take(image);
            }
            assertThat(index.source(next)).isSameAs(newest);
            newest.close();
            newest = next;
        }
        assertHasAll(snapshot);
        assertThat(newest.reads).isPositive();
        snapshot.close();
        assertThat(newest.closed).isFalse();
        index.close();
        assertThat(newest.closed).isTrue();
    }

    /** Its reader has come as far as to the source when that is replaced and closed. */
    @Test
    void shouldReadFromTheNewestSourceWhatWasAskedOfAClosedOne() {
        Images next = new Images(first);
        IndexSnapshot snapshot = index.snapshot();
        first.beforeRead = () -> index.source(next).close();
        assertHasAll(snapshot);
        assertThat(first.closed).isTrue();
        assertThat(first.reads).isZero();
        assertThat(next.reads).isPositive();
    }

    /** Another thread closes it, against the rules; what it has read by then is not the index's fault. */
    @Test
    void shouldNotTakeItForDamageIfASnapshotIsClosedInTheMiddle() {
        IndexSnapshot snapshot = index.snapshot();
        byte[] root = first.nodes.get(first.state.root());
        first.beforeRead = () -> {
            snapshot.close();
            first.nodes.replaceAll((id, bytes) -> root);
        };
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> snapshot.get(key(0), location))
                .withMessage("snapshot is closed");
        try (IndexImage image = index.image(IndexImage.Scope.ALL)) {
            image.checkTree();
        }
    }

    @Test
    void shouldSayThatTheNewestSourceCannotBeRead() {
        IndexSnapshot snapshot = index.snapshot();
        first.readsToFailure = 0;
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> snapshot.get(key(0), location))
                .withMessageContaining("cannot read a node");
        assertHasAll(snapshot);
    }
}

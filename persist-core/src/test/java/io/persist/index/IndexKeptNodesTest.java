package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.index.node.KeyBuffer;
import io.persist.index.node.Node;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.Location;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A leaf that is kept stays in memory, and so does what gets keys of it: also once an image has that as it is, so that
 * it might be read again.
 */
class IndexKeptNodesTest {

    private static final int KEY_LENGTH = 500;

    /** So many keys have more leaves than there is memory for. */
    private static final int KEYS = 400;

    /** A leaf that was used stays for a while, so others are read several times. */
    private static final int ROUNDS = 3;

    private static final long MEMORY = 24L * Node.LENGTH;

    /** With so many a leaf is full, as all are whose keys came in order. */
    private static final int PER_LEAF = 7;

    /** The keys of a leaf in the middle. */
    private static final int FIRST = 28 * PER_LEAF;

    private static final int LAST = FIRST + PER_LEAF - 1;

    private final KeyBuffer key = new KeyBuffer();
    private final Location location = new Location();
    private Images images = new Images();
    private KeyIndex index = new KeyIndex();

    /** In the order of their numbers, and with little in common; a part puts it behind the one of the number. */
    private KeyBuffer key(int number, int part) {
        byte[] bytes = new byte[KEY_LENGTH];
        new Random(number).nextBytes(bytes);
        ByteBuffer.wrap(bytes).putInt(number).put((byte) part);
        return key.set(bytes, 0, bytes.length);
    }

    private KeyBuffer key(int number) {
        return key(number, 0);
    }

    @BeforeEach
    void keep() {
        for (int i = 0; i < KEYS; i++) {
            index.put(key(i), i, 1, location);
        }
        try (IndexImage image = index.image(IndexImage.Scope.ALL)) {
            images.take(image);
        }
        index.close();
        index = new Images(images).restore(MEMORY);
        index.load(key(FIRST));
        index.budget().expected().keepNodes();
        long read = index.budget().nodesRead();
        index.get(key(LAST), location);
        assertThat(index.budget().nodesRead()).as("one leaf").isEqualTo(read);
    }

    @AfterEach
    void close() {
        index.close();
    }

    /** Leaves two keys of a leaf. */
    private void removeFrom(int first) {
        for (int i = first; i < first + PER_LEAF - 2; i++) {
            index.remove(key(i), location);
        }
    }

    /** Makes all nodes such that can be read again, and reads more of others than there is memory for. */
    private void evictOthers() {
        index.put(key(0), KEYS, 1, location); // or the way to the last change would stay anyway
        images = new Images(images);
        try (IndexImage image = index.image(IndexImage.Scope.CHANGED)) {
            images.take(image);
        }
        index.source(new Images(images)).close();
        for (int i = 0; i < ROUNDS * KEYS; i++) {
            int number = i % KEYS;
            if (number < FIRST - PER_LEAF || number > LAST + PER_LEAF) {
                index.get(key(number), location);
            }
        }
    }

    /** Whether a node has to be read for one of the keys that the leaf had. */
    private boolean isGone() {
        evictOthers();
        long read = index.budget().nodesRead();
        for (int i = FIRST; i <= LAST; i++) {
            index.get(key(i), location);
        }
        return index.budget().nodesRead() > read;
    }

    @Test
    void shouldStayUntilItIsReleased() {
        assertThat(isGone()).isFalse();
        index.unpin();
        assertThat(isGone()).isFalse();
        index.budget().expected().releaseNodes();
        assertThat(isGone()).isTrue();
    }

    @Test
    void shouldStayAsACopy() {
        IndexSnapshot snapshot = index.snapshot();
        index.put(key(FIRST), KEYS, 1, location);
        snapshot.close();
        assertThat(isGone()).isFalse();
    }

    @Test
    void shouldStayInBothHalvesOfASplit() {
        long nodes = index.budget().use().all();
        index.put(key(FIRST + 3, 1), KEYS, 1, location);
        assertThat(index.budget().use().all()).as("split").isEqualTo(nodes + 1);
        assertThat(isGone()).isFalse();
    }

    @Test
    void shouldStayInTheLeafBeforeThatGetsSomeOfItsKeys() {
        removeFrom(FIRST - PER_LEAF);
        long nodes = index.budget().use().all();
        index.put(key(FIRST + 5, 1), KEYS, 1, location);
        assertThat(index.budget().use().all()).as("shared").isEqualTo(nodes);
        assertThat(isGone()).isFalse();
    }

    @Test
    void shouldStayInTheLeafThatItBecomesAPartOf() {
        removeFrom(FIRST - PER_LEAF);
        long nodes = index.budget().use().all();
        removeFrom(FIRST);
        assertThat(index.budget().use().all()).as("merged").isEqualTo(nodes - 1);
        assertThat(isGone()).isFalse();
    }

    @Test
    void shouldStayInTheLeafThatHasItsRangeOnceItIsGone() {
        long nodes = index.budget().use().all();
        for (int i = FIRST; i <= LAST; i++) {
            index.loadToRemove(key(i));
        }
        for (int i = FIRST; i <= LAST; i++) {
            index.remove(key(i), location);
        }
        index.unpin();
        assertThat(index.budget().use().all()).as("gone").isEqualTo(nodes - 1);
        assertThat(isGone()).isFalse();
    }
}

package io.persist.index.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a put into a full leaf costs, of a queue: entries come at one end and go at the other. */
class NodeInsertTest {

    /** So many fill a leaf. */
    private static final int LIVE = 200;

    private static final int PUTS = 2000;

    /** A rewrite copies a whole leaf, so it must be worth several puts. */
    private static final int PUTS_PER_REWRITE = 10;

    private final List<ByteBuffer> buffers = new ArrayList<>();
    private final NodeInsert insert = new NodeInsert(new NewNodes() {
        @Override
        public int take(int origin) {
            buffers.add(Node.newBuffer());
            return buffers.size() - 1;
        }

        @Override
        public Node wrap(Node node, int id) {
            return node.wrap(buffers.get(id), 0, id);
        }
    });

    /** The ids of the leaves, in the order of their keys. */
    private final Deque<Integer> leaves = new ArrayDeque<>();

    private final Node node = new Node();
    private final KeyBuffer key = new KeyBuffer();
    private int withoutRoom;

    NodeInsertTest() {
        buffers.add(Node.newBuffer());
        leaves.add(0);
        leaf(0).init(Node.LEAF, 1);
    }

    private Node leaf(int id) {
        return node.wrap(buffers.get(id), 0, id);
    }

    private KeyBuffer key(int number) {
        byte[] bytes = ByteBuffer.allocate(16).putInt(12, number).array();
        return key.set(bytes, 0, bytes.length);
    }

    private void put(int number, boolean isLast) {
        Node leaf = leaf(isLast ? leaves.getLast() : leaves.getFirst());
        int index = isLast ? leaf.count() : 0;
        if (NodeInsert.intoGap(leaf, index, key(number), number, 1)) {
            return;
        }
        withoutRoom++;
        int id = leaf.id();
        int right = insert.intoLeaf(leaf, index, key, number, 1, 1);
        if (right != Node.NONE) {
            if (isLast) {
                leaves.addLast(right);
            } else {
                leaves.removeFirst();
                leaves.addFirst(right);
                leaves.addFirst(id);
            }
        }
    }

    private void removeFirst() {
        Node leaf = leaf(leaves.getFirst());
        leaf.remove(0);
        if (leaf.count() == 0) {
            leaves.removeFirst();
        }
    }

    private void removeLast() {
        Node leaf = leaf(leaves.getLast());
        leaf.remove(leaf.count() - 1);
        if (leaf.count() == 0) {
            leaves.removeLast();
        }
    }

    private int entries() {
        return leaves.stream().mapToInt(id -> leaf(id).count()).sum();
    }

    @Test
    void shouldNotRewriteALeafForEachPutAtTheEndOfAQueue() {
        for (int i = 0; i < PUTS; i++) {
            put(i, true);
            if (i >= LIVE) {
                removeFirst();
            }
        }
        assertThat(entries()).isEqualTo(LIVE);
        assertThat(withoutRoom).isLessThan(PUTS / PUTS_PER_REWRITE);
        assertThat(leaves).as("leaves").hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void shouldNotRewriteALeafForEachPutAtTheBeginningOfAQueue() {
        for (int i = 0; i < PUTS; i++) {
            put(PUTS - i, false);
            if (i >= LIVE) {
                removeLast();
            }
        }
        assertThat(entries()).isEqualTo(LIVE);
        assertThat(withoutRoom).isLessThan(PUTS / PUTS_PER_REWRITE);
        assertThat(leaves).as("leaves").hasSizeLessThanOrEqualTo(2);
    }
}

package io.persist.index.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Nodes that are nonsense, as a reader finds them while another thread is writing to them. */
class NodeSearchTest {

    private static final int NODES = 2_000;
    private static final int KEYS = 20;

    private final Node node = new Node();
    private final KeyBuffer key = new KeyBuffer();

    /** The buffer has no byte more than a node needs: what goes beyond it throws. */
    @Test
    void shouldNeitherThrowNorLeaveTheNode() {
        Seeds.run(1, seed -> {
            Random random = new Random(seed);
            ByteBuffer memory = Node.newBuffer();
            byte[] bytes = new byte[memory.capacity()];
            for (int i = 0; i < NODES; i++) {
                random.nextBytes(bytes);
                bytes[2] = (byte) random.nextInt(2); // the level, which a reader has checked
                if (random.nextBoolean()) {
                    bytes[1] = 0; // fewer entries
                    bytes[29] = 0; // a shorter prefix
                }
                memory.put(0, bytes);
                node.wrap(memory, 0, 1);
                for (int k = 0; k < KEYS; k++) {
                    look(random);
                }
            }
        });
    }

    private void look(Random random) {
        byte[] wanted = new byte[1 + random.nextInt(random.nextBoolean() ? 20 : KeyBuffer.MAX_LENGTH)];
        random.nextBytes(wanted);
        int prefix = Math.min(node.prefixLength(), wanted.length);
        if (random.nextBoolean() && prefix < Node.LENGTH) {
            node.buffer().get(Math.max(0, Node.LENGTH - node.prefixLength()), wanted, 0, prefix); // a key of this node
        }
        if (random.nextBoolean() && wanted.length > prefix + Node.HEAD_LENGTH) {
            int slot = random.nextInt(Node.MOST_ENTRIES);
            ByteBuffer.wrap(wanted).putInt(prefix, (int) Node.headOf(node.slot(slot))); // one that is like it
        }
        key.set(wanted, 0, wanted.length);
        int index = NodeSearch.search(node, key);
        assertThat(index < 0 ? ~index : index).isBetween(0, Node.MOST_ENTRIES);
        if (index >= 0) {
            node.position(index);
            node.length(index);
        }
        node.child(NodeSearch.childIndex(node, key));
    }

    /** With few and with many heads that are alike, in a leaf and in an inner node. */
    @Test
    void shouldFindThePlaceOfEachKey() {
        Seeds.run(50, seed -> {
            Random random = new Random(seed);
            int letters = 1 + random.nextInt(random.nextBoolean() ? 3 : 256);
            int most = 1 + random.nextInt(400);
            node.wrap(Node.newBuffer(), 0, 1);
            node.init(random.nextInt(2), 1);
            List<byte[]> sorted = new ArrayList<>();
            for (int i = 0; i < most; i++) {
                byte[] wanted = word(random, letters);
                int place = placeOf(wanted, sorted);
                assertThat(NodeSearch.search(node, key)).isEqualTo(place);
                if (place < 0 && node.fits(key)) {
                    node.insert(~place, key);
                    sorted.add(~place, wanted);
                }
            }
            for (byte[] one : sorted) {
                key.set(one, 0, one.length);
                assertThat(NodeSearch.search(node, key)).isEqualTo(placeOf(one, sorted));
                assertThat(NodeSearch.childIndex(node, key)).isEqualTo(placeOf(one, sorted) + 1);
            }
        });
    }

    private byte[] word(Random random, int letters) {
        byte[] wanted = new byte[1 + random.nextInt(10)];
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = (byte) random.nextInt(letters);
        }
        key.set(wanted, 0, wanted.length);
        return wanted;
    }

    private static int placeOf(byte[] wanted, List<byte[]> sorted) {
        return Collections.binarySearch(sorted, wanted, Arrays::compareUnsigned);
    }

    /** All that lies in a node can be found all the same. */
    @Test
    void shouldFindWhatLiesAtTheVeryEnd() {
        node.wrap(Node.newBuffer(), 0, 1);
        for (int level = 0; level < 2; level++) {
            node.init(level, 1);
            key.set(new byte[] {1, 2, 3}, 0, 3);
            node.insert(0, key);
            assertThat(Node.offsetOf(node.slot(0))).isEqualTo(Node.LENGTH - node.valueLength());
            assertThat(NodeSearch.search(node, key)).isZero();
        }
        node.putChild(1, 0x1234_5678);
        assertThat(node.child(1)).isEqualTo(0x1234_5678);
    }
}

package io.persist.index.node;

import static org.assertj.core.api.Assertions.assertThat;

/** Looks at a node, whether all that has to hold of it alone does. */
public final class NodeChecker {

    private NodeChecker() {}

    /** Whether it is of its kind; no two entries overlap, and all bytes of the heap are accounted for. */
    public static void check(Node node, int level, String what) {
        assertThat(node.isLeaf()).as(what + " is a leaf").isEqualTo(level == 0);
        int heapEnd = Node.LENGTH - node.prefixLength();
        boolean[] used = new boolean[Node.LENGTH];
        int bytes = 0;
        for (int i = 0; i < node.count(); i++) {
            long slot = node.slot(i);
            int length = Node.entryBytes(node.valueLength(), Node.suffixLengthOf(slot), 0) - Node.SLOT_LENGTH;
            int offset = Node.offsetOf(slot);
            assertThat(offset).as(what).isBetween(node.heapStart(), heapEnd - length);
            for (int at = offset; at < offset + length; at++) {
                if (used[at]) { // a text for each byte would take longer than all else
                    throw new AssertionError(what + ": byte " + at + " is used twice");
                }
                used[at] = true;
            }
            bytes += length;
        }
        assertThat(bytes + node.freedBytes()).as(what + ": heap").isEqualTo(heapEnd - node.heapStart());
        assertThat(node.gap()).as(what + ": gap").isNotNegative();
    }

    /** The node's keys, which have to be in order and to be found. */
    public static KeyBuffer[] keys(Node node, String what) {
        KeyBuffer[] keys = new KeyBuffer[node.count()];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = new KeyBuffer();
            node.readKey(i, keys[i]);
            assertThat(keys[i].length()).as(what).isBetween(1, KeyBuffer.MAX_LENGTH);
            if (i > 0 && keys[i - 1].compareTo(keys[i]) >= 0) {
                throw new AssertionError(what + " is not in order at " + i);
            }
            assertThat(NodeSearch.search(node, keys[i])).isEqualTo(i);
        }
        return keys;
    }
}

package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;

/** Looks at every node of an index, whether all that has to hold does. */
final class TreeChecker {

    private final KeyIndex index;
    private final Set<Integer> nodes = new HashSet<>();
    private long keys;

    private TreeChecker(KeyIndex index) {
        this.index = index;
    }

    static void check(KeyIndex index) {
        TreeChecker checker = new TreeChecker(index);
        Tree tree = index.tree();
        checker.check(tree.root(), tree.height() - 1, null, null);
        assertThat(checker.keys).as("keys in leaves").isEqualTo(index.size());
        long allocated = index.memory().allocatedNodes();
        assertThat(checker.nodes.size()
                        + index.snapshots().replacedNodes()
                        + index.memory().freeNodes())
                .as("nodes in the tree, replaced ones and free ones")
                .isEqualTo(allocated);
        if (index.openSnapshots() == 0) {
            assertThat(index.usedBytes()).isEqualTo((long) checker.nodes.size() * Node.LENGTH);
            assertThat(index.snapshots().replacedNodes()).isZero();
        }
    }

    private void check(int id, int level, KeyBuffer from, KeyBuffer below) {
        String what = "node " + id + " at level " + level;
        assertThat(nodes.add(id)).as(what + " is in the tree once").isTrue();
        Node node = index.memory().wrap(new Node(), id);
        assertThat(node.isLeaf()).as(what + " is a leaf").isEqualTo(level == 0);
        assertThat(node.version()).as(what).isLessThanOrEqualTo(index.version());
        checkHeap(node, what);
        KeyBuffer[] ofNode = new KeyBuffer[node.count()];
        for (int i = 0; i < ofNode.length; i++) {
            ofNode[i] = new KeyBuffer();
            node.readKey(i, ofNode[i]);
            assertThat(ofNode[i].length()).as(what).isBetween(1, KeyBuffer.MAX_LENGTH);
            assertThat(i == 0 || ofNode[i - 1].compareTo(ofNode[i]) < 0)
                    .as(what + " is in order at " + i)
                    .isTrue();
            assertThat(from == null || from.compareTo(ofNode[i]) <= 0)
                    .as(what + ": lower bound of " + i)
                    .isTrue();
            assertThat(below == null || ofNode[i].compareTo(below) < 0)
                    .as(what + ": upper bound of " + i)
                    .isTrue();
            assertThat(NodeSearch.search(node, ofNode[i])).isEqualTo(i);
        }
        if (level == 0) {
            assertThat(ofNode.length > 0 || id == index.tree().root())
                    .as(what + " is not empty")
                    .isTrue();
            keys += ofNode.length;
            return;
        }
        for (int i = 0; i <= ofNode.length; i++) {
            check(node.child(i), level - 1, i == 0 ? from : ofNode[i - 1], i == ofNode.length ? below : ofNode[i]);
        }
    }

    /** No two entries overlap, and all bytes of the heap are accounted for. */
    private static void checkHeap(Node node, String what) {
        int heapEnd = Node.LENGTH - node.prefixLength();
        boolean[] used = new boolean[Node.LENGTH];
        int bytes = 0;
        for (int i = 0; i < node.count(); i++) {
            long slot = node.slot(i);
            int length = Node.entryBytes(node.valueLength(), Node.suffixLengthOf(slot), 0) - Node.SLOT_LENGTH;
            int offset = Node.offsetOf(slot);
            assertThat(offset).as(what).isBetween(node.heapStart(), heapEnd - length);
            for (int at = offset; at < offset + length; at++) {
                assertThat(used[at])
                        .as(what + ": byte " + at + " is used twice")
                        .isFalse();
                used[at] = true;
            }
            bytes += length;
        }
        assertThat(bytes + node.freedBytes()).as(what + ": heap").isEqualTo(heapEnd - node.heapStart());
        assertThat(node.gap()).as(what + ": gap").isNotNegative();
    }
}

package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.index.node.KeyBuffer;
import io.persist.index.node.Node;
import io.persist.index.node.NodeChecker;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

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
        long allocated = index.memory().frames().allocated();
        assertThat(checker.nodes.size()
                        + index.snapshots().replacedNodes()
                        + index.memory().freeNodes())
                .as("nodes in the tree, replaced ones and free ones")
                .isEqualTo(allocated + index.unloadedNodes());
        if (index.openSnapshots() == 0) {
            assertThat(index.usedBytes()).isEqualTo((checker.nodes.size() - index.unloadedNodes()) * Node.LENGTH);
            assertThat(index.snapshots().replacedNodes()).isZero();
        }
    }

    private void check(int id, int level, KeyBuffer from, KeyBuffer below) {
        String what = "node " + id + " at level " + level;
        assertThat(nodes.add(id)).as(what + " is in the tree once").isTrue();
        Node node = index.memory().wrap(new Node(), id, level);
        NodeChecker.check(node, level, what);
        assertThat(node.version()).as(what).isLessThanOrEqualTo(index.version());
        KeyBuffer[] ofNode = NodeChecker.keys(node, what);
        for (int i = 0; i < ofNode.length; i++) {
            if (from != null && from.compareTo(ofNode[i]) > 0 || below != null && ofNode[i].compareTo(below) >= 0) {
                throw new AssertionError(what + ": key " + i + " is out of bounds");
            }
        }
        if (level == 0) {
            assertThat(ofNode.length > 0 || id == index.tree().root())
                    .as(what + " is not empty")
                    .isTrue();
            keys += ofNode.length;
            return;
        }
        int[] children =
                IntStream.rangeClosed(0, ofNode.length).map(node::child).toArray();
        for (int i = 0; i <= ofNode.length; i++) { // which may read nodes into the memory of this one
            check(children[i], level - 1, i == 0 ? from : ofNode[i - 1], i == ofNode.length ? below : ofNode[i]);
        }
    }
}

package io.persist.store.checkpoint;

import io.persist.index.node.Node;
import io.persist.index.read.TreeState;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Whether the nodes of a checkpoint are one tree: each but the root is the child of one other, at the level above, and
 * the leaves have as many keys as the footer says. Each node is good for itself, as {@code NodeCheck} has found; so
 * this is about a file that somebody has made, or an index that was wrong in memory.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class TreeCheck {

    private static final byte UNKNOWN = -1;

    private final TreeState tree;
    private final Node window = new Node();

    /** Of each node the level that it has, and the one that its parent says. */
    private final byte[] levels;

    private final byte[] expected;

    private int sharedChild = Node.NONE;
    private int at = Node.NONE;
    private long keys;

    /** Begins to check {@code tree}, whose ids are below {@code idLimit}. */
    TreeCheck(TreeState tree, int idLimit) {
        this.tree = tree;
        this.levels = new byte[idLimit];
        this.expected = new byte[idLimit];
        Arrays.fill(levels, UNKNOWN);
        Arrays.fill(expected, UNKNOWN);
        expected[tree.root()] = (byte) (tree.height() - 1);
    }

    /** Notes node {@code id}, whose bytes are {@code bytes}. */
    void add(int id, ByteBuffer bytes) {
        Node node = window.wrap(bytes, 0, id);
        levels[id] = (byte) node.level();
        if (node.level() == Node.LEAF) {
            keys += node.count();
            return;
        }
        for (int i = 0; i <= node.count(); i++) {
            int child = node.child(i);
            sharedChild = expected[child] == UNKNOWN ? sharedChild : child;
            expected[child] = (byte) (node.level() - 1);
        }
    }

    /** What is wrong, once all nodes are noted; empty if nothing is. */
    String findFault() {
        at = sharedChild;
        if (sharedChild != Node.NONE) {
            return "a node that is the child of two others, or of itself, or the root";
        }
        for (int id = 0; id < levels.length; id++) {
            at = id;
            if (levels[id] != UNKNOWN && expected[id] == UNKNOWN) {
                return "a node that is no child of another one";
            }
            if (levels[id] != expected[id]) {
                return "a node of level " + levels[id] + " in place of one of " + expected[id];
            }
        }
        at = tree.root();
        return keys == tree.size() ? "" : "a tree of " + keys + " keys in place of " + tree.size();
    }

    /** The node that {@link #findFault} tells of. */
    int at() {
        return at;
    }
}

package io.persist.index.read;

import io.persist.index.node.KeyBuffer;
import io.persist.index.node.Node;
import io.persist.index.node.NodeSearch;

/** A tree of an index that a cursor goes through: the one of a snapshot, or the one that changes. */
public abstract class ReadableTree {

    /** The id of its root. */
    protected abstract int root();

    /** How many levels it has. */
    protected abstract int height();

    /** Moves {@code window} to a node, which has to be at {@code level}. */
    protected abstract Node wrap(Node window, int id, int level);

    /** What is thrown if the nodes hang together wrongly, as is seen at node {@code id}. */
    protected abstract RuntimeException damaged(int id, String what);

    /** Whether there is the key; if so, {@code found} is where its value lies. Its leaf is {@code node} then. */
    protected final boolean find(KeyBuffer key, Node node, Location found) {
        int index = search(key, node);
        if (index < 0) {
            return false;
        }
        found.set(node.position(index), node.length(index));
        return true;
    }

    /** The index of the key's entry in its leaf, which {@code node} becomes; negative if there is none. */
    private int search(KeyBuffer key, Node node) {
        int id = root();
        for (int level = height() - 1; level > 0; level--) {
            wrap(node, id, level);
            id = node.child(NodeSearch.childIndex(node, key));
        }
        return NodeSearch.search(wrap(node, id, Node.LEAF), key);
    }

    /** Throws if it may not be read any more. */
    protected abstract void checkOpen();
}

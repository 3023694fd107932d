package io.persist.index.read;

import io.persist.index.KeyIndex;
import io.persist.index.node.Node;

/** A node that a snapshot is to give back and that is nowhere: as long as it is there, closing the snapshot fails. */
public final class UnreachableNode {

    private final IndexSnapshot snapshot;
    private final Node node = new Node().wrap(Node.newBuffer(), 0, Integer.MAX_VALUE);

    /** It is one of the newest snapshot, which has no other one. */
    public UnreachableNode(KeyIndex index) {
        IndexSnapshot newer = index.snapshot();
        IndexSnapshot newest = newer.older;
        newer.close();
        if (newest == null || !newest.nodes.isEmpty()) {
            throw new IllegalStateException("there is no snapshot, or it has nodes");
        }
        snapshot = newest;
        snapshot.nodes.addFirst(node);
    }

    public void takeAway() {
        snapshot.nodes.removeFirst(node);
    }
}

package io.persist.index;

import io.persist.index.node.Node;

/** Decides whether all keys of a leaf go at once, and is told when they do. It changes nothing of the node. */
public interface LeafRemoval {

    /** Whether each key of {@code leaf}, which has one at least, is to go. */
    boolean mayGo(Node leaf);

    /** All keys of {@code leaf} are about to go. */
    void goes(Node leaf);
}

package io.persist.index;

import io.persist.index.node.Node;

/** A tree of an index that a cursor goes through: the one of a snapshot, or the one that changes. */
abstract class IndexRoot {

    abstract int root();

    abstract int height();

    /** Moves {@code window} to a node, which has to be at {@code level}. */
    abstract Node wrap(Node window, int id, int level);

    /** Throws if it may not be read any more. */
    abstract void checkOpen();
}

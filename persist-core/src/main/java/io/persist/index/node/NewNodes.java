package io.persist.index.node;

/** Gives out nodes, for changes that need one more. */
public interface NewNodes {

    /**
     * The id of a node that is the caller's to fill; there has to be one.
     *
     * @param origin the node of which it gets something, {@link Node#NONE} if it is of none
     */
    int take(int origin);

    /** Moves the window {@code node} to the node {@code id}, and returns it. */
    Node wrap(Node node, int id);
}

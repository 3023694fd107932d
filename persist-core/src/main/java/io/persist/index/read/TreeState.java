package io.persist.index.read;

import io.persist.error.IndexFullException;
import io.persist.index.memory.IndexMemory;
import io.persist.index.node.Node;

/**
 * Which tree the nodes of an index are.
 *
 * @param root the id of its root
 * @param height its levels, 1 for one leaf
 * @param size how many keys it has
 * @param version of its nodes no one has a greater one
 */
public record TreeState(int root, int height, long size, long version) {

    private static final long FIRST_VERSION = 1;

    /** A tree without keys, whose root it makes. If there is no memory for that, it closes {@code memory}. */
    public static TreeState empty(IndexMemory memory) {
        try {
            memory.ensure(1, 1);
        } catch (IndexFullException e) {
            memory.close();
            throw e;
        }
        int root = memory.take(Node.NONE);
        memory.wrap(new Node(), root).init(Node.LEAF, FIRST_VERSION);
        return new TreeState(root, 1, 0, FIRST_VERSION);
    }
}

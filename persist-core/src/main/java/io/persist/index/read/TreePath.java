package io.persist.index.read;

import java.util.Arrays;
import java.util.function.IntConsumer;

/** The nodes from the root, at the highest level, to a leaf, at level 0, and the index of a child in each. */
public final class TreePath {

    private static final int FIRST_HEIGHT = 4;

    private int[] nodes = new int[FIRST_HEIGHT];
    private int[] indexes = new int[FIRST_HEIGHT];

    /** Makes room for a tree of that height. */
    public void ensure(int height) {
        if (height > nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * height);
            indexes = Arrays.copyOf(indexes, 2 * height);
        }
    }

    /** The node at {@code level}. */
    public int node(int level) {
        return nodes[level];
    }

    /** The path goes on with node {@code id}. */
    public void node(int level, int id) {
        nodes[level] = id;
    }

    /** Tells the nodes of the lowest {@code levels}. */
    public void forEach(int levels, IntConsumer action) {
        for (int level = 0; level < levels; level++) {
            action.accept(nodes[level]);
        }
    }

    /** Whether the node is on the path, or was on the one before. */
    public boolean has(int id) {
        for (int node : nodes) {
            if (node == id) {
                return true;
            }
        }
        return false;
    }

    /** Which child of the node at {@code level}, which is above 0, the path goes on with. */
    public int index(int level) {
        return indexes[level];
    }

    /** The path goes on with node {@code id}, and from there with its child of this index. */
    public void set(int level, int id, int index) {
        nodes[level] = id;
        indexes[level] = index;
    }
}

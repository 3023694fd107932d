package io.persist.index;

import io.persist.index.memory.IndexMemory;
import io.persist.index.node.Node;
import io.persist.index.read.TreePath;

/**
 * Has the leaf before that of a path, and the one behind it, in memory, and the nodes on the way to them.
 *
 * <p><b>Threads:</b> the tree's. <b>Allocation:</b> a window, where a leaf may go.
 */
final class LeavesBeside {

    private final IndexMemory memory;
    private final Node window = new Node();

    private LeavesBeside(IndexMemory memory) {
        this.memory = memory;
    }

    /**
     * Reads them, if the path's {@code leaf} may go since so many keys are removed: what is put there again comes to
     * one of them. They stay in memory until all nodes are unpinned.
     */
    static void load(IndexMemory memory, Node leaf, int removes, TreePath path, int height) {
        if (leaf.count() <= removes) {
            LeavesBeside leaves = new LeavesBeside(memory);
            leaves.load(path, height, -1);
            leaves.load(path, height, 1);
        }
    }

    private void load(TreePath path, int height, int step) {
        for (int level = 1; level < height; level++) {
            int index = path.index(level) + step;
            if (index >= 0
                    && index
                            <= memory.wrapToChange(window, path.node(level), level)
                                    .count()) {
                loadDown(level - 1, window.child(index), step);
                return;
            }
        }
    }

    /** From a node to its leaf that is next to the path: the first one of those behind it, the last of those before. */
    private void loadDown(int topLevel, int topId, int step) {
        int id = topId;
        for (int level = topLevel; level >= 0; level--) {
            memory.wrapToChange(window, id, level);
            memory.pin(id); // before another node is read in its place
            if (level > 0) {
                id = window.child(step > 0 ? 0 : window.count());
            }
        }
    }
}

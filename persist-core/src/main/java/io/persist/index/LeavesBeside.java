package io.persist.index;

import io.persist.index.memory.IndexMemory;
import io.persist.index.node.Node;
import io.persist.index.read.TreePath;
import org.agrona.collections.Int2IntCounterMap;

/**
 * Has the leaves beside one that is about to lose all its keys in memory, and the nodes on the way to them: such a leaf
 * goes, and what is put there again comes to one of them.
 *
 * <p><b>Threads:</b> the tree's. <b>Allocation:</b> none but for many leaves at once.
 */
final class LeavesBeside {

    private final IndexMemory memory;
    private final Int2IntCounterMap removes = new Int2IntCounterMap(0);
    private final Node window = new Node();

    LeavesBeside(IndexMemory memory) {
        this.memory = memory;
    }

    /**
     * One key of {@code leaf}, to which the path leads, will be removed. With the last one the leaves beside it are
     * read; they stay in memory until all nodes are unpinned.
     */
    void expectRemove(Node leaf, TreePath path, int height) {
        if (removes.incrementAndGet(leaf.id()) >= leaf.count()) {
            load(path, height, -1);
            load(path, height, 1);
        }
    }

    /** Forgets what will be removed. */
    void clear() {
        if (!removes.isEmpty()) {
            removes.clear();
        }
    }

    /**
     * Returns which child of {@code parent} is to have the keys of the one at {@code index}, which goes: the one
     * before, or the one behind if only that is in memory. A leaf that a transaction has made and takes away again
     * had no load of its own, but it lies beside what it was made of; so a put there does not read. If the one that
     * goes had to stay in memory for longer, the other one has to.
     */
    static int handOn(IndexMemory memory, Node parent, int index) {
        boolean isNext = index == 0
                || index < parent.count()
                        && !memory.isLoaded(parent.child(index - 1))
                        && memory.isLoaded(parent.child(index + 1));
        int beside = isNext ? index + 1 : index - 1;
        if (memory.isLoaded(parent.child(beside))) {
            memory.nodes().handOn(parent.child(index), parent.child(beside));
        }
        return beside;
    }

    private void load(TreePath path, int height, int step) {
        for (int level = 1; level < height; level++) {
            int index = path.index(level) + step;
            Node inner = memory.wrapToChange(window, path.node(level), level);
            if (index >= 0 && index <= inner.count()) {
                loadDown(level - 1, inner.child(index), step);
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

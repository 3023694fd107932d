package io.persist.index.read;

import io.persist.index.node.KeyBuffer;
import io.persist.index.node.Node;
import io.persist.index.node.NodeSearch;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the keys of a snapshot, or of the index as it is now.
 *
 * <p>After a change to the index, or a read of it that is not by this cursor, a cursor over it first has to be moved to
 * a place again.
 *
 * <p><b>Threads:</b> the snapshot's, or the index's. <b>Allocation:</b> none after the constructor.
 */
public final class IndexCursor implements KeyCursor {

    private final ReadableTree tree;
    private final TreePath path = new TreePath();
    private final Node leaf = new Node();
    private final Node inner = new Node();
    private final KeyBuffer key = new KeyBuffer();

    /** The key at the edge of a leaf that is left before one of its keys was given. */
    private final KeyBuffer edge = new KeyBuffer();

    /** The index in the leaf of the entry behind; the leaf's count if that is in the next leaf. */
    private int gap;

    /** Whether the way to a leaf was not gone to its end, or not begun: then nothing here means anything. */
    private boolean isLost = true;

    private boolean isMoved;

    /** The leaf whose prefix is in the key. */
    private int keyLeaf = Node.NONE;

    private long position;
    private int length;

    /** At the first key of a tree. It reads nothing until it is moved: most go to another place first. */
    public IndexCursor(ReadableTree tree) {
        tree.checkOpen();
        this.tree = tree;
    }

    @Override
    public void toStart() {
        begin();
        toFirst(tree.height() - 1, tree.root());
    }

    @Override
    public void toEnd() {
        begin();
        toLast(tree.height() - 1, tree.root());
    }

    @Override
    public void to(KeyBuffer from) {
        begin();
        int id = tree.root();
        for (int level = tree.height() - 1; level > 0; level--) {
            id = enter(level, id, NodeSearch.childIndex(tree.wrap(inner, id, level), from));
        }
        arrive(id);
        gap = place(from);
    }

    /** The index in the leaf of its first entry whose key is not less; the leaf's count if there is none. */
    private int place(KeyBuffer of) {
        int found = NodeSearch.search(leaf, of);
        return found >= 0 ? found : ~found;
    }

    /** The tree may be another one than before. */
    private void begin() {
        tree.checkOpen();
        isLost = true;
        isMoved = true;
        path.ensure(tree.height());
        keyLeaf = Node.NONE;
    }

    @Override
    public boolean next() {
        checkUsable();
        if (gap == leaf.count() && !toNextLeaf()) {
            return false;
        }
        read(gap++);
        return true;
    }

    /** Leaf by leaf: of most keys it looks at nothing but where the value lies. */
    @Override
    public long countBelow(@Nullable KeyBuffer end, LongPredicate expected) {
        checkUsable();
        long count = 0;
        do {
            int stop = end == null ? leaf.count() : place(end);
            for (; gap < stop; gap++) {
                if (!expected.test(leaf.position(gap))) {
                    return UNEXPECTED;
                }
                count++;
            }
        } while (gap == leaf.count() && toNextLeaf());
        return count;
    }

    @Override
    public boolean previous() {
        checkUsable();
        if (gap == 0 && !toPreviousLeaf()) {
            return false;
        }
        read(--gap);
        return true;
    }

    private void checkUsable() {
        tree.checkOpen();
        if (isLost && isMoved) {
            throw new IllegalStateException("a node could not be read before: go to a key, or begin another scan");
        }
        if (isLost) {
            toStart();
        }
    }

    @Override
    public KeyBuffer key() {
        return key;
    }

    /** Whether {@link #next} has just gone over the first key of a node. */
    public boolean isFirstOfLeaf() {
        return gap == 1;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public int length() {
        return length;
    }

    private void read(int index) {
        if (keyLeaf != leaf.id()) {
            leaf.readPrefix(key);
            keyLeaf = leaf.id();
        }
        leaf.readSuffix(index, key);
        position = leaf.position(index);
        length = leaf.length(index);
    }

    /** Remembers which child the path goes on with, and returns it; {@code inner} is a window on the node. */
    private int enter(int level, int id, int index) {
        path.set(level, id, index);
        return inner.child(index);
    }

    /** The way has come to its end. */
    private void arrive(int id) {
        tree.wrap(leaf, id, Node.LEAF);
        if (leaf.count() == 0 && tree.height() > 1) {
            throw tree.damaged(id, "a leaf without keys");
        }
        isLost = false;
    }

    /** The key at {@code index} of the leaf, an end of it, which is the one that was given last if one was. */
    private KeyBuffer edge(int index) {
        if (keyLeaf == leaf.id() || tree.height() == 1) {
            return key;
        }
        leaf.readPrefix(edge);
        leaf.readSuffix(index, edge);
        return edge;
    }

    /**
     * The leaf has to come next in the order of the keys: else a forged file, whose nodes have more than one parent,
     * would be gone through for ever.
     */
    private void checkOrder(boolean isInOrder) {
        if (!isInOrder) {
            isLost = true;
            throw tree.damaged(leaf.id(), "a leaf that is out of order");
        }
    }

    private void toFirst(int topLevel, int topId) {
        int id = topId;
        for (int level = topLevel; level > 0; level--) {
            tree.wrap(inner, id, level);
            id = enter(level, id, 0);
        }
        arrive(id);
        gap = 0;
    }

    private void toLast(int topLevel, int topId) {
        int id = topId;
        for (int level = topLevel; level > 0; level--) {
            tree.wrap(inner, id, level);
            id = enter(level, id, inner.count());
        }
        arrive(id);
        gap = leaf.count();
    }

    private boolean toNextLeaf() {
        KeyBuffer last = edge(leaf.count() - 1);
        isLost = true;
        for (int level = 1; level < tree.height(); level++) {
            int index = path.index(level) + 1;
            if (index <= tree.wrap(inner, path.node(level), level).count()) {
                toFirst(level - 1, enter(level, path.node(level), index));
                checkOrder(NodeSearch.compare(last, leaf, 0) < 0);
                return true;
            }
        }
        return stay();
    }

    /** The nodes above may have been read into the memory of the leaf. */
    private boolean stay() {
        arrive(leaf.id());
        return false;
    }

    private boolean toPreviousLeaf() {
        KeyBuffer first = edge(0);
        isLost = true;
        for (int level = 1; level < tree.height(); level++) {
            int index = path.index(level) - 1;
            if (index >= 0) {
                tree.wrap(inner, path.node(level), level);
                toLast(level - 1, enter(level, path.node(level), index));
                checkOrder(NodeSearch.compare(first, leaf, leaf.count() - 1) > 0);
                return true;
            }
        }
        return stay();
    }
}

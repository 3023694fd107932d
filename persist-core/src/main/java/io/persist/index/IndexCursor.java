package io.persist.index;

/**
 * Goes through the keys of a snapshot, both ways. Like a {@link java.util.ListIterator} it stands between two keys:
 * {@link #next} returns the one behind and {@link #previous} the one before, and each goes over it.
 *
 * <p><b>Threads:</b> the snapshot's. <b>Allocation:</b> none after the constructor.
 */
public final class IndexCursor {

    private final IndexSnapshot snapshot;
    private final TreePath path = new TreePath();
    private final Node leaf = new Node();
    private final Node inner = new Node();
    private final KeyBuffer key = new KeyBuffer();

    /** The index in the leaf of the entry behind; the leaf's count if that is in the next leaf. */
    private int gap;

    /** The leaf whose prefix is in the key. */
    private int keyLeaf = Node.NONE;

    private long position;
    private int length;

    IndexCursor(IndexSnapshot snapshot) {
        this.snapshot = snapshot;
        path.ensure(snapshot.height());
        toStart();
    }

    /** Goes before the first key. */
    public void toStart() {
        snapshot.checkOpen();
        toFirst(snapshot.height() - 1, snapshot.root());
    }

    /** Goes behind the last key. */
    public void toEnd() {
        snapshot.checkOpen();
        toLast(snapshot.height() - 1, snapshot.root());
    }

    /** Goes before the first key that is not less than {@code from}, which need not be there. */
    public void to(KeyBuffer from) {
        snapshot.checkOpen();
        int id = snapshot.root();
        for (int level = snapshot.height() - 1; level > 0; level--) {
            id = enter(level, id, NodeSearch.childIndex(snapshot.wrap(inner, id), from));
        }
        int found = NodeSearch.search(snapshot.wrap(leaf, id), from);
        gap = found >= 0 ? found : ~found;
    }

    /** Goes over the next key; false if there is none. */
    public boolean next() {
        snapshot.checkOpen();
        if (gap == leaf.count() && !toNextLeaf()) {
            return false;
        }
        read(gap++);
        return true;
    }

    /** Goes back over the key before; false if there is none. */
    public boolean previous() {
        snapshot.checkOpen();
        if (gap == 0 && !toPreviousLeaf()) {
            return false;
        }
        read(--gap);
        return true;
    }

    /** The key that was gone over last. Valid until the next call, and not to be changed. */
    public KeyBuffer key() {
        return key;
    }

    /** Where the value of that key lies. */
    public long position() {
        return position;
    }

    /** The length of that value in bytes. */
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
        path.node(level, id);
        path.index(level, index);
        return inner.child(index);
    }

    private void toFirst(int topLevel, int topId) {
        int id = topId;
        for (int level = topLevel; level > 0; level--) {
            snapshot.wrap(inner, id);
            id = enter(level, id, 0);
        }
        snapshot.wrap(leaf, id);
        gap = 0;
    }

    private void toLast(int topLevel, int topId) {
        int id = topId;
        for (int level = topLevel; level > 0; level--) {
            snapshot.wrap(inner, id);
            id = enter(level, id, inner.count());
        }
        snapshot.wrap(leaf, id);
        gap = leaf.count();
    }

    private boolean toNextLeaf() {
        for (int level = 1; level < snapshot.height(); level++) {
            int index = path.index(level) + 1;
            if (index <= snapshot.wrap(inner, path.node(level)).count()) {
                toFirst(level - 1, enter(level, path.node(level), index));
                return true;
            }
        }
        return false;
    }

    private boolean toPreviousLeaf() {
        for (int level = 1; level < snapshot.height(); level++) {
            int index = path.index(level) - 1;
            if (index >= 0) {
                snapshot.wrap(inner, path.node(level));
                toLast(level - 1, enter(level, path.node(level), index));
                return true;
            }
        }
        return false;
    }
}

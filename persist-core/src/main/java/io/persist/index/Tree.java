package io.persist.index;

import io.persist.index.memory.IndexMemory;
import io.persist.index.node.KeyBuffer;
import io.persist.index.node.Node;
import io.persist.index.node.NodeInsert;
import io.persist.index.node.NodeMerge;
import io.persist.index.node.NodeSearch;
import io.persist.index.node.NodeShare;
import io.persist.index.read.Location;
import io.persist.index.read.OpenSnapshots;
import io.persist.index.read.ReadableTree;
import io.persist.index.read.TreePath;
import io.persist.index.read.TreeState;

/**
 * The B+tree of the index as it is now. A node that an open snapshot needs is not changed: a copy replaces it, and
 * copies replace the nodes above it. All other nodes are changed in place. Leaves are not linked with each other,
 * because a copy of one would then need copies of all.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class Tree extends ReadableTree {

    /** How many replaced nodes a change looks at, more than it can replace itself. */
    private static final int FREE_STEP = 16;

    private static final int FREE_MANY = 256;

    private final IndexMemory memory;
    private final OpenSnapshots snapshots;
    private final NodeInsert insert;
    private final NodeShare share = new NodeShare();
    private final NodeMerge merge = new NodeMerge();
    private final TreePath path = new TreePath();
    private final Node node = new Node();
    private final Node sibling = new Node();
    private final Node parent = new Node();
    private final Node copy = new Node();
    private int root;
    private int height;
    private long size;
    private long version;

    /** A tree of nodes that are there. */
    Tree(IndexMemory memory, OpenSnapshots snapshots, TreeState state) {
        this.memory = memory;
        this.snapshots = snapshots;
        this.insert = new NodeInsert(memory);
        this.root = state.root();
        this.height = state.height();
        this.size = state.size();
        this.version = state.version();
        path.ensure(height);
        memory.keep(path::has, snapshots::newestInPlaceVersion);
    }

    @Override
    protected int root() {
        return root;
    }

    @Override
    protected int height() {
        return height;
    }

    @Override
    protected Node wrap(Node window, int id, int level) {
        return memory.wrap(window, id, level);
    }

    @Override
    protected RuntimeException damaged(int id, String what) {
        return memory.view().damaged(id, what);
    }

    @Override
    protected void checkOpen() {} // the caller asks the index, which is open

    long size() {
        return size;
    }

    long version() {
        return version;
    }

    /** As {@link KeyIndex#load} says. */
    boolean load(KeyBuffer key) {
        int found = descend(key);
        path.forEach(height, memory::pin);
        return found >= 0;
    }

    void loadToRemove(KeyBuffer key, LeavesBeside beside) {
        if (load(key)) {
            beside.expectRemove(node, path, height);
        }
    }

    /** The tree as it is. From now on nodes are of a new version. */
    TreeState endVersion() {
        TreeState state = new TreeState(root, height, size, version);
        version++;
        return state;
    }

    /** Makes so many nodes free, or throws without having changed anything. */
    void ensure(long nodes) {
        while (memory.freeNodes() < nodes && snapshots.freeSome(FREE_MANY)) {
            // goes on
        }
        memory.ensure(nodes, nodes);
    }

    boolean get(KeyBuffer key, Location found) {
        return find(key, node, found);
    }

    boolean put(KeyBuffer key, long position, int length, Location replaced) {
        snapshots.freeSome(FREE_STEP);
        int index = descend(key);
        if (index < 0) {
            ensure(NodesPerPut.most(1, height, snapshots.count()));
            makeChangeable();
            insert(~index, key, position, length);
            size++;
            return false;
        }
        ensure(snapshots.count() == 0 ? 0 : height);
        makeChangeable();
        replaced.set(node.position(index), node.length(index));
        node.putPlace(index, position, length);
        return true;
    }

    boolean remove(KeyBuffer key, Location removed) {
        snapshots.freeSome(FREE_STEP);
        int index = descend(key);
        if (index < 0) {
            return false;
        }
        ensure(snapshots.count() == 0 ? 0 : 2L * height);
        makeChangeable();
        removed.set(node.position(index), node.length(index));
        node.remove(index);
        size--;
        if (node.usedBytes() < NodeMerge.UNDERFLOW) {
            shrink();
        }
        return true;
    }

    /** As {@link KeyIndex#removeLeaf} says. */
    boolean removeLeaf(KeyBuffer first, LeafRemoval removal) {
        snapshots.freeSome(FREE_STEP);
        if (descend(first) != 0 || !removal.mayGo(node)) {
            return false;
        }
        ensure(snapshots.count() == 0 ? 0 : 2L * height);
        makeChangeable();
        removal.goes(node);
        size -= node.count();
        node.clear();
        shrink();
        return true;
    }

    /** Follows the path to the leaf of the key, which {@code node} becomes; returns the index there. */
    private int descend(KeyBuffer key) {
        int id = root;
        for (int level = height - 1; level > 0; level--) {
            int index = NodeSearch.childIndex(memory.wrapToChange(node, id, level), key);
            path.set(level, id, index);
            id = node.child(index);
        }
        path.node(0, id);
        return NodeSearch.search(memory.wrapToChange(node, id, Node.LEAF), key);
    }

    /** A node that is newer than all snapshots has parents that are so, too; {@code node} stays the leaf. */
    private void makeChangeable() {
        long newest = snapshots.newestVersion();
        if (node.version() > newest) {
            memory.change(node);
            return;
        }
        for (int level = height - 1; level >= 0; level--) {
            memory.wrap(node, path.node(level));
            if (node.version() <= newest) {
                int id = replace(node);
                path.node(level, id);
                if (level == height - 1) {
                    root = id;
                } else {
                    memory.change(memory.wrap(parent, path.node(level + 1)));
                    parent.putChild(path.index(level + 1), id);
                }
                memory.wrap(node, id);
            }
        }
    }

    /** Returns the id of a copy; the node itself is only the snapshots' any more. */
    private int replace(Node replaced) {
        int id = memory.take(replaced.id());
        memory.wrap(copy, id).copyFrom(replaced, version);
        snapshots.release(replaced, version);
        return id;
    }

    private void insert(int index, KeyBuffer key, long position, int length) {
        if (NodeInsert.intoGap(node, index, key, position, length)
                || NodeShare.isWanted(node, index, key) && share(index, key, position, length)) {
            return;
        }
        int right = insert.intoLeaf(node, index, key, position, length, version);
        for (int level = 1; right != Node.NONE; level++) {
            if (level == height) {
                growRoot();
            }
            memory.change(memory.wrap(node, path.node(level)));
            right = insert.intoInner(node, path.index(level), insert.separator(), right, version);
        }
    }

    /** Puts a key into {@code node}, a full leaf, if the leaf before it is in memory and can take some of its keys. */
    private boolean share(int index, KeyBuffer key, long position, int length) {
        int left = height == 1 ? -1 : path.index(1) - 1;
        if (left < 0 || !memory.isLoaded(memory.wrap(parent, path.node(1)).child(left))) {
            return false;
        }
        memory.wrap(sibling, parent.child(left));
        if (!share.fits(sibling, node, parent, left, index, key)) {
            return false;
        }
        makeChangeable(sibling, left);
        memory.change(parent);
        memory.nodes().handOn(node.id(), sibling.id());
        share.share(sibling, node, parent, left, index, key, position, length);
        return true;
    }

    /** A child of {@code parent}, which may be changed itself. */
    private void makeChangeable(Node child, int index) {
        if (child.version() <= snapshots.newestVersion()) {
            int id = replace(child);
            memory.change(parent);
            parent.putChild(index, id);
            memory.wrap(child, id);
        }
        memory.change(child);
    }

    private void growRoot() {
        int id = memory.take(root);
        memory.wrap(node, id).init(height, version);
        node.putChild(0, root);
        root = id;
        height++;
        path.ensure(height);
        path.set(height - 1, id, 0);
    }

    /** Goes up from a leaf that underflows: takes empty nodes away, and makes one of two that are small. */
    private void shrink() {
        boolean isEmpty = node.count() == 0;
        for (int level = 0; level < height - 1; level++) {
            memory.wrap(node, path.node(level));
            memory.wrap(parent, path.node(level + 1));
            int index = path.index(level + 1);
            if (isEmpty) {
                memory.change(parent);
                isEmpty = parent.count() == 0; // that was its only child
                if (!isEmpty) {
                    parent.removeChild(index, LeavesBeside.handOn(memory, parent, index));
                }
                snapshots.release(node, version);
            } else if (node.usedBytes() >= NodeMerge.UNDERFLOW || !merge(index) && !(index > 0 && merge(index - 1))) {
                break;
            }
        }
        if (isEmpty && height > 1) {
            memory.wrap(node, root).init(Node.LEAF, version);
            height = 1;
        }
        shrinkRoot();
    }

    /** Makes one of the children at {@code index} and after it, if there are such and they fit. */
    private boolean merge(int index) {
        if (index == parent.count()
                || !memory.isLoaded(parent.child(index))
                || !memory.isLoaded(parent.child(index + 1))) { // reading a node costs more than is gained
            return false;
        }
        memory.wrap(node, parent.child(index));
        memory.wrap(sibling, parent.child(index + 1));
        if (!merge.fits(node, sibling, parent, index)) {
            return false;
        }
        makeChangeable(node, index);
        memory.nodes().handOn(sibling.id(), node.id());
        merge.merge(node, sibling);
        memory.change(parent);
        snapshots.release(sibling, version);
        parent.remove(index);
        return true;
    }

    private void shrinkRoot() {
        while (height > 1 && memory.isLoaded(root) && memory.wrap(node, root).count() == 0) {
            root = node.child(0);
            height--;
            snapshots.release(node, version);
        }
    }
}

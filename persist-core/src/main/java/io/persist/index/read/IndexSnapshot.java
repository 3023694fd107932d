package io.persist.index.read;

import io.persist.index.memory.NodeView;
import io.persist.index.node.KeyBuffer;
import io.persist.index.node.Node;
import io.persist.index.node.NodeList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of an index at one moment.
 *
 * <p><b>Threads:</b> one thread reads it and its cursors, without a lock, while the index changes; it has to get the
 * snapshot from the thread that took it in a way that orders memory. {@link #close} is called under the index's lock,
 * after the last read. <b>Allocation:</b> none by {@link #get}.
 */
public final class IndexSnapshot extends ReadableTree implements AutoCloseable {

    /** Nodes that left the tree and that this is the newest snapshot to need. */
    final NodeList nodes = new NodeList();

    @Nullable
    IndexSnapshot older;

    @Nullable
    IndexSnapshot newer;

    private final Consumer<IndexSnapshot> onClose;
    private final NodeView nodeView;
    private final TreeState state;
    private final Node node = new Node();
    private boolean closed;

    /** Whether closing has come to its end. */
    private boolean isLetGo;

    /**
     * The tree of that moment.
     *
     * @param onClose is told when it is closed
     * @param nodeView finds its nodes
     */
    public IndexSnapshot(Consumer<IndexSnapshot> onClose, NodeView nodeView, TreeState state) {
        this.onClose = onClose;
        this.nodeView = nodeView;
        this.state = state;
    }

    /** Whether there was the key; if so, {@code found} is where its value lay. */
    public boolean get(KeyBuffer key, Location found) {
        checkOpen();
        return find(key, node, found);
    }

    /** A new cursor before the first key. */
    public IndexCursor cursor() {
        checkOpen();
        return new IndexCursor(this);
    }

    /** Which tree it is. */
    public TreeState state() {
        return state;
    }

    /** How many keys there were. */
    public long size() {
        return state.size();
    }

    /** The index's version when this was taken; later changes are of greater ones. */
    public long version() {
        return state.version();
    }

    /** Gives its nodes back, in bounded time. Has no effect the second time, unless the first one has thrown. */
    @Override
    public void close() {
        if (!isLetGo) {
            closed = true;
            nodeView.close();
            onClose.accept(this);
            isLetGo = true; // not before: what an error cuts short can be tried again
        }
    }

    @Override
    protected void checkOpen() {
        if (closed) {
            throw new IllegalStateException("snapshot is closed, version=" + version());
        }
    }

    @Override
    protected int root() {
        return state.root();
    }

    @Override
    protected int height() {
        return state.height();
    }

    @Override
    protected Node wrap(Node window, int id, int level) {
        return nodeView.wrap(window, id, level);
    }

    @Override
    protected RuntimeException damaged(int id, String what) {
        return nodeView.damaged(id, what);
    }

    /** Finds its nodes. */
    public NodeView nodeView() {
        return nodeView;
    }
}

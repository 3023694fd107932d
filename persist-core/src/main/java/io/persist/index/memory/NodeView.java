package io.persist.index.memory;

import io.persist.index.node.Node;
import io.persist.index.node.NodeSource;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The nodes of an index at one moment, for a reader without the lock. None of them changes or leaves while a snapshot
 * needs it, but the frames in which they lie may be taken away from them. Where that is to be expected, the reader
 * copies each node into memory of its own; else it reads nodes where they lie, and the index leaves those where they
 * are. Nodes that are not in memory are read by the reader itself, into memory of its own.
 *
 * <p><b>Threads:</b> any, each with windows of its own.
 */
public final class NodeView implements NodeSource {

    private final FrameTable table;
    private final boolean copies;

    /** Set before its nodes may be changed or given out anew; read after one of them was found to be wrong. */
    private volatile boolean closed;

    NodeView(FrameTable table, boolean copies) {
        this.table = table;
        this.copies = copies;
    }

    /** Whether nodes are read where they lie, so that they have to stay there. */
    public boolean isInPlace() {
        return !copies;
    }

    /** Moves {@code window}, which is used for this view only, to node {@code id} at {@code level}. */
    public Node wrap(Node window, int id, int level) {
        int frame = copies ? Node.NONE : table.frame(id);
        if (frame != Node.NONE) {
            NodeChunks.wrap(window, table.chunks(), frame, id);
        } else {
            window.own(this, id);
        }
        return window.checkLevel(level, this);
    }

    @Override
    public boolean has(int id) {
        return table.has(id);
    }

    @Override
    public void read(int id, ByteBuffer target, int at) {
        if (!table.readIfThere(id, target, at)) {
            throw damaged(id, FrameTable.MISSING);
        }
    }

    /** What is thrown if the nodes hang together wrongly, as is seen at node {@code id}. */
    @Override
    public RuntimeException damaged(int id, String what) {
        VarHandle.acquireFence(); // paired with the write of closed: what is wrong was read before
        return closed ? new IllegalStateException("snapshot is closed") : table.damaged(id, what);
    }

    /** Throws what was thrown when nodes of the index, of whichever moment, were found to hang together wrongly. */
    public void checkTree() {
        RuntimeException found = table.wrongTree();
        if (found != null) {
            throw found;
        }
    }

    /** Copies node {@code id} to index {@code at} of {@code target}, as an image has it. */
    public void copy(int id, ByteBuffer target, int at) {
        read(id, target, at);
        Node.clearLinks(target, at);
    }

    /** A reader that comes too late, or is in the middle, does not take what it finds for damage. */
    @Override
    public void close() {
        closed = true;
    }
}

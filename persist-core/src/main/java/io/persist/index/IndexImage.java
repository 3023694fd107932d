package io.persist.index;

import io.persist.index.memory.IndexMemory;
import io.persist.index.node.Node;
import io.persist.index.node.NodeSet;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.TreeState;
import java.nio.ByteBuffer;

/**
 * An index at one moment, to be written to a file: which nodes it has, and the bytes of those that the file gets. An
 * index is restored from the nodes of an image of {@link Scope#ALL} and of those of {@link Scope#CHANGED} that were
 * made after it: of each node the last one.
 *
 * <p>As long as it is not {@linkplain #confirm confirmed}, the next image has what this one should have had.
 *
 * <p><b>Threads:</b> one, without the index's lock; {@link #close}, {@link #confirm} and {@link #giveUp} under the
 * lock.
 */
public final class IndexImage implements AutoCloseable {

    /** Which nodes the file gets. */
    public enum Scope {
        ALL,
        /** Those that the image before has not, or not as they are now. */
        CHANGED
    }

    private final IndexSnapshot snapshot;
    private final IndexMemory memory;
    private final NodeSet live;
    private final NodeSet changed;
    private final NodeSet written;
    private final int idLimit;

    /** Allocates nothing: if it could fail, nobody would close {@code snapshot}. */
    IndexImage(IndexSnapshot snapshot, IndexMemory memory, NodeSet live, NodeSet changed, Scope scope) {
        this.snapshot = snapshot;
        this.memory = memory;
        this.live = live;
        this.changed = changed;
        this.written = scope == Scope.ALL ? live : changed;
        this.idLimit = memory.idLimit();
    }

    /** Which tree it is. */
    public TreeState state() {
        return snapshot.state();
    }

    /** The ids of all nodes of the tree. */
    public NodeSet nodes() {
        return live;
    }

    /** Is above all ids. */
    public int idLimit() {
        return idLimit;
    }

    /** How many nodes the file gets. */
    public int count() {
        return written.size();
    }

    /** The first node from {@code id} on that the file gets; {@link Node#NONE} if there is none. */
    public int next(int id) {
        return written.next(id);
    }

    /**
     * Puts the {@value Node#LENGTH} bytes of a node at index {@code at} of {@code target}, which is little-endian.
     *
     * @throws io.persist.error.CorruptLogException if it was not in memory, and is damaged
     * @throws io.persist.error.LogIOException if it was not in memory, and cannot be read
     */
    public void copy(int id, ByteBuffer target, int at) {
        snapshot.nodeView().copy(id, target, at);
    }

    /**
     * Throws what was thrown when nodes of the index were found to hang together wrongly. Each is good for itself, so
     * nothing else would keep them from being written.
     */
    public void checkTree() {
        snapshot.nodeView().checkTree();
    }

    /** The file is finished, and the next image of {@link Scope#CHANGED} is one after it. */
    public void confirm() {
        memory.nodes().confirm(changed);
    }

    /**
     * Closes it, and what it has counts as changed again: the file was not finished. The latter takes memory; without
     * that, or if nobody calls this, the next image has it all the same.
     */
    public void giveUp() {
        try {
            memory.nodes().giveBackChanged(changed);
        } finally {
            close();
        }
    }

    /** Lets go of the nodes. */
    @Override
    public void close() {
        snapshot.close();
    }
}

package io.persist.index;

import io.persist.error.IndexFullException;
import io.persist.index.memory.IndexMemory;
import io.persist.index.node.Node;
import io.persist.index.read.OpenSnapshots;

/**
 * How many nodes changes of an index may need, and how many can be had.
 *
 * <p><b>Threads:</b> those of the index.
 */
final class NodeNeeds {

    /** So many puts are counted with the worst keys there can be. */
    static final int SURE_PUTS = 1024;

    /** One in so many nodes is kept back. */
    static final int KEPT_BACK_PART = 32;

    /** Of the puts beyond, one in so many gets a node; so many usual keys make it less than half full. */
    static final int FURTHER_PUTS_PER_NODE = 16;

    /** What an entry of a leaf takes beside its key. */
    private static final int BYTES_PER_KEY = 20;

    /** Of a leaf that was split, half is in use; with keys that have little in common that is all they need. */
    private static final int SURE_BYTES_PER_NODE = Node.LENGTH / 2;

    /** Of the nodes of a tree one in so many is an inner one, or fewer. */
    private static final int INNER_PART = 32;

    private final IndexMemory memory;
    private final OpenSnapshots snapshots;
    private final Tree tree;

    NodeNeeds(IndexMemory memory, OpenSnapshots snapshots, Tree tree) {
        this.memory = memory;
        this.snapshots = snapshots;
        this.tree = tree;
    }

    /** For so many puts beside as many snapshots as are open. */
    long of(int puts) {
        return of(puts, snapshots.count());
    }

    /** The same beside {@code open} snapshots. */
    long of(int puts, int open) {
        int sure = Math.min(puts, SURE_PUTS);
        return NodesPerPut.most(sure, tree.height(), open) + (puts - sure) / FURTHER_PUTS_PER_NODE;
    }

    /** The leaves that so many new keys of {@code keyBytes} together fill. */
    static long leavesOf(int puts, long keyBytes) {
        return (keyBytes + (long) puts * BYTES_PER_KEY) / SURE_BYTES_PER_NODE;
    }

    /** The inner nodes of the tree, or more. */
    int inner() {
        return memory.nodes().size() / INNER_PART + tree.height();
    }

    /** What is free, and what may be allocated. */
    long unused() {
        return memory.freeNodes() + memory.frames().limit() - memory.frames().allocated();
    }

    /** What can be had at once, if all that may go give their memory up. */
    long attainable() {
        return unused() + memory.mayGoAtMost();
    }

    /** What is left to removals and reads, if memory is short. */
    int keptBack() {
        return isPressed() ? memory.frames().limit() / KEPT_BACK_PART : 0;
    }

    boolean isPressed() {
        return isMuch(Math.max(memory.nodes().size(), memory.frames().allocated()));
    }

    boolean isMuch(long nodes) {
        return nodes > memory.frames().goal() / 8 * 3;
    }

    /** What is thrown if {@code missing} nodes are not to be had. */
    IndexFullException full(long missing) {
        return memory.frames().full(missing, memory.nodes().dirty());
    }
}

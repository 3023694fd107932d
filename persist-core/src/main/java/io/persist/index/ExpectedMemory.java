package io.persist.index;

import io.persist.error.IndexFullException;
import io.persist.index.memory.IndexMemory;
import io.persist.index.read.OpenSnapshots;

/**
 * What is promised of the memory to a large transaction that is to come, or has come and is not in the index yet: a
 * commit leaves it so much. Its puts and removes come one by one.
 *
 * <p>First {@link #promise} says how much it is, and {@link #keepNodes} keeps what is read for it. Then {@link
 * #reserveSome} makes memory free until all is there, or {@link #reserve} does so at once. {@link #isReady} tells if
 * others have taken some of it since. A promise of nothing, and {@link #releaseNodes}, end it.
 *
 * <pre>
 *   nodes        for new keys as of a commit, but the leaves that they fill at least. If snapshots are open, for all
 *                changes in place of new keys
 *   with copies  the nodes of new keys without snapshots, and of one put with them, and so many copies; but nodes at
 *                least
 *   copies       none without snapshots; else a leaf for each change, and the inner nodes, but not more than there are
 * </pre>
 *
 * <p><b>Threads:</b> those of the index.
 */
public final class ExpectedMemory {

    /** So many nodes are made free at a time: one chunk is allocated at most. */
    private static final int NODES_PER_STEP = 128;

    private final NodeNeeds needs;
    private final IndexMemory memory;
    private final OpenSnapshots snapshots;
    private final Tree tree;

    private int changes;

    /** So many of these, or fewer, are puts of keys that are not there. */
    private int newKeys;

    /** The bytes of those keys. */
    private long keyBytes;

    ExpectedMemory(NodeNeeds needs, IndexMemory memory, OpenSnapshots snapshots, Tree tree) {
        this.needs = needs;
        this.memory = memory;
        this.snapshots = snapshots;
        this.tree = tree;
    }

    /**
     * From now on the memory for so many puts and removes is promised. With 0 that ends.
     *
     * @param itsNewKeys so many of them at most put a key that is not there
     * @param itsKeyBytes of those keys
     */
    public void promise(int itsChanges, int itsNewKeys, long itsKeyBytes) {
        changes = itsChanges;
        newKeys = itsNewKeys;
        keyBytes = itsKeyBytes;
    }

    boolean isPromised() {
        return changes > 0;
    }

    /** A key that is there takes no memory, unless a snapshot has its leaf copied. */
    long nodes() {
        return nodes(snapshots.count() == 0 ? newKeys : changes, snapshots.count());
    }

    private long nodes(int taking, int open) {
        return Math.max(needs.of(taking, open), NodeNeeds.leavesOf(newKeys, keyBytes));
    }

    /** The same if it makes so many copies for snapshots. */
    private long nodesAnd(long copies) {
        long alone = nodes(newKeys, 0) + needs.of(1);
        return copies == 0 ? nodes() : Math.max(nodes(), alone + copies);
    }

    /** So many of these nodes have to be copied, or fewer: each change is of a leaf of its own at worst. */
    private long mostCopies(int all) {
        return snapshots.count() == 0 ? 0 : Math.min(changes + needs.inner(), all);
    }

    /**
     * What was loaded since {@link KeyIndex#unpin} is kept: it stays in memory until {@link #releaseNodes}, whatever is
     * loaded and unpinned meanwhile; so does each node that gets keys or children of it.
     */
    public void keepNodes() {
        memory.nodes().keepPinned();
    }

    /** The same for all nodes, if all are in memory. The time it takes is 1/32,000 of their size. */
    public void keepAllNodes() {
        memory.nodes().keepAll();
    }

    /** Nodes that are kept need not stay in memory any more. */
    public void releaseNodes() {
        if (memory.nodes().release()) {
            memory.unstick();
        }
    }

    /** Whether memory that nothing is in is enough: then no node need go for that. */
    public boolean hasUnused() {
        return needs.unused() >= nodesAnd(mostCopies(memory.nodes().size())) + needs.keptBack();
    }

    /**
     * Makes some memory free; returns whether all is there. It takes bounded time, and is to be called again then.
     *
     * @throws IndexFullException if there is not that much memory; the index is as it was
     */
    public boolean reserveSome() {
        long wanted = nodes() + needs.keptBack();
        if (memory.freeNodes() < wanted && !snapshots.freeSome(NODES_PER_STEP)) {
            memory.ensure(Math.min(wanted, memory.freeNodes() + NODES_PER_STEP), wanted);
        }
        return memory.freeNodes() >= wanted;
    }

    /**
     * Makes all memory free, and throws as {@link #reserveSome} does; also if there cannot be memory for all nodes that
     * have to be copied for a snapshot.
     */
    public void reserve() {
        tree.ensure(nodes());
        long most = mostCopies(memory.nodes().kept());
        if (nodesAnd(most) > needs.attainable()) {
            long missing = nodesAnd(Math.min(snapshots.keptNodes(), most)) - needs.attainable();
            if (missing > 0) {
                throw needs.full(missing);
            }
        }
    }

    /** Whether there still is the memory for it. */
    public boolean isReady() {
        return memory.freeNodes() >= nodes();
    }

    /**
     * Whether there is memory, beside what is promised, for the copies of nodes that so many puts and removes make if a
     * snapshot is taken now.
     */
    public boolean hasCopies(int itsChanges) {
        long copies = Math.min((long) itsChanges * tree.height(), memory.nodes().size());
        return needs.unused() >= copies + nodes(changes, snapshots.count());
    }
}

package io.persist.index;

import io.persist.error.IndexFullException;
import io.persist.index.memory.IndexMemory;
import io.persist.index.node.Node;
import io.persist.index.read.OpenSnapshots;

/**
 * What an index may still have of its memory, and what of that is promised. Nodes that the source has as they are give
 * their memory up when it is needed; nodes that have changed do so after an image of them has become the source.
 *
 * <p><b>Threads:</b> those of the index.
 */
public final class MemoryBudget {

    /** For so many puts {@link #reserve} counts with the worst keys there can be. */
    static final int SURE_PUTS = 1024;

    /** Of the puts beyond, one in so many gets a node; so many usual keys make it less than half full. */
    private static final int FURTHER_PUTS_PER_NODE = 16;

    /** What an entry of a leaf takes beside its key. */
    private static final int BYTES_PER_KEY = 20;

    /** Of a leaf that was split, half is in use; with keys that have little in common that is all they need. */
    private static final int SURE_BYTES_PER_NODE = Node.LENGTH / 2;

    private static final int NODES_PER_CHANGE = 64;

    /** So many nodes are made free at a time: one chunk is allocated at most. */
    private static final int NODES_PER_STEP = 128;

    /** One in so many nodes is kept back. */
    static final int KEPT_BACK_PART = 32;

    /** Of the nodes of a tree one in so many is an inner one, or fewer. */
    private static final int INNER_PART = 32;

    /**
     * How an index uses its memory, in nodes of 4 KiB.
     *
     * @param most that memory may have if there is no other index
     * @param all of the tree
     * @param inMemory of these
     * @param dirty of the tree that cannot be read again as they are, and so have to be in memory
     * @param read since the index was opened, without those that snapshots have read for themselves
     * @param evicted since the index was opened: they had to give their memory up
     */
    public record Use(long most, long all, long inMemory, long dirty, long read, long evicted) {}

    private final IndexMemory memory;
    private final OpenSnapshots snapshots;
    private final Tree tree;

    /** So many changes are to come whose memory is not for others. */
    private int expectedChanges;

    /** So many of these, or fewer, are puts of keys that are not there. */
    private int expectedNewKeys;

    /** The bytes of those keys. */
    private long expectedBytes;

    /** So many changes are to come whose memory others may use only if it can be had back. */
    private int laterChanges;

    private long laterBytes;

    MemoryBudget(IndexMemory memory, OpenSnapshots snapshots, Tree tree) {
        this.memory = memory;
        this.snapshots = snapshots;
        this.tree = tree;
    }

    /** The nodes for {@code puts} puts, and those that are not for them. */
    private long nodesBeside(int puts) {
        return nodesFor(puts, snapshots.count()) + (expectedChanges == 0 ? 0 : nodesExpected());
    }

    private long nodesFor(int puts, int open) {
        int sure = Math.min(puts, SURE_PUTS);
        return NodesPerPut.most(sure, tree.height(), open) + (puts - sure) / FURTHER_PUTS_PER_NODE;
    }

    /** A key that is there takes no memory, unless a snapshot has its leaf copied. */
    private long nodesExpected() {
        return nodesExpected(snapshots.count() == 0 ? expectedNewKeys : expectedChanges, snapshots.count());
    }

    private long nodesExpected(int taking, int open) {
        return Math.max(nodesFor(taking, open), leavesOf(expectedNewKeys, expectedBytes));
    }

    /** The nodes for what is expected if it makes so many copies for snapshots. */
    private long nodesExpectedAnd(long copies) {
        long alone = nodesExpected(expectedNewKeys, 0) + nodesFor(1, snapshots.count());
        return copies == 0 ? nodesExpected() : Math.max(nodesExpected(), alone + copies);
    }

    /** So many nodes have to be copied for what is expected, or fewer: each changes a leaf of its own at worst. */
    private long mostCopies(int nodes) {
        return snapshots.count() == 0 ? 0 : Math.min(expectedChanges + innerNodes(), nodes);
    }

    private int innerNodes() {
        return memory.nodes().size() / INNER_PART + tree.height();
    }

    private static long leavesOf(int puts, long keyBytes) {
        return (keyBytes + (long) puts * BYTES_PER_KEY) / SURE_BYTES_PER_NODE;
    }

    /** Whether nothing has to be loaded for any {@code puts} puts and removes, and memory is free for them. */
    public boolean isReady(int puts) {
        return memory.unloadedNodes() == 0 && laterChanges == 0 && memory.freeNodes() >= nodesBeside(puts);
    }

    /**
     * Makes sure that the next {@code puts} puts and removes find memory, whatever their keys are, if no snapshot is
     * taken in between. That is sure for the first {@value #SURE_PUTS}; for each further one it provides 256 bytes,
     * which is much more than real keys need. It is cheap if the memory is there. It leaves some to removals and reads:
     * without that there may be none to take the keys of a removed range out, which an image waits for.
     *
     * @throws IndexFullException if there is not that much memory; the index is as it was
     */
    public void reserve(int puts) {
        long wanted = nodesBeside(puts) + keptBack();
        long beside = wanted + nodesLater(laterChanges, laterBytes);
        if (laterChanges > 0 && !reserveMemory(beside)) {
            throw memory.frames()
                    .full(Math.max(1, beside - attainable()), memory.nodes().dirty());
        }
        tree.ensure(wanted);
    }

    /** The nodes for changes of so many keys: each changes a leaf of its own at worst, and some make new ones. */
    private long nodesLater(int changes, long keyBytes) {
        long size = memory.nodes().size();
        long unchanged = size - memory.nodes().dirty();
        return Math.min(changes + innerNodes(), unchanged)
                + NodesPerPut.most(1, tree.height(), snapshots.count())
                + Math.max(changes / FURTHER_PUTS_PER_NODE, leavesOf(changes, keyBytes));
    }

    /** How many nodes can be had at once, if all that may go give their memory up. */
    private long attainable() {
        return unused() + memory.mayGoAtMost();
    }

    /** The same of this index alone: others get none of it before the changes that come later have come. */
    private boolean reserveMemory(long nodes) {
        return memory.frames().reserve(nodes - memory.freeNodes() - memory.mayGoAtMost());
    }

    /** Whether there is memory for changes of so many keys; others get none of it until {@link #expectLater} ends. */
    public boolean reserveLater(int changes, long keyBytes) {
        return reserveMemory(nodesLater(changes, keyBytes) + keptBack());
    }

    /** From now on {@link #reserve} leaves to changes of so many keys what can be had, not what is free. 0 ends it. */
    public void expectLater(int changes, long keyBytes) {
        if (laterChanges > 0 && changes == 0) {
            memory.frames().release();
        }
        laterChanges = changes;
        laterBytes = keyBytes;
    }

    private int keptBack() {
        return isPressed() ? memory.frames().limit() / KEPT_BACK_PART : 0;
    }

    /**
     * From now on what {@link #reserve} and {@link #isReady} are asked for has to be there
     * beside the memory for so many puts and removes, which come one by one. With 0 that ends.
     *
     * @param newKeys so many of them at most put a key that is not there
     * @param keyBytes of those keys
     */
    public void expect(int changes, int newKeys, long keyBytes) {
        expectedChanges = changes;
        expectedNewKeys = newKeys;
        expectedBytes = keyBytes;
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

    /** Whether memory that nothing is in is enough for what is expected: then no node need go for that. */
    public boolean hasUnusedForExpected() {
        return unused() >= nodesExpectedAnd(mostCopies(memory.nodes().size())) + keptBack();
    }

    /** In nodes: what is free, and what may be allocated. */
    private long unused() {
        return memory.freeNodes() + memory.frames().limit() - memory.frames().allocated();
    }

    /**
     * Makes some memory free for what is expected; returns whether all is there. It takes bounded time, and is to be
     * called again then.
     *
     * @throws IndexFullException if there is not that much memory; the index is as it was
     */
    public boolean reserveSomeExpected() {
        long wanted = nodesExpected() + keptBack();
        if (memory.freeNodes() < wanted && !snapshots.freeSome(NODES_PER_STEP)) {
            memory.ensure(Math.min(wanted, memory.freeNodes() + NODES_PER_STEP), wanted);
        }
        return memory.freeNodes() >= wanted;
    }

    /**
     * Makes all memory free for what is expected, and throws as {@link #reserveSomeExpected} does; also if there cannot
     * be memory for all nodes that have to be copied for a snapshot.
     */
    public void reserveExpected() {
        tree.ensure(nodesExpected());
        long most = mostCopies(memory.nodes().kept());
        if (nodesExpectedAnd(most) > attainable()) {
            long missing = nodesExpectedAnd(Math.min(snapshots.keptNodes(), most)) - attainable();
            if (missing > 0) {
                throw memory.frames().full(missing, memory.nodes().dirty());
            }
        }
    }

    /** What is thrown if others have what a caller needs, a node at least. */
    public IndexFullException full() {
        return memory.frames().full(1, memory.nodes().dirty());
    }

    boolean isPromised() {
        return expectedChanges + laterChanges > 0;
    }

    /** Whether there still is the memory for what is expected. */
    public boolean isReadyForExpected() {
        return memory.freeNodes() >= nodesExpected();
    }

    /**
     * Whether there is memory, beside what is expected, for the copies of nodes that so many puts and removes make if a
     * snapshot is taken now.
     */
    public boolean hasCopies(int changes) {
        long copies = Math.min((long) changes * tree.height(), memory.nodes().size());
        return unused() >= copies + nodesExpected(expectedChanges, snapshots.count());
    }

    /**
     * Makes sure of memory for {@code puts} puts of keys that are there.
     *
     * @throws IndexFullException if there is not that much memory; the index is as it was
     */
    public void reserveForReplacing(int puts) {
        tree.ensure(snapshots.count() == 0 ? 0 : (long) puts * tree.height()); // copies
    }

    /** So many changes at once leave most of the memory to others, even if a snapshot has each of them copy nodes. */
    public int changesAtOnce() {
        return Math.max(1, Math.min(SURE_PUTS, memory.frames().limit() / NODES_PER_CHANGE));
    }

    /**
     * Whether the tree or its memory has come so near to the memory's limit that nodes may have to give their memory
     * up. It is the time to give the index the source that has the last image.
     */
    public boolean isPressed() {
        return isMuch(Math.max(memory.nodes().size(), memory.frames().allocated()));
    }

    /** Whether so many nodes have changed that an image should be made. */
    public boolean needsImage() {
        return isMuch(memory.nodes().changed());
    }

    private boolean isMuch(long nodes) {
        return nodes > memory.frames().goal() / 8 * 3;
    }

    /** How many nodes the source has not as they are; they could give their memory up after an image. */
    public int dirtyNodes() {
        return memory.nodes().dirty();
    }

    /** How many nodes were read since the index was made, without those that snapshots have read. */
    public long nodesRead() {
        return memory.nodes().read();
    }

    /** What the memory is used for. */
    public Use use() {
        return new Use(
                memory.frames().most(),
                memory.nodes().size(),
                memory.frames().allocated() == 0 ? 0 : memory.nodes().size() - memory.unloadedNodes(),
                memory.nodes().dirty(),
                memory.nodes().read(),
                memory.nodes().evicted());
    }
}

package io.persist.index;

import io.persist.error.IndexFullException;
import io.persist.index.memory.IndexMemory;
import io.persist.index.memory.NodeChunks;
import io.persist.index.read.OpenSnapshots;

/**
 * What an index may still have of its memory, and what of that is promised: to a commit that is under way, to a large
 * transaction that is {@linkplain #expected expected}, and to changes that come {@linkplain #later later}. Nodes that
 * the source has as they are give their memory up when it is needed; nodes that have changed do so after an image of
 * them has become the source.
 *
 * <p><b>Threads:</b> those of the index.
 */
public final class MemoryBudget {

    private static final int NODES_PER_CHANGE = 64;

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
    private final NodeNeeds needs;
    private final ExpectedMemory expected;
    private final LaterMemory later;

    MemoryBudget(IndexMemory memory, OpenSnapshots snapshots, Tree tree) {
        this.memory = memory;
        this.snapshots = snapshots;
        this.tree = tree;
        this.needs = new NodeNeeds(memory, snapshots, tree);
        this.expected = new ExpectedMemory(needs, memory, snapshots, tree);
        this.later = new LaterMemory(needs, memory);
    }

    /** What is promised to a large transaction. */
    public ExpectedMemory expected() {
        return expected;
    }

    /** What is promised to changes that the log has, and the index gets later. */
    public LaterMemory later() {
        return later;
    }

    boolean isPromised() {
        return expected.isPromised() || later.isPromised();
    }

    /** The nodes for {@code puts} puts, and those that are not for them. */
    private long nodesBeside(int puts) {
        return needs.of(puts) + (expected.isPromised() ? expected.nodes() : 0);
    }

    /** Whether nothing has to be loaded for any {@code puts} puts and removes, and memory is free for them. */
    public boolean isReady(int puts) {
        return memory.unloadedNodes() == 0 && !later.isPromised() && memory.freeNodes() >= nodesBeside(puts);
    }

    /**
     * Makes sure that the next {@code puts} puts and removes find memory, whatever their keys are, if no snapshot is
     * taken in between. That is sure for the first {@value NodeNeeds#SURE_PUTS}; for each further one it provides 256
     * bytes, which is much more than real keys need. It is cheap if the memory is there. It leaves some to removals and
     * reads: without that there may be none to take the keys of a removed range out, which an image waits for.
     *
     * @throws IndexFullException if there is not that much memory; the index is as it was
     */
    public void reserve(int puts) {
        long wanted = nodesBeside(puts) + needs.keptBack();
        if (later.isPromised()) {
            later.reserveBeside(wanted);
        }
        tree.ensure(wanted);
    }

    /**
     * Makes sure of memory for {@code puts} puts of keys that are there.
     *
     * @throws IndexFullException if there is not that much memory; the index is as it was
     */
    public void reserveForReplacing(int puts) {
        tree.ensure(snapshots.count() == 0 ? 0 : (long) puts * tree.height()); // copies
    }

    /** What is thrown if others have what a caller needs, a node at least. */
    public IndexFullException full() {
        return needs.full(1);
    }

    /** So many changes at once leave most of the memory to others, even if a snapshot has each of them copy nodes. */
    public int changesAtOnce() {
        return Math.max(1, Math.min(NodeNeeds.SURE_PUTS, memory.frames().limit() / NODES_PER_CHANGE));
    }

    /**
     * Whether the tree or its memory has come so near to the memory's limit that nodes may have to give their memory
     * up. It is the time to give the index the source that has the last image.
     */
    public boolean isPressed() {
        return needs.isPressed();
    }

    /** Whether so many nodes have changed that an image should be made. */
    public boolean needsImage() {
        return needs.isMuch(memory.nodes().changed());
    }

    /**
     * Whether a chunk could be given to another index if the source had all nodes as they are. None can while a
     * snapshot reads nodes where they lie, nor if the memory has what only snapshots need.
     */
    public boolean couldGiveChunk() {
        long room = memory.freeNodes() + memory.nodes().size() - memory.unloadedNodes();
        return snapshots.newestInPlaceVersion() == 0 && room >= NodeChunks.NODES_PER_CHUNK;
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

package io.persist.index;

import io.persist.error.IndexFullException;
import io.persist.index.memory.DirectMemory;
import io.persist.index.memory.FrameMemory;
import io.persist.index.memory.IndexMemory;
import io.persist.index.memory.NodeView;
import io.persist.index.node.KeyBuffer;
import io.persist.index.node.Node;
import io.persist.index.node.NodeSet;
import io.persist.index.node.NodeSource;
import io.persist.index.read.IndexCursor;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.Location;
import io.persist.index.read.OpenSnapshots;
import io.persist.index.read.OptimisticLookup;
import io.persist.index.read.TreeState;
import java.util.function.Consumer;

/**
 * An ordered map from keys to where their values lie in the log, compact and off the heap. Keys are of 1 to {@value
 * KeyBuffer#MAX_LENGTH} bytes, in the order of unsigned bytes.
 *
 * <p>A {@link #snapshot} is the state at one moment. While there is one, the first change to a node copies it; without
 * one, everything is changed in place. So a snapshot costs what is changed as long as it is open.
 *
 * <p><b>Threads:</b> one at a time, under a lock of the caller, also for {@link IndexSnapshot#close}. Without that lock
 * {@link #addSpare} may be called, one other thread may read an open snapshot, and any thread that has an {@link
 * OptimisticLookup} may look keys up.
 *
 * <p><b>Allocation:</b> direct memory in chunks of 1 MiB, which all indexes of a process share; no garbage but for
 * each snapshot a few objects.
 */
public final class KeyIndex implements AutoCloseable {

    private final IndexMemory memory;
    private final OpenSnapshots snapshots;
    private final Tree tree;
    private final LeavesBeside leavesBeside;
    private final MemoryBudget budget;
    private final Consumer<IndexSnapshot> onClose;
    private boolean closed;

    /**
     * An empty index.
     *
     * @throws IndexFullException if there is no direct memory for its first chunk
     */
    public KeyIndex() {
        this(Long.MAX_VALUE);
    }

    /** The same, of at most so many bytes of memory; 0 stands for what {@link DirectMemory} says. */
    public KeyIndex(long maxMemoryBytes) {
        this(new IndexMemory(orShare(maxMemoryBytes), new NodeSet(new long[1]), 0, NodeSource.NONE));
    }

    KeyIndex(IndexMemory memory) {
        this(memory, TreeState.empty(memory));
    }

    private KeyIndex(IndexMemory memory, TreeState state) {
        this.memory = memory;
        this.snapshots = new OpenSnapshots(memory);
        this.tree = new Tree(memory, snapshots, state);
        this.leavesBeside = new LeavesBeside(memory);
        this.onClose = snapshots::remove;
        this.budget = new MemoryBudget(memory, snapshots, tree);
        showChanges();
    }

    /**
     * The index of an image. Its nodes are read when they are needed.
     *
     * @param maxMemoryBytes for nodes in memory; 0 stands for what {@link DirectMemory} says
     * @param state which tree it is
     * @param nodes the ids of its nodes
     * @param idLimit is above all ids
     * @param source has the nodes; the index closes it
     */
    public KeyIndex(long maxMemoryBytes, TreeState state, NodeSet nodes, int idLimit, NodeSource source) {
        this(new IndexMemory(orShare(maxMemoryBytes), nodes, idLimit, source), state);
    }

    private static long orShare(long maxMemoryBytes) {
        return maxMemoryBytes == 0 ? DirectMemory.shareOfIndex() : maxMemoryBytes;
    }

    /** Whether there is the key; if so, {@code found} is where its value lies. */
    public boolean get(KeyBuffer key, Location found) {
        checkOpen();
        return tree.get(key, found);
    }

    /** For one thread that looks keys up without the lock. Any thread may call this. */
    public OptimisticLookup optimisticLookup() {
        return new OptimisticLookup(memory.liveView());
    }

    /** What was changed is seen by lookups without the lock from now on: all of it, or they have to take the lock. */
    public void showChanges() {
        memory.show(tree.root(), tree.height());
    }

    /**
     * Puts a key or gives it another place.
     *
     * @return whether it was there; if so, {@code replaced} is where its value lay
     * @throws IndexFullException if there is no memory and none was reserved; nothing has changed then
     * @throws IllegalArgumentException if the key is empty
     */
    public boolean put(KeyBuffer key, long position, int length, Location replaced) {
        checkOpen();
        if (key.length() == 0) {
            throw new IllegalArgumentException("key is empty, length=0; set it first");
        }
        return tree.put(key, position, length, replaced);
    }

    /**
     * Takes a key away. Needs memory only while a snapshot is open.
     *
     * @return whether it was there; if so, {@code removed} is where its value lay
     * @throws IndexFullException if there is no memory and none was reserved; nothing has changed then
     */
    public boolean remove(KeyBuffer key, Location removed) {
        checkOpen();
        return tree.remove(key, removed);
    }

    /**
     * Takes all keys of a leaf away, if {@code first} is the first of them and {@code removal} lets all of them go.
     *
     * @return whether they went
     * @throws IndexFullException as {@link #remove} does
     */
    public boolean removeLeaf(KeyBuffer first, LeafRemoval removal) {
        checkOpen();
        return tree.removeLeaf(first, removal);
    }

    /** A new cursor over the keys as they are, which has to be told where to go after each change to the index. */
    public IndexCursor cursor() {
        checkOpen();
        return new IndexCursor(tree);
    }

    /** How many keys there are. */
    public long size() {
        return tree.size();
    }

    /** Whether {@link #addSpare} would allocate a chunk: the next one will be needed soon. Without the lock a guess. */
    public boolean needsSpare() {
        return memory.needsSpare();
    }

    /**
     * Allocates a chunk ahead, if it {@linkplain #needsSpare seems to be needed}, so that no put waits for that. Does
     * nothing if there is no direct memory. Any thread, without the lock.
     */
    public void addSpare() {
        if (needsSpare()) {
            memory.frames().addSpare();
        }
    }

    /** Where its nodes are: chunks of memory, which the indexes of a process share. */
    public FrameMemory frames() {
        return memory.frames();
    }

    /** Gives a chunk to another index; false if what is in it has to stay there. */
    public boolean giveChunkBack() {
        return !closed && !budget.isPromised() && memory.giveChunkBack();
    }

    /** The state at this moment, which the caller has to close. It takes bounded time. A new version begins. */
    public IndexSnapshot snapshot() {
        return snapshot(budget.isPressed());
    }

    private IndexSnapshot snapshot(boolean copies) {
        checkOpen();
        NodeView view = copies ? memory.copyingView() : memory.view();
        IndexSnapshot snapshot = new IndexSnapshot(onClose, view, tree.endVersion());
        snapshots.add(snapshot);
        return snapshot;
    }

    /** This moment's state to be written, which has to be closed. The time it takes is 1/32,000 of its nodes' size. */
    public IndexImage image(IndexImage.Scope scope) {
        NodeSet live = memory.nodes().live();
        NodeSet changed = memory.nodes().takeChanged();
        return new IndexImage(snapshot(true), memory, live, changed, scope);
    }

    /** What the memory of the index is used for, and how much of it there is for changes. */
    public MemoryBudget budget() {
        return budget;
    }

    /** Bytes of the nodes of the tree, in memory or not. */
    public long treeBytes() {
        return (long) memory.nodes().size() * Node.LENGTH;
    }

    /** How many nodes an image of {@link IndexImage.Scope#CHANGED} would have. */
    public int changedNodes() {
        return memory.nodes().changed();
    }

    /** How many nodes of the tree are not in memory. */
    public long unloadedNodes() {
        return memory.unloadedNodes();
    }

    /**
     * From now on nodes that are not in memory are read from {@code source}, which has those of the last image. That is
     * so for open snapshots too: what is not the tree's any more stays in memory as long as one of them needs it.
     *
     * @return where they were read from before, which the caller closes, at best without the lock
     */
    public NodeSource source(NodeSource source) {
        return memory.source(source);
    }

    /** From where nodes that are not in memory are read. */
    public NodeSource source() {
        return memory.source();
    }

    /**
     * Reads what a change of the key needs, if that is not in memory. It stays there until {@link #unpin}, so the
     * change reads nothing if no other one comes in between but those that are loaded too; {@link #loadToRemove} is
     * for removes. Returns whether the key is there.
     *
     * @throws io.persist.error.CorruptLogException if a node is damaged
     * @throws io.persist.error.LogIOException if a node cannot be read
     * @throws IndexFullException if there is no memory for it
     */
    public boolean load(KeyBuffer key) {
        checkOpen();
        return tree.load(key);
    }

    /** The same for a remove, after which there may be a leaf less. */
    public void loadToRemove(KeyBuffer key) {
        checkOpen();
        tree.loadToRemove(key, leavesBeside);
    }

    /** What was loaded need not stay in memory any more. */
    public void unpin() {
        memory.unpin();
        leavesBeside.clear();
    }

    /** The version of the changes from now on: 1, and one more after each snapshot. */
    public long version() {
        return tree.version();
    }

    /** The version of the oldest open snapshot, {@link Long#MAX_VALUE} if there is none. */
    public long oldestSnapshot() {
        return snapshots.oldestVersion();
    }

    /** The number of snapshots that are open. */
    public int openSnapshots() {
        return snapshots.count();
    }

    /** The direct memory that was allocated, in bytes. */
    public long memoryBytes() {
        return memory.frames().bytes();
    }

    /** What of it is in use: by the nodes of the index, and by those that only snapshots need. */
    public long usedBytes() {
        int allocated = memory.frames().allocated();
        return allocated == 0 ? 0 : (allocated - memory.freeNodes()) * Node.LENGTH; // 0 once the memory has gone
    }

    /**
     * Nothing is read any more, but by snapshots that are open, and nothing changed. Memory goes when none of them is
     * open, whoever refers to this.
     */
    public void end() {
        if (!closed) {
            closed = true;
            snapshots.end();
        }
    }

    /** Ends its use as {@link #end} does. Snapshots that are open may still be read, if all nodes are in memory. */
    @Override
    public void close() {
        end();
        memory.source().close();
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("index is closed");
        }
    }

    Tree tree() {
        return tree;
    }

    IndexMemory memory() {
        return memory;
    }

    OpenSnapshots snapshots() {
        return snapshots;
    }
}

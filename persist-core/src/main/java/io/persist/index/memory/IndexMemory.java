package io.persist.index.memory;

import io.persist.error.IndexFullException;
import io.persist.index.node.NewNodes;
import io.persist.index.node.Node;
import io.persist.index.node.NodeList;
import io.persist.index.node.NodeSet;
import io.persist.index.node.NodeSource;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * The nodes of an index, by their ids: which there are, in which frame of memory each of them lies, and which have
 * changed since the last image. A node that was not needed yet since the index was restored lies in no frame: it is
 * read when it is needed. If all frames are given out then, a node that the source has as it is gives up its own.
 *
 * <p>A call that reads a node may take the frame of another one away, but not of those that were pinned or that {@link
 * #keep} tells of. So a window is good until the next node is read.
 *
 * <p><b>Threads:</b> one at a time, but for {@link FrameMemory#addSpare}. A snapshot's reader has a {@link NodeView}.
 */
public final class IndexMemory implements NewNodes {

    /** A spare chunk is wanted when fewer frames than this are free, and than were ever wanted at once. */
    private static final int SPARE_BELOW = NodeChunks.NODES_PER_CHUNK / 2;

    private final FrameMemory frames;
    private final FrameClock clock = new FrameClock();
    private final FrameTable table;
    private final Node window = new Node();
    private final IntPredicate mayGo = this::mayGo;
    private final NodeList free = new NodeList(); // ids that have a frame
    private final FreeIds frameless;
    private final NodeStates nodes;
    private final ChunkEmptier emptier;
    private IntPredicate isOnPath = id -> false; // of the change that is under way
    private LongSupplier versionInPlace = () -> 0; // up to which snapshots read nodes where they lie; 0 if none does
    private long mostWanted;
    private boolean isStuck; // whether no node may go, as long as nothing that matters for that has happened

    /** Memory of {@code maxBytes} at most, with the nodes of an image, whose ids are below {@code idLimit}. */
    public IndexMemory(long maxBytes, NodeSet live, int idLimit, NodeSource source) {
        this(maxBytes, live, idLimit, source, ProcessChunks.OF_PROCESS);
    }

    IndexMemory(long maxBytes, NodeSet live, int idLimit, NodeSource source, ProcessChunks process) {
        this.frames = new FrameMemory(maxBytes, process, System::nanoTime);
        this.nodes = new NodeStates(live);
        this.frameless = new FreeIds(live, idLimit);
        this.table = new FrameTable(Math.max(idLimit, NodeChunks.NODES_PER_CHUNK), frames.chunks(), source);
        this.emptier = new ChunkEmptier(frames, table, clock, nodes, frameless, free, mayGo, this::freeFrame);
    }

    /** From now on nodes stay that are on the path of a change, or that a snapshot reads where they lie. */
    public void keep(IntPredicate newIsOnPath, LongSupplier newVersionInPlace) {
        isOnPath = newIsOnPath;
        versionInPlace = newVersionInPlace;
    }

    /**
     * Moves the window {@code node} to the node {@code id}, which is read first if it is not in memory.
     *
     * @throws IndexFullException if it has to be read, and there is no memory for it
     */
    @Override
    public Node wrap(Node node, int id) {
        int frame = table.ownFrame(id);
        if (frame == Node.NONE) {
            frame = load(id); // may put another array in place of the chunks
            if (frame == Node.NONE) {
                throw frames.full(1, nodes.dirty());
            }
        }
        return NodeChunks.wrap(node, frames.chunks(), frame, id);
    }

    /** The same for a node that has to be at {@code level}. */
    public Node wrapToChange(Node node, int id, int level) {
        return wrap(node, id).checkLevel(level, table);
    }

    /** The same to read a node that has to be at {@code level}; if there is no memory, the window gets a copy of it. */
    public Node wrap(Node node, int id, int level) {
        int frame = table.ownFrame(id);
        if (frame == Node.NONE) {
            frame = load(id);
        } else if (level == Node.LEAF) {
            clock.use(frame);
        }
        if (frame == Node.NONE) {
            return node.read(table.source(), id).checkLevel(level, table);
        }
        return NodeChunks.wrap(node, frames.chunks(), frame, id).checkLevel(level, table);
    }

    /** Whether the node need not be read. */
    public boolean isLoaded(int id) {
        return table.ownFrame(id) != Node.NONE;
    }

    /** Reads a node into a frame; returns that, {@link Node#NONE} if there is none to be had. */
    private int load(int id) {
        nodes.countRead();
        if (freeNodes() == 0 && !freeOne()) {
            return Node.NONE;
        }
        int frame;
        if (frames.fresh() > 0) {
            frame = frames.take();
        } else {
            int other = free.first();
            free.removeFirst(wrap(window, other));
            frame = table.ownFrame(other);
            table.evict(other); // a reader without the lock may have come late
            frameless.giveBack(other);
        }
        try {
            NodeChunks.wrap(window, frames.chunks(), frame, id);
            table.source().read(id, window.buffer(), window.base());
        } catch (RuntimeException | Error e) {
            freeFrame(frame);
            throw e;
        }
        clock.put(frame, id);
        clock.noteRead(frame, window.level());
        unstick();
        table.put(id, frame);
        return frame;
    }

    /** Takes the frame of a node that can be read again away; false if there is none. */
    private boolean evictOne() {
        clock.start();
        if (isStuck || mayGoAtMost() == 0) {
            return false;
        }
        int id = clock.next(frames.givenOut(), mayGo);
        if (id == Node.NONE) {
            isStuck = true;
            return false;
        }
        int frame = table.ownFrame(id);
        table.evict(id);
        nodes.countEvicted();
        freeFrame(frame);
        return true;
    }

    private boolean mayGo(int id) {
        long inPlace = versionInPlace.getAsLong();
        boolean isUnused = nodes.mayGo(id) && !isOnPath.test(id);
        return isUnused && (inPlace == 0 || wrap(window, id).version() > inPlace);
    }

    /** Gives a frame that has no node to a free id. */
    private void freeFrame(int frame) {
        int id = nextFreeId();
        table.put(id, frame);
        clock.put(frame, id);
        free.addFirst(wrap(window, id));
    }

    /** Has at least one more node free; false if there is none to be had. */
    private boolean freeOne() {
        boolean isThere = frames.addChunk() || evictOne() || frames.awaitChunk();
        table.chunks(frames.chunks());
        return isThere;
    }

    /** Gives a chunk back, so that another index can have it; false if what is in it has to stay as it is. */
    public boolean giveChunkBack() {
        return frames.giveSpareBack()
                || table.isShown() && versionInPlace.getAsLong() == 0 && emptier.giveBack(freeNodes() + mayGoAtMost());
    }

    /** Gives out a node, which may be changed at once; {@link #ensure} must have been called. */
    @Override
    public int take(int origin) {
        int id;
        if (free.isEmpty()) {
            id = nextFreeId();
            int frame = frames.take();
            table.put(id, frame);
            clock.put(frame, id);
        } else {
            id = free.first();
            free.removeFirst(wrap(window, id));
        }
        nodes.add(id, origin);
        table.change(id);
        return id;
    }

    private int nextFreeId() {
        int id = frameless.take();
        table.ensure(id);
        return id;
    }

    /** The node is about to be changed. */
    public void change(Node node) {
        nodes.change(node.id());
        table.change(node.id());
    }

    /** Readers without the lock see what was changed from now on, in a tree with this root and height. */
    public void show(int root, int height) {
        table.show(root, height);
    }

    /** Takes a node back that has left the tree. */
    public void giveBack(Node node) {
        free.addFirst(node);
    }

    /** Takes all nodes of a list back. */
    public void giveBackAll(NodeList list) {
        if (!list.isEmpty()) {
            free.takeAll(list, wrap(window, list.last()));
        }
    }

    /** The node stays in memory until {@link #unpin}. */
    public void pin(int id) {
        nodes.pin(id);
    }

    /** No node is pinned any more. */
    public void unpin() {
        isStuck &= !nodes.unpin();
    }

    /** Nodes may go that could not. */
    public void unstick() {
        isStuck = false;
    }

    /** The number of nodes that can be given out without more memory. */
    public long freeNodes() {
        return (long) frames.fresh() + free.size();
    }

    /** How many nodes of the tree are not in memory. */
    public long unloadedNodes() {
        return (long) frameless.limit() - frameless.size() - frames.givenOut();
    }

    /** So many nodes may go, or fewer. */
    public long mayGoAtMost() {
        return Math.max(0, nodes.mayGoAtMost() - unloadedNodes());
    }

    /**
     * Makes so many nodes free, a part of {@code wanted}. If there cannot be all of these, it throws an {@link
     * IndexFullException}; no node goes if that is sure before.
     */
    public void ensure(long part, long wanted) {
        mostWanted = Math.max(mostWanted, part);
        long most = freeNodes() < part ? freeNodes() + frames.unallocated() + mayGoAtMost() : wanted;
        while (freeNodes() < part) {
            if (most < wanted || !freeOne()) {
                throw frames.full(wanted - (most < wanted ? most : freeNodes()), nodes.dirty());
            }
        }
    }

    /** Whether a spare chunk should be allocated now. */
    public boolean needsSpare() {
        return freeNodes() < SPARE_BELOW + mostWanted && frames.wantsSpare();
    }

    /** The memory. */
    public FrameMemory frames() {
        return frames;
    }

    /** The nodes of this moment, for a reader without the lock, which reads them where they lie. */
    public NodeView view() {
        return new NodeView(table, false);
    }

    /** The same for one that copies them, so that they may go. */
    public NodeView copyingView() {
        return new NodeView(table, true);
    }

    /** The nodes as they are now and will be, for one reader without the lock. */
    public LiveView liveView() {
        return new LiveView(table, clock);
    }

    /** Which nodes there are, and which of them have changed. */
    public NodeStates nodes() {
        return nodes;
    }

    /** The id after the last one that was ever given out. */
    public int idLimit() {
        return frameless.limit();
    }

    /** From where nodes that are not in memory are read. */
    public NodeSource source() {
        return table.source();
    }

    /** From now on what is not in memory is in {@code newSource}, which has the last image; returns the one before. */
    public NodeSource source(NodeSource newSource) {
        nodes.cleanConfirmed(); // first: it may fail
        unstick();
        return table.source(newSource);
    }

    /** Gives the memory back: no node can be read any more. */
    public void close() {
        table.close();
        frames.close();
    }
}

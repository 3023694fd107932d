package io.persist.index.node;

import java.util.Arrays;

/**
 * The nodes of an index, by their ids: which there are, in which frame of memory each of them lies, and which have
 * changed since the last image. A node that was not needed yet since the index was restored lies in no frame: it is
 * read when it is needed, and then stays.
 *
 * <p><b>Threads:</b> one at a time, but for {@link #addSpare}. A snapshot's reader has a {@link NodeView}.
 */
public final class IndexMemory {

    /** A spare chunk is wanted when fewer frames than this are free, and than were ever wanted at once. */
    private static final int SPARE_BELOW = NodeChunks.NODES_PER_CHUNK / 2;

    private final FrameMemory frames;
    private final Node window = new Node();

    /** Free ids that have a frame. */
    private final NodeList free = new NodeList();

    /** Free ids that have none, as a stack. */
    private int[] frameless = {};

    private int framelessCount;

    /** The frame of each id; {@link Node#NONE} if it has none. */
    private int[] frameOf = new int[NodeChunks.NODES_PER_CHUNK];

    /** The id after the last one that was ever given out. */
    private int idLimit;

    /** The nodes of the tree. */
    private final NodeSet live;

    /** The nodes of the tree that no image has as they are. */
    private NodeSet changed = new NodeSet();

    private NodeSource source;
    private long mostWanted;

    /** Memory of {@code maxBytes} at most, if direct memory allows; without a node. */
    public IndexMemory(long maxBytes) {
        this(maxBytes, new NodeSet(), 0, NodeSource.NONE);
    }

    /** The same with the nodes of an image, whose ids are below {@code idLimit}. */
    public IndexMemory(long maxBytes, NodeSet live, int idLimit, NodeSource source) {
        this.frames = new FrameMemory(maxBytes);
        this.live = live;
        this.idLimit = idLimit;
        this.source = source;
        growIds(idLimit);
        frameless = new int[idLimit - live.size()];
        for (int id = idLimit - 1; id >= 0; id--) {
            if (!live.contains(id)) {
                frameless[framelessCount++] = id;
            }
        }
        Arrays.fill(frameOf, Node.NONE);
    }

    /** Moves the window {@code node} to the node {@code id}, which is read first if that was not done yet. */
    public Node wrap(Node node, int id) {
        int frame = frameOf[id];
        if (frame == Node.NONE) {
            frame = load(id); // may put another array in place of the chunks
        }
        return NodeChunks.wrap(node, frames.chunks(), frame, id);
    }

    /** The same for a node that has to be at {@code level}. */
    public Node wrap(Node node, int id, int level) {
        return wrap(node, id).checkLevel(level, source);
    }

    /** Whether the node need not be read. */
    public boolean isLoaded(int id) {
        return frameOf[id] != Node.NONE;
    }

    private int load(int id) {
        if (freeNodes() == 0) {
            frames.addChunk(1);
        }
        int frame;
        if (frames.unused() > 0) {
            frame = frames.take();
        } else {
            int other = free.first();
            free.removeFirst(wrap(window, other));
            frame = frameOf[other];
            frameOf[other] = Node.NONE;
            pushFrameless(other);
        }
        boolean isRead = false;
        try {
            NodeChunks.wrap(window, frames.chunks(), frame, id);
            source.read(id, window.buffer(), window.base());
            isRead = true;
        } finally {
            if (!isRead) {
                keepFrame(frame);
            }
        }
        NodeView.FRAME.setRelease(frameOf, id, frame); // paired with the acquire of NodeView
        return frame;
    }

    /** Gives a frame whose node could not be read to a free id. */
    private void keepFrame(int frame) {
        int id = nextFreeId();
        frameOf[id] = frame;
        free.addFirst(wrap(window, id));
    }

    /** Gives out a node; {@link #ensure} must have been called. */
    public int take() {
        int id;
        if (free.isEmpty()) {
            id = nextFreeId();
            frameOf[id] = frames.take();
        } else {
            id = free.first();
            free.removeFirst(wrap(window, id));
        }
        live.add(id);
        changed.add(id);
        return id;
    }

    private int nextFreeId() {
        if (framelessCount > 0) {
            return frameless[--framelessCount];
        }
        growIds(idLimit + 1);
        return idLimit++;
    }

    private void growIds(int limit) {
        if (limit > frameOf.length) {
            int length = frameOf.length;
            frameOf = Arrays.copyOf(frameOf, Math.max(limit, 2 * length));
            Arrays.fill(frameOf, length, frameOf.length, Node.NONE);
        }
    }

    private void pushFrameless(int id) {
        if (framelessCount == frameless.length) {
            frameless = Arrays.copyOf(frameless, Math.max(16, 2 * framelessCount));
        }
        frameless[framelessCount++] = id;
    }

    /** The node is about to be changed, or was. */
    public void change(Node node) {
        changed.add(node.id());
    }

    /** The node is not the tree's any more; snapshots may still need it. */
    public void leave(Node node) {
        live.remove(node.id());
        changed.remove(node.id());
    }

    /** Takes a node back that has left the tree. */
    public void giveBack(Node node) {
        free.addFirst(node);
    }

    /** Takes all nodes of a list back. */
    public void giveBackAll(NodeList nodes) {
        if (!nodes.isEmpty()) {
            free.takeAll(nodes, wrap(window, nodes.last()));
        }
    }

    /** The number of nodes for which there is memory. */
    public long allocatedNodes() {
        return frames.allocated();
    }

    /** The number of nodes that can be given out without more memory. */
    public long freeNodes() {
        return (long) frames.unused() + free.size();
    }

    /** How many nodes of the tree have not been read yet. */
    public long unloadedNodes() {
        return idLimit - framelessCount - (allocatedNodes() - frames.unused());
    }

    /** Makes at least so many nodes free. */
    public void ensure(long nodes) {
        mostWanted = Math.max(mostWanted, nodes);
        while (freeNodes() < nodes) {
            frames.addChunk(nodes - freeNodes());
        }
    }

    /** Whether a spare chunk should be allocated now. */
    public boolean needsSpare() {
        return freeNodes() < SPARE_BELOW + mostWanted && frames.wantsSpare();
    }

    /** Any thread. */
    public void addSpare() {
        frames.addSpare();
    }

    /** The direct memory that was allocated, the spare chunk included, in bytes. */
    public long memoryBytes() {
        return frames.bytes();
    }

    /** The nodes of this moment, for a reader without the lock. */
    public NodeView view() {
        return new NodeView(frames.chunks(), frames.allocated(), frameOf, source);
    }

    /** The nodes of the tree, as they are now. */
    public NodeSet live() {
        return live.copy();
    }

    /** How many nodes the tree has. */
    public int liveNodes() {
        return live.size();
    }

    /** How many nodes no image has as they are. */
    public int changedNodes() {
        return changed.size();
    }

    /** The nodes that no image has as they are; from now on an image is taken to have them. */
    public NodeSet takeChanged() {
        NodeSet taken = changed;
        changed = new NodeSet();
        return taken;
    }

    /** Takes that back: those that still are the tree's are in no image. */
    public void giveBackChanged(NodeSet taken) {
        changed.addAll(taken);
        changed.retainAll(live);
    }

    /** The id after the last one that was ever given out. */
    public int idLimit() {
        return idLimit;
    }

    /** From where nodes that are not in memory are read. */
    public NodeSource source() {
        return source;
    }

    /** From now on nodes that are not in memory are read from {@code newSource}, which has all of them. */
    public void source(NodeSource newSource) {
        source = newSource;
    }
}

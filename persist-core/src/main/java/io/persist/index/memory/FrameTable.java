package io.persist.index.memory;

import io.persist.error.LogIOException;
import io.persist.index.node.Node;
import io.persist.index.node.NodeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.agrona.collections.IntArrayList;
import org.jspecify.annotations.Nullable;

/**
 * In which frame of memory each node lies, as readers without the lock see it, and from where nodes that lie in none
 * are read. So it is a source of all nodes. And which node is the root.
 *
 * <p>The place of a node is one word: its frame, and a version that changes with the frame and with the bytes in it. It
 * is odd while they are being changed. A reader compares the places of the nodes that it has read before and after, as
 * with a sequence lock: if they are the same, so were the bytes (Leis et al., "The ART of Practical Synchronization",
 * 2016).
 *
 * <p><b>Threads:</b> the one with the lock changes it; any reads.
 */
final class FrameTable implements NodeSource {

    static final VarHandle PLACE =
            MethodHandles.arrayElementVarHandle(long[].class).withInvokeExactBehavior();

    /** The bit of a place whose node is being changed. */
    static final long CHANGING = 1;

    /** The place of a node that lies in no frame, and never did. */
    private static final long NOWHERE = place(Node.NONE, 0);

    private static final int FIRST_OPEN = 64;

    private static final long VERSION_BITS = 0xFFFF_FFFFL;

    /** What is wrong with a node that is not there. */
    static final String MISSING = "a node that is neither in memory nor in the checkpoint";

    /** A node without a frame is in the source, or has got a frame meanwhile. */
    private static final int ATTEMPTS = 2;

    /**
     * The nodes that are being changed. It is written to with every change, and what readers without the lock look at
     * should not lie beside it: it is an object of its own.
     */
    private final IntArrayList open = new IntArrayList(FIRST_OPEN, Node.NONE);

    /** The places, for the thread with the lock. */
    private long[] own;

    /** The same, set by the thread with the lock when the table grows; read by the others before a node's place. */
    private volatile long[] places;

    /** Set before a frame of a new chunk is in the table; read after the frame. */
    private volatile ByteBuffer[] chunks;

    /**
     * Set before a node that only the new source has is evicted, and before the source that it replaces is closed; read
     * after the node was seen to have no frame, and after a source was found to be closed.
     */
    private volatile NodeSource source;

    /** The height of the tree and the id of its root; set before nodes are shown that were changed with it. */
    private volatile long root;

    /** What was thrown last because nodes hang together wrongly; set by any thread, read by the one of an image. */
    private volatile @Nullable RuntimeException wrongTree;

    FrameTable(int length, ByteBuffer[] chunks, NodeSource source) {
        this.own = new long[length];
        Arrays.fill(own, NOWHERE);
        this.places = own;
        this.chunks = chunks;
        this.source = source;
    }

    private static long place(int frame, long version) {
        return (long) frame << Integer.SIZE | version & VERSION_BITS;
    }

    /** The frame of a place; {@link Node#NONE} if it has none. */
    static int frameOf(long place) {
        return (int) (place >> Integer.SIZE);
    }

    long[] places() {
        return places;
    }

    void chunks(ByteBuffer[] newChunks) {
        chunks = newChunks;
    }

    ByteBuffer[] chunks() {
        return chunks;
    }

    /** Returns the one before, which may be closed from now on. */
    NodeSource source(NodeSource newSource) {
        NodeSource former = source;
        source = newSource;
        return former;
    }

    NodeSource source() {
        return source;
    }

    /** The height of the tree, and in the lower half its root. */
    long root() {
        return root;
    }

    /** Makes room for node {@code id}. */
    void ensure(int id) {
        int length = own.length;
        if (id >= length) {
            long[] more = Arrays.copyOf(own, 2 * length);
            Arrays.fill(more, length, more.length, NOWHERE);
            own = more;
            places = more;
        }
    }

    /** The frame in which the node lies, for the thread with the lock; {@link Node#NONE} if it lies in none. */
    int ownFrame(int id) {
        return frameOf(own[id]);
    }

    /** Node {@code id}, which had no frame, lies in this one, with the bytes that are there. */
    void put(int id, int frame) {
        PLACE.setRelease(own, id, place(frame, own[id] + 2)); // paired with the acquire of frame and LiveView.wrap
    }

    /** Takes its frame away from node {@code id}; then that can be written to. */
    void evict(int id) {
        PLACE.setOpaque(own, id, place(Node.NONE, own[id] + 2));
        VarHandle.releaseFence(); // paired with the acquire fence of read and LiveView.isUnchanged
    }

    /** Node {@code id}, whose bytes are in this frame too, lies there now; then the one before can be written to. */
    void move(int id, int frame) {
        put(id, frame);
        VarHandle.releaseFence(); // paired with the acquire fence of read and LiveView.isUnchanged
    }

    /** Whether {@link #show} was called after the last change. */
    boolean isShown() {
        return open.isEmpty();
    }

    /** The bytes of node {@code id} are about to be changed: no reader trusts them before {@link #show}. */
    void change(int id) {
        long place = own[id];
        if ((place & CHANGING) == 0) {
            PLACE.setOpaque(own, id, place | CHANGING);
            VarHandle.releaseFence(); // paired with the acquire fence of LiveView.isUnchanged
            open.addInt(id);
        }
    }

    /**
     * What was changed may be read without the lock from now on, in a tree of {@code height}. The root comes first: a
     * reader that began at the one before must not find what was changed below it.
     */
    void show(int newRoot, int height) {
        long now = place(height, newRoot);
        if (root != now) { // rarely: it takes a full fence
            root = now;
        }
        for (int i = open.size() - 1; i >= 0; i--) {
            int id = open.getInt(i);
            PLACE.setRelease(own, id, place(frameOf(own[id]), own[id] + 1)); // paired with the acquire of LiveView.wrap
        }
        open.clear();
    }

    /** The frame in which the node lies; {@link Node#NONE} if it lies in none. */
    int frame(int id) {
        return frameOf((long) PLACE.getAcquire(places, id)); // paired with the release of put
    }

    @Override
    public boolean has(int id) {
        return frame(id) != Node.NONE || source.has(id);
    }

    /** From its frame or from the source. */
    @Override
    public void read(int id, ByteBuffer target, int at) {
        if (!readIfThere(id, target, at)) {
            throw damaged(id, MISSING);
        }
    }

    /** The same; false if the node is in neither. */
    boolean readIfThere(int id, ByteBuffer target, int at) {
        for (int missed = 0; missed < ATTEMPTS; ) {
            long place = (long) PLACE.getAcquire(places, id); // paired with the release of put
            if (frameOf(place) == Node.NONE) {
                NodeSource from = source;
                if (!from.has(id)) {
                    missed++;
                } else if (tryRead(from, id, target, at)) {
                    return true;
                }
            } else {
                NodeChunks.copy(chunks, frameOf(place), target, at);
                VarHandle.acquireFence(); // paired with the release fence of evict
                if ((long) PLACE.getOpaque(places, id) == place) {
                    return true;
                }
            }
        }
        return false;
    }

    /** False if there is another source meanwhile, so that this one may be closed: the node is there, or in a frame. */
    private boolean tryRead(NodeSource from, int id, ByteBuffer target, int at) {
        try {
            from.read(id, target, at);
            return true;
        } catch (LogIOException e) {
            if (from == source) {
                throw e;
            }
            return false;
        }
    }

    @Override
    public RuntimeException damaged(int id, String what) {
        RuntimeException found = source.damaged(id, what);
        wrongTree = found;
        return found;
    }

    /** What was thrown last because nodes hang together wrongly, wherever they were read from; null if nothing was. */
    @Nullable
    RuntimeException wrongTree() {
        return wrongTree;
    }

    /** No node can be read any more; a reader without the lock may be at it. The index closes the source. */
    @Override
    public void close() {
        root = place(Integer.MAX_VALUE, 0); // no reader begins at so high a tree
        chunks = new ByteBuffer[0];
    }
}

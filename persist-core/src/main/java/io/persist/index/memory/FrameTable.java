package io.persist.index.memory;

import io.persist.index.node.Node;
import io.persist.index.node.NodeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * In which frame of memory each node lies, as readers without the lock see it, and from where nodes that lie in none
 * are read. So it is a source of all nodes.
 *
 * <p>A frame that was taken away from its node gets another one at once. So a reader that copies a node compares the
 * number of evictions before and after, as with a sequence lock.
 *
 * <p><b>Threads:</b> the one with the lock changes it; any reads.
 */
final class FrameTable implements NodeSource {

    static final VarHandle FRAME = MethodHandles.arrayElementVarHandle(int[].class);

    /** A node without a frame is in the source, or has got a frame meanwhile. */
    private static final int ATTEMPTS = 2;

    /** Set by the thread with the lock when the table grows; read by the others before the frame of a node. */
    private volatile int[] frameOf;

    /** Set before a frame of a new chunk is in the table; read after the frame. */
    private volatile ByteBuffer[] chunks;

    /** Set before a node that only the new source has is evicted; read after the node was seen to have no frame. */
    private volatile NodeSource source;

    /** Counted before an evicted node's frame is written to; read before and after a node is copied. */
    private volatile int evictions;

    FrameTable(int[] frameOf, ByteBuffer[] chunks, NodeSource source) {
        this.frameOf = frameOf;
        this.chunks = chunks;
        this.source = source;
    }

    void frames(int[] newFrameOf) {
        frameOf = newFrameOf;
    }

    void chunks(ByteBuffer[] newChunks) {
        chunks = newChunks;
    }

    void source(NodeSource newSource) {
        source = newSource;
    }

    NodeSource source() {
        return source;
    }

    ByteBuffer[] chunks() {
        return chunks;
    }

    /** Takes its frame away from node {@code id} of {@code newest}, which is the table; then it can be written to. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // by the one thread with the lock
    void evict(int[] newest, int id) {
        FRAME.setRelease(newest, id, Node.NONE);
        evictions++;
        VarHandle.releaseFence(); // paired with the acquire fence of read
    }

    /** The frame in which the node lies; {@link Node#NONE} if it lies in none. */
    int frame(int id) {
        return (int) FRAME.getAcquire(frameOf, id); // paired with the release in IndexMemory.load
    }

    @Override
    public boolean has(int id) {
        return frame(id) != Node.NONE || source.has(id);
    }

    /** From its frame or from the source. */
    @Override
    public void read(int id, ByteBuffer target, int at) {
        for (int missed = 0; missed < ATTEMPTS; ) {
            int before = evictions;
            int frame = frame(id);
            if (frame == Node.NONE) {
                NodeSource from = source;
                if (from.has(id)) {
                    from.read(id, target, at);
                    return;
                }
                missed++;
            } else {
                NodeChunks.copy(chunks, frame, target, at);
                VarHandle.acquireFence(); // paired with the release fence of evict
                if (evictions == before) {
                    return;
                }
            }
        }
        throw damaged(id, "a node that is neither in memory nor in the checkpoint");
    }

    @Override
    public RuntimeException damaged(int id, String what) {
        return source.damaged(id, what);
    }

    /** The index closes sources. */
    @Override
    public void close() {}
}

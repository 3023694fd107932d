package io.persist.index.memory;

import io.persist.index.node.Node;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Where frames lie: chunks of direct memory, each of many frames. A frame's number says in which one, and where in it.
 *
 * <p><b>Threads:</b> any; a chunk never goes while something refers to it.
 */
public final class NodeChunks {

    /** Bytes of a chunk. */
    public static final int CHUNK_LENGTH = 1 << 20;

    static final int NODES_SHIFT = 8;
    static final int NODES_PER_CHUNK = 1 << NODES_SHIFT;

    private static final int NODE_SHIFT = 12;
    private static final int CACHE_LINE = 64;

    private static final byte[] ZEROS = new byte[1 << NODE_SHIFT];

    private NodeChunks() {}

    /** Whether {@code frame} is one of these; {@link Node#NONE} is not, and none is once the index is closed. */
    static boolean has(ByteBuffer[] chunks, int frame) {
        return frame >>> NODES_SHIFT < chunks.length;
    }

    /** Moves the window {@code node} to the node {@code id}, which lies in {@code frame}, and returns it. */
    static Node wrap(Node node, ByteBuffer[] chunks, int frame, int id) {
        return node.wrap(chunks[frame >>> NODES_SHIFT], (frame & NODES_PER_CHUNK - 1) << NODE_SHIFT, id);
    }

    /** Copies what lies in {@code frame}, which another thread may be writing to. */
    static void copy(ByteBuffer[] chunks, int frame, ByteBuffer target, int at) {
        target.put(at, chunks[frame >>> NODES_SHIFT], (frame & NODES_PER_CHUNK - 1) << NODE_SHIFT, Node.LENGTH);
    }

    /** Moves what lies in a frame to another one. */
    static void move(ByteBuffer[] chunks, int frame, int to) {
        copy(chunks, frame, chunks[to >>> NODES_SHIFT], (to & NODES_PER_CHUNK - 1) << NODE_SHIFT);
    }

    /** Makes all of it zero, as it is when it is allocated: nothing of one index gets into the files of another one. */
    static void clear(ByteBuffer chunk) {
        for (int at = 0; at < CHUNK_LENGTH; at += ZEROS.length) {
            chunk.put(at, ZEROS);
        }
    }

    /** On a cache line's border, and a little longer than its nodes, see {@link Node}. */
    static ByteBuffer allocate() {
        return ByteBuffer.allocateDirect(CHUNK_LENGTH + 2 * CACHE_LINE)
                .alignedSlice(CACHE_LINE)
                .order(ByteOrder.LITTLE_ENDIAN);
    }
}

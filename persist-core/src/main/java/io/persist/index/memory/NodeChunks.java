package io.persist.index.memory;

import io.persist.index.node.Node;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where frames lie: chunks of direct memory, each of many frames. A frame's number says in which one, and where in it.
 *
 * <p><b>Threads:</b> any; a chunk never goes while something refers to it.
 */
public final class NodeChunks {

    /** Bytes of a chunk. */
    public static final int CHUNK_LENGTH = 1 << 20;

    static final int NODES_SHIFT = 8;

    /** Nodes that find room in a chunk. */
    public static final int NODES_PER_CHUNK = 1 << NODES_SHIFT;

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

    /**
     * The chunks that no index has. They are used again, without the garbage collector; until then that may free them.
     *
     * <p><b>Threads:</b> any.
     */
    static final class Free {

        private final Supplier<ByteBuffer> allocator;
        private final Deque<WeakReference<ByteBuffer>> free = new ArrayDeque<>();

        /** There are none yet; {@code allocator} makes one, or throws an {@link OutOfMemoryError}. */
        Free(Supplier<ByteBuffer> allocator) {
            this.allocator = allocator;
        }

        synchronized void add(ByteBuffer chunk) {
            free.addLast(new WeakReference<>(chunk));
        }

        /** A chunk of zeros. Throws an {@link OutOfMemoryError} if there is none, and the JVM has no memory. */
        ByteBuffer next() {
            ByteBuffer chunk = poll();
            if (chunk == null) {
                return allocator.get();
            }
            VarHandle.releaseFence(); // paired with the acquire fences of readers that come late
            NodeChunks.clear(chunk);
            return chunk;
        }

        private synchronized @Nullable ByteBuffer poll() {
            ByteBuffer chunk = null;
            while (chunk == null && !free.isEmpty()) {
                chunk = free.removeLast().get();
            }
            return chunk;
        }
    }
}

package io.persist.index.node;

import io.persist.error.IndexFullException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The memory for nodes: chunks of direct memory, each of many frames, which are given out one after the other. A frame
 * has room for one node. Chunks are never given back; their memory goes when nothing refers to the index.
 *
 * <p><b>Threads:</b> one at a time, but for {@link #addSpare}.
 */
final class FrameMemory {

    private static final int FIRST_CHUNKS = 16;

    private final int maxChunks;
    private final SpareChunk spare = new SpareChunk();

    private ByteBuffer[] chunks = new ByteBuffer[FIRST_CHUNKS];
    private int chunkCount;

    /** The frame after the last one that was ever given out. */
    private int unused;

    /** Memory of {@code maxBytes} at most, if direct memory allows. */
    FrameMemory(long maxBytes) {
        this.maxChunks =
                (int) Math.min(maxBytes / NodeChunks.CHUNK_LENGTH, Integer.MAX_VALUE >> NodeChunks.NODES_SHIFT);
    }

    ByteBuffer[] chunks() {
        return chunks;
    }

    /** How many frames there are. */
    int allocated() {
        return chunkCount << NodeChunks.NODES_SHIFT;
    }

    /** How many were never given out. */
    int unused() {
        return allocated() - unused;
    }

    /** A frame that was never given out; there has to be one. */
    int take() {
        return unused++;
    }

    /**
     * Allocates one more chunk.
     *
     * @param missing how many frames are wanted and not there; for the message
     */
    void addChunk(long missing) {
        if (chunkCount == maxChunks) {
            throw full(missing, null);
        }
        ByteBuffer chunk = spare.take();
        if (chunk == null) {
            try {
                chunk = NodeChunks.allocate();
            } catch (OutOfMemoryError e) {
                throw full(missing, e);
            }
        }
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * chunks.length);
        }
        chunks[chunkCount++] = chunk;
        spare.hope();
    }

    private IndexFullException full(long missing, @Nullable Throwable cause) {
        return new IndexFullException(
                "no direct memory left for the index: bytes=" + bytes() + ", missing=" + missing * Node.LENGTH
                        + "; raise -XX:MaxDirectMemorySize",
                cause);
    }

    boolean wantsSpare() {
        return chunkCount < maxChunks && spare.isMissing();
    }

    /** Any thread. */
    void addSpare() {
        if (!spare.isMissing()) {
            return;
        }
        try {
            spare.put(NodeChunks.allocate());
        } catch (OutOfMemoryError e) {
            spare.giveUp();
        }
    }

    long bytes() {
        return (long) chunkCount * NodeChunks.CHUNK_LENGTH + spare.bytes();
    }
}

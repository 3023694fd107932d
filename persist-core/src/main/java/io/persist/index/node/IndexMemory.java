package io.persist.index.node;

import io.persist.error.IndexFullException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The memory of an index: chunks of direct memory, each of many nodes, which are given out and taken back one by one.
 * A node's id says where it lies. Chunks are never given back; their memory goes when nothing refers to the index.
 *
 * <p><b>Threads:</b> one at a time, but for {@link #addSpare}. A snapshot's reader has the {@link #chunks} of the
 * snapshot's time, and its nodes are all in those.
 */
public final class IndexMemory {

    private static final int FIRST_CHUNKS = 16;

    /** A spare chunk is wanted when fewer nodes than this are free, and than were ever wanted at once. */
    private static final int SPARE_BELOW = NodeChunks.NODES_PER_CHUNK / 2;

    private final int maxChunks;
    private final NodeList free = new NodeList();
    private final Node window = new Node();
    private final SpareChunk spare = new SpareChunk();

    private ByteBuffer[] chunks = new ByteBuffer[FIRST_CHUNKS];
    private int chunkCount;

    /** The id after the last one that was ever given out. */
    private int unused;

    private long mostWanted;

    /** Memory of {@code maxBytes} at most, if direct memory allows. */
    public IndexMemory(long maxBytes) {
        this.maxChunks =
                (int) Math.min(maxBytes / NodeChunks.CHUNK_LENGTH, Integer.MAX_VALUE >> NodeChunks.NODES_SHIFT);
    }

    /** The chunks of all nodes that have been given out; a snapshot keeps them. */
    public ByteBuffer[] chunks() {
        return chunks;
    }

    /** Has {@code node} look at the node {@code id}; returns {@code node}. */
    public Node wrap(Node node, int id) {
        return NodeChunks.wrap(node, chunks, id);
    }

    /** Gives out a node; {@link #ensure} must have been called. */
    public int take() {
        if (free.isEmpty()) {
            return unused++;
        }
        int id = free.first();
        free.removeFirst(wrap(window, id));
        return id;
    }

    /** Takes one node back, which may be given out again at once. */
    public void giveBack(Node node) {
        free.addFirst(node);
    }

    /** Takes all nodes of a list back. */
    public void giveBackAll(NodeList nodes) {
        free.takeAll(nodes, chunks, window);
    }

    /** The number of nodes for which there is memory. */
    public long allocatedNodes() {
        return (long) chunkCount << NodeChunks.NODES_SHIFT;
    }

    /** The number of nodes that can be given out without more memory. */
    public long freeNodes() {
        return allocatedNodes() - unused + free.size();
    }

    /** Makes at least so many nodes free. */
    public void ensure(long nodes) {
        mostWanted = Math.max(mostWanted, nodes);
        while (freeNodes() < nodes) {
            addChunk(nodes);
        }
    }

    private void addChunk(long nodes) {
        if (chunkCount == maxChunks) {
            throw full(nodes, null);
        }
        ByteBuffer chunk = spare.take();
        if (chunk == null) {
            try {
                chunk = NodeChunks.allocate();
            } catch (OutOfMemoryError e) {
                throw full(nodes, e);
            }
        }
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * chunks.length);
        }
        chunks[chunkCount++] = chunk;
        spare.hope();
    }

    private IndexFullException full(long nodes, @Nullable Throwable cause) {
        return new IndexFullException(
                "no direct memory left for the index: bytes=" + memoryBytes() + ", missing="
                        + (nodes - freeNodes()) * Node.LENGTH + "; raise -XX:MaxDirectMemorySize",
                cause);
    }

    /** Whether a spare chunk should be allocated now. */
    public boolean needsSpare() {
        return freeNodes() < SPARE_BELOW + mostWanted && chunkCount < maxChunks && spare.isMissing();
    }

    /** Any thread. */
    public void addSpare() {
        if (!spare.isMissing()) {
            return;
        }
        try {
            spare.put(NodeChunks.allocate());
        } catch (OutOfMemoryError e) {
            spare.giveUp();
        }
    }

    /** The direct memory that was allocated, the spare chunk included, in bytes. */
    public long memoryBytes() {
        return (long) chunkCount * NodeChunks.CHUNK_LENGTH + spare.bytes();
    }
}

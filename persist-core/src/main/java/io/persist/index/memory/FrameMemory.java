package io.persist.index.memory;

import io.persist.error.IndexFullException;
import io.persist.index.node.Node;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory for nodes: chunks of direct memory, each of many frames, which are given out one after the other. A frame
 * has room for one node. Chunks are not given back before {@link #close}.
 *
 * <p><b>Threads:</b> one at a time, but for {@link #addSpare}.
 */
public final class FrameMemory {

    private static final int FIRST_CHUNKS = 16;

    private final int limit;
    private final Supplier<ByteBuffer> allocator;
    private final SpareChunk spare;

    private ByteBuffer[] chunks = new ByteBuffer[FIRST_CHUNKS];
    private int chunkCount;

    /** Whether the JVM has refused memory when it was wanted last. */
    private boolean isRefused;

    /** The frame after the last one that was ever given out. */
    private int givenOut;

    /** {@code maxBytes} at most, if {@code allocator}, which may throw {@link OutOfMemoryError}, allows. */
    FrameMemory(long maxBytes, Supplier<ByteBuffer> allocator, LongSupplier clock) {
        this.limit = (int) Math.min(maxBytes / Node.LENGTH, Integer.MAX_VALUE - NodeChunks.NODES_PER_CHUNK);
        this.allocator = allocator;
        this.spare = new SpareChunk(clock);
    }

    ByteBuffer[] chunks() {
        return chunks;
    }

    /** How many frames there are. */
    public int allocated() {
        return Math.min(limit, chunkCount << NodeChunks.NODES_SHIFT);
    }

    /** How many there can be, as far as is known. */
    public int limit() {
        return isRefused ? allocated() : limit;
    }

    /** How many more there may be, if the JVM has memory for them. */
    int unallocated() {
        return limit - allocated();
    }

    /** How many were given out. */
    int givenOut() {
        return givenOut;
    }

    /** How many were never given out. */
    int fresh() {
        return allocated() - givenOut;
    }

    /** A frame that was never given out; there has to be one. */
    int take() {
        return givenOut++;
    }

    /** Allocates one more chunk; false if there must not be one, or the JVM refuses it, or has refused it before. */
    boolean addChunk() {
        if (allocated() == limit) {
            return false;
        }
        ByteBuffer chunk = spare.take();
        if (chunk == null) {
            isRefused = spare.isRefused();
            chunk = isRefused ? null : allocate();
            if (chunk == null) {
                return false;
            }
        }
        isRefused = false;
        if (chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * chunks.length);
        }
        chunks[chunkCount++] = chunk;
        if (allocated() == limit) {
            spare.end(); // another one may be on its way, since this one did not wait for it
        }
        return true;
    }

    /** Null if there is no memory. */
    private @Nullable ByteBuffer allocate() {
        try {
            return allocator.get();
        } catch (OutOfMemoryError e) {
            spare.refuse();
            isRefused = true;
            return null;
        }
    }

    /** What is thrown when {@code missing} frames are not to be had; {@code changed} nodes cannot give theirs up. */
    public IndexFullException full(long missing, long changed) {
        String advice = isRefused
                ? ", which the JVM has refused; raise -XX:MaxDirectMemorySize"
                : "; raise indexMemoryBytes, and -XX:MaxDirectMemorySize with it";
        return new IndexFullException(
                "no memory left for the index: bytes=" + bytes() + ", missing=" + missing * Node.LENGTH
                        + ", changed=" + changed * Node.LENGTH + advice
                        + ", close snapshots and scans, or commit smaller transactions",
                null);
    }

    boolean wantsSpare() {
        return allocated() < limit && spare.isMissing();
    }

    /** Allocates a chunk ahead, if there is none yet. Any thread. */
    public void addSpare() {
        if (!spare.isMissing()) {
            return;
        }
        try {
            spare.put(allocator.get());
        } catch (OutOfMemoryError e) {
            spare.refuse();
        }
    }

    /** Lets go of all of it: each chunk goes when no reader that came late refers to it. There will be no more. */
    void close() {
        spare.end();
        chunks = new ByteBuffer[0];
        chunkCount = 0;
    }

    /** The direct memory that was allocated, the spare chunk included, in bytes. */
    public long bytes() {
        return (long) chunkCount * NodeChunks.CHUNK_LENGTH + spare.bytes();
    }
}

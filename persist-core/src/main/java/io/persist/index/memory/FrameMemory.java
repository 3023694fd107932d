package io.persist.index.memory;

import io.persist.error.IndexFullException;
import io.persist.index.node.Node;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory for nodes: chunks of direct memory, each of many frames, which are given out one after the other. A frame
 * has room for one node. The chunks are those of {@link ProcessChunks}, and go back there when the index is closed, or
 * when another index needs one.
 *
 * <p><b>Threads:</b> one at a time, but for {@link #addSpare} and {@link #awaitSpare}.
 */
public final class FrameMemory {

    private static final int FIRST_CHUNKS = 16;

    private final int most;
    private final ProcessChunks process;
    private final ChunkShare share;
    private final SpareChunk spare;

    private ByteBuffer[] chunks = new ByteBuffer[FIRST_CHUNKS];
    private int chunkCount;

    /** Whether there was no memory when it was wanted last. */
    private boolean foundNone;

    /** Whether a background thread gets and gives chunks. */
    private boolean isTended;

    /** The frame after the last one that was ever given out. */
    private int givenOut;

    /** {@code maxBytes} at most, of those of {@code process}. */
    FrameMemory(long maxBytes, ProcessChunks process, LongSupplier clock) {
        this.process = process;
        this.share = process.join(this, maxBytes);
        this.most = (int) Math.min(maxBytes / Node.LENGTH, share.most << NodeChunks.NODES_SHIFT);
        this.spare = new SpareChunk(clock);
    }

    ByteBuffer[] chunks() {
        return chunks;
    }

    /** How many frames there are. */
    public int allocated() {
        return Math.min(most, chunkCount << NodeChunks.NODES_SHIFT);
    }

    /** How many there can be, as far as is known. */
    public int limit() {
        return foundNone && spare.bytes() == 0 ? allocated() : limitNow();
    }

    /** How many it should make do with: fewer than it has, if others need some. */
    public int goal() {
        int chunks = share.part.goal();
        return chunks > 0 ? Math.min(most, chunks << NodeChunks.NODES_SHIFT) : limit();
    }

    /** How many there may be as long as other indexes have what they have. */
    private int limitNow() {
        return Math.min(most, share.part.limit() << NodeChunks.NODES_SHIFT);
    }

    /** How many there may be if there is no other index. */
    public int most() {
        return most;
    }

    /** How many more there may be, if there is memory for them. */
    int unallocated() {
        return Math.max(0, (isTended ? limitNow() : most) - allocated());
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

    /** Takes one more chunk; false if there is none, or the JVM has refused it before. */
    boolean addChunk() {
        if (!makeRoom()) {
            return false;
        }
        ByteBuffer chunk = spare.take();
        return add(chunk == null && !spare.isRefused() ? takeChunk() : chunk);
    }

    /**
     * The same if {@link #addChunk} was refused, and others give a chunk back: before a background thread tends the
     * index nobody else needs its lock, and so it may wait for them.
     */
    boolean awaitChunk() {
        return !isTended && makeRoom() && !spare.isRefused() && add(awaitTaken());
    }

    /** False if there can be no more chunks. */
    private boolean makeRoom() {
        boolean isRoom = allocated() < most;
        if (isRoom && chunkCount == chunks.length) {
            chunks = Arrays.copyOf(chunks, 2 * chunks.length); // before there is a chunk that an error could lose
        }
        return isRoom;
    }

    private boolean add(@Nullable ByteBuffer chunk) {
        foundNone = chunk == null;
        if (chunk == null) {
            return false;
        }
        chunks[chunkCount++] = chunk;
        if (allocated() == most) {
            spare.end(); // another one may be on its way, since this one did not wait for it
            giveSpareBack();
        }
        return true;
    }

    /** Null if there is no memory. */
    private @Nullable ByteBuffer takeChunk() {
        try {
            return process.take(share);
        } catch (OutOfMemoryError e) {
            spare.refuse();
            return null;
        }
    }

    /** The same, but it waits if others give some back. */
    private @Nullable ByteBuffer awaitTaken() {
        try {
            return process.await(share);
        } catch (OutOfMemoryError e) {
            spare.refuse();
            return null;
        }
    }

    /** What is thrown when {@code missing} frames are not to be had; {@code changed} nodes cannot give theirs up. */
    public IndexFullException full(long missing, long changed) {
        String advice;
        if (spare.isRefused()) {
            advice = ", which the JVM has refused, since others use its direct memory, too;"
                    + " raise -XX:MaxDirectMemorySize";
        } else if (limitNow() < most) {
            advice = "; the indexes of " + process.indexes() + " stores share the "
                    + (long) process.most() * NodeChunks.CHUNK_LENGTH + " bytes that there are for them:"
                    + " raise -XX:MaxDirectMemorySize, have fewer stores open";
        } else {
            advice = "; raise indexMemoryBytes, and -XX:MaxDirectMemorySize with it";
        }
        return new IndexFullException(
                "no memory left for the index: bytes=" + bytes() + ", missing=" + missing * Node.LENGTH
                        + ", changed=" + changed * Node.LENGTH + advice
                        + ", close snapshots and scans, or commit smaller transactions",
                null);
    }

    boolean wantsSpare() {
        return allocated() < limitNow() && spare.isMissing() && share.part.isWorthAsking();
    }

    /** Takes a chunk ahead, if there is none yet. Any thread. */
    public void addSpare() {
        if (spare.isMissing()) {
            putSpare(takeChunk());
        }
    }

    /** The same; waits if others give one back. Without the lock; returns whether there is one that was not before. */
    public boolean awaitSpare() {
        return allocated() < most && spare.isMissing() && putSpare(awaitTaken());
    }

    /** Whether there can be so many more frames. If so, they are for this index, whoever else wants some. */
    public boolean reserve(long frames) {
        long missing = frames - spare.bytes() / Node.LENGTH;
        return missing <= 0
                || missing <= most - allocated()
                        && !spare.isRefused()
                        && process.reserve(
                                share, (int) (missing + NodeChunks.NODES_PER_CHUNK - 1 >> NodeChunks.NODES_SHIFT));
    }

    /** What was {@linkplain #reserve reserved} and is not used is for all again. */
    public void release() {
        process.release(share);
    }

    /**
     * To be called while the index is being opened, before it is filled with more than there may be memory for. Waits
     * if others are being opened that need as much.
     */
    public void awaitTurn() {
        process.awaitTurn(share);
    }

    private boolean putSpare(@Nullable ByteBuffer chunk) {
        boolean isTaken = chunk != null && spare.put(chunk);
        if (chunk != null && !isTaken) {
            process.giveBack(share, chunk);
        }
        return isTaken;
    }

    /** From now on {@code alarm} wakes a thread that looks whether a chunk is {@link #isWanted}. */
    public void tendedBy(Runnable alarm) {
        isTended = true;
        process.tend(share, alarm);
    }

    /** That thread ends, or there will be none. Any thread. */
    public void untended() {
        process.tend(share, null);
    }

    /** Whether others need a chunk, and this index has more than its share. Any thread. */
    public boolean isWanted() {
        return share.part.goal() > 0;
    }

    /** Gives the chunk back that was taken ahead; false if there is none. */
    boolean giveSpareBack() {
        ByteBuffer chunk = spare.take();
        if (chunk != null) {
            process.giveBack(share, chunk);
        }
        return chunk != null;
    }

    /** The first frame of the last chunk. */
    int lastChunk() {
        return chunkCount - 1 << NodeChunks.NODES_SHIFT;
    }

    /** Gives the last chunk back, in whose frames no node lies. A reader that comes late finds some bytes there. */
    void giveChunkBack() {
        chunkCount--;
        givenOut = Math.min(givenOut, chunkCount << NodeChunks.NODES_SHIFT);
        ByteBuffer chunk = chunks[chunkCount];
        chunks[chunkCount] = chunks[0];
        spare.goOn();
        process.giveBack(share, chunk);
    }

    /** Gives all of it back. There will be no more. */
    void close() {
        spare.end();
        giveSpareBack();
        List<ByteBuffer> all = List.of(Arrays.copyOf(chunks, chunkCount));
        chunks = new ByteBuffer[0];
        chunkCount = 0;
        process.leave(share, all);
    }

    /** The direct memory that it has, the spare chunk included, in bytes. */
    public long bytes() {
        return (long) chunkCount * NodeChunks.CHUNK_LENGTH + spare.bytes();
    }
}

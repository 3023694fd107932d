package io.persist.index.memory;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of all indexes of a process, which have one bound together. An index takes what is free, beyond its fair
 * share too. One that has less than its share and finds nothing free waits, and those that have more give chunks back,
 * one by one: a free chunk is for the one that has waited longest. The first chunk of an index is there whatever the
 * others have.
 *
 * <p>A chunk that is given back, as all are when an index is closed, is the next one's, without the garbage collector;
 * until then that may free it. A reader without the lock may still be at it, and finds afterwards that the node which
 * it has read, or the index, is not there any more.
 *
 * <p><b>Threads:</b> any.
 */
final class ProcessChunks {

    /** Those of this process. */
    static final ProcessChunks OF_PROCESS = new ProcessChunks(DirectMemory::shareOfIndex, NodeChunks::allocate);

    /** So many have no more nodes than there are numbers. */
    private static final int MOST = (Integer.MAX_VALUE >> NodeChunks.NODES_SHIFT) - 1;

    /**
     * One in so many looks goes over all indexes though nothing has changed: it wakes those again that are to give a
     * chunk and could not, as for an open snapshot. There is a look for each node that is read and finds no free frame.
     */
    private static final int ASKED_IN_VAIN = 256;

    private final LongSupplier maxBytes;
    private final NodeChunks.Free free;
    private final List<ChunkShare> shares = new ArrayList<>();
    private final ChunkShare.Queue waiting = new ChunkShare.Queue(this);
    private final ReferenceQueue<Object> unreachable = new ReferenceQueue<>();

    /** How many chunks the indexes may have together, unless one of them may have more. */
    private int usual;

    private int most;

    /** How many they have. */
    private int taken;

    /** How many each may have when all want more. */
    private int fair;

    /** To how many those that have more should come down. */
    private int least;

    /** The indexes that are opened and need more than is free; they go on one after the other. */
    private final List<ChunkShare> turns = new ArrayList<>();

    /** {@code maxBytes} in all, by {@code allocator}, which may throw {@link OutOfMemoryError}. */
    ProcessChunks(LongSupplier maxBytes, Supplier<ByteBuffer> allocator) {
        this.maxBytes = maxBytes;
        this.free = new NodeChunks.Free(allocator);
    }

    /** {@code index} comes, which may have so many bytes. If that is more than all may have, all may have so much. */
    synchronized ChunkShare join(Object index, long bytes) {
        long usualBytes = maxBytes.getAsLong();
        usual = chunks(usualBytes);
        int own = bytes > usualBytes ? chunks(bytes) : Math.min(usual, chunks(bytes + NodeChunks.CHUNK_LENGTH - 1));
        ChunkShare share = new ChunkShare(index, own, unreachable);
        shares.add(share);
        balance();
        return share;
    }

    private static int chunks(long bytes) {
        return (int) Math.max(1, Math.min(bytes / NodeChunks.CHUNK_LENGTH, MOST));
    }

    /** Brings what follows from the shares up to date, and wakes those that should give chunks back. */
    private void balance() {
        forgetUnreachable();
        most = usual;
        for (ChunkShare share : shares) {
            most = Math.max(most, share.most);
        }
        fair = Math.max(1, most / Math.max(1, shares.size()));
        least = fair;
        for (ChunkShare share : shares) {
            share.due = Math.min(share.isOpening ? most : fair, share.most);
            if (share.wasRefused && share.chunks >= fair) {
                least = Math.max(1, fair / 2);
            }
        }
        waiting.order(shares, least);
        for (ChunkShare share : shares) {
            share.isWorthAsking = mayTake(share) || !share.isWaiting && share.chunks < share.due;
            share.limit = Math.min(share.most, Math.max(fair, share.chunks + Math.max(0, freeFor(share))));
            Runnable alarm = share.alarm;
            share.goal = alarm != null && share.chunks > least && taken + waiting.size() > most ? least : 0;
            if (alarm != null && share.goal > 0) {
                alarm.run();
            }
        }
    }

    private void forgetUnreachable() {
        for (Reference<?> gone = unreachable.poll(); gone != null; gone = unreachable.poll()) {
            remove((ChunkShare) gone);
        }
    }

    private void remove(ChunkShare share) {
        if (!share.isLeft) {
            share.isLeft = true;
            share.isWaiting = false;
            shares.remove(share);
            waiting.remove(share);
            turns.remove(share);
            add(share, -share.chunks);
            share.reserved = 0;
        }
    }

    /** How many of those that are not taken are for this index: others wait for some. */
    private int freeFor(ChunkShare share) {
        return most - taken - share.before;
    }

    private boolean mayTake(ChunkShare share) {
        return share.reserved > 0 || !share.isLeft && (share.chunks == 0 || freeFor(share) > 0);
    }

    /**
     * A chunk of zeros. Null if there is none for this index now; if that has less than its share, others are told to
     * give one back. Throws an {@link OutOfMemoryError} if the JVM has no memory.
     */
    @Nullable
    ByteBuffer take(ChunkShare share) {
        boolean isWorthIt = share.isWorthAsking || ++share.asked >= ASKED_IN_VAIN;
        return isWorthIt && count(share) ? counted(share) : null;
    }

    /**
     * The same, but it waits for a chunk that others are to give back; null if they have none, or take too long.
     * Without locks that they need for that.
     */
    @Nullable
    ByteBuffer await(ChunkShare share) {
        return awaitCount(share) ? counted(share) : null;
    }

    private ByteBuffer counted(ChunkShare share) {
        try {
            return free.next();
        } catch (OutOfMemoryError e) {
            giveBack(share, null);
            throw e;
        }
    }

    private synchronized boolean awaitCount(ChunkShare share) {
        if (count(share)) {
            return true;
        }
        waiting.awaitWhile(() -> !mayTake(share) && share.isWaiting && isAnyToGive(share));
        return count(share);
    }

    /** Counts one more chunk as this index's; false if there is none for it now, and then it waits if it is due one. */
    private synchronized boolean count(ChunkShare share) {
        forgetUnreachable();
        boolean isThere = mayTake(share);
        if (isThere) {
            if (share.isOpening || share.reserved > 0) {
                waiting.step(); // it comes nearer to having what it needs
            }
            if (share.reserved > 0) {
                share.reserved--;
            } else {
                add(share, 1);
            }
            waiting.remove(share);
        } else if (!share.isLeft) {
            share.wasRefused = share.isOpening;
            share.asked = 0;
            if (!share.isWaiting) {
                waiting.add(share);
                notifyAll(); // nobody need wait for this one any more
            }
        }
        balance();
        return isThere;
    }

    private void add(ChunkShare share, int chunks) {
        share.chunks += chunks;
        taken += chunks;
    }

    /** So many chunks more are for this index alone until {@link #release}; false if they are not there now. */
    synchronized boolean reserve(ChunkShare share, int chunks) {
        forgetUnreachable();
        int missing = Math.max(0, chunks - share.reserved);
        if (missing > 0 && (share.isLeft || missing > Math.min(freeFor(share), share.most - share.chunks))) {
            return false;
        }
        share.reserved += missing;
        add(share, missing);
        balance();
        return true;
    }

    /** What was reserved and not taken is for others again. */
    synchronized void release(ChunkShare share) {
        add(share, -share.reserved);
        share.reserved = 0;
        changed();
    }

    /** An index gives a chunk back; null if it has not got it. */
    synchronized void giveBack(ChunkShare share, @Nullable ByteBuffer chunk) {
        if (chunk != null) {
            free.add(chunk);
        }
        if (!share.isLeft) {
            add(share, -1);
        }
        changed();
    }

    /** An index is closed, and gives all its chunks back. */
    synchronized void leave(ChunkShare share, List<ByteBuffer> chunks) {
        chunks.forEach(free::add);
        remove(share);
        changed();
    }

    private void changed() {
        waiting.step();
        balance();
        notifyAll();
        for (ChunkShare share : shares) {
            if (share.alarm != null && share.isWaiting && mayTake(share)) {
                share.alarm.run();
            }
        }
    }

    /** The index is open. A thread gives chunks back when {@code alarm} is run; null: none does, or none any more. */
    synchronized void tend(ChunkShare share, @Nullable Runnable alarm) {
        share.alarm = alarm;
        share.isOpening = false;
        share.wasRefused = false;
        turns.remove(share);
        if (alarm == null) { // nobody uses what was reserved, or comes for a chunk that it waits for
            waiting.remove(share);
            release(share);
        } else {
            changed();
        }
    }

    private boolean isAnyToGive(ChunkShare asking) {
        return shares.stream().anyMatch(share -> share.goal > 0 || share != asking && isToGiveLater(share, asking));
    }

    /** Whether it will be open before the one that asks, and give back what it needs no more. */
    private boolean isToGiveLater(ChunkShare share, ChunkShare asking) {
        boolean isBehind = share.isHeldUp || asking.isOpening && share.isWaiting && share.before < asking.before;
        return share.isOpening && share.chunks > least && !isBehind;
    }

    /**
     * An index that is being opened needs more than is free. Waits until those that came to this before are open: if
     * each had a part, none might have enough. Not for ever: it is no reason to fail. Without locks that they need.
     */
    synchronized void awaitTurn(ChunkShare share) {
        if (share.isOpening && !turns.contains(share)) {
            turns.add(share);
            share.isHeldUp = true;
            notifyAll(); // nobody need wait for this one any more
            waiting.awaitWhile(() -> turns.indexOf(share) > 0);
            share.isHeldUp = false;
        }
    }

    /** How many chunks all may have together. */
    synchronized int most() {
        return most;
    }

    /** How many indexes there are. */
    synchronized int indexes() {
        return shares.size();
    }
}

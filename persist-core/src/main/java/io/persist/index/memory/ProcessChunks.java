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

    /** Of those that wait for others. */
    private final ChunkShare.Progress progress = new ChunkShare.Progress(this);

    private final ReferenceQueue<Object> unreachable = new ReferenceQueue<>();

    /** How many chunks the indexes may have together, unless one of them may have more. */
    private int usual;

    /** Follows from the shares. */
    private ChunkDivision division = new ChunkDivision(0, List.of());

    /** How often one was refused a chunk. */
    private long refusals;

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

    /** Something has changed: gives each its part, and wakes those that should give chunks back. */
    private void balance() {
        forgetUnreachable();
        divide();
        wakeGivers();
    }

    private void forgetUnreachable() {
        boolean isAny = false;
        for (Reference<?> gone = unreachable.poll(); gone != null; gone = unreachable.poll()) {
            remove((ChunkShare) gone);
            isAny = true;
        }
        if (isAny) {
            divide();
        }
    }

    private void remove(ChunkShare share) {
        share.leave();
        shares.remove(share);
        turns.remove(share);
    }

    private void divide() {
        List<ChunkDivision.Facts> facts = new ArrayList<>(shares.size());
        for (ChunkShare share : shares) {
            facts.add(share.facts());
        }
        division = new ChunkDivision(usual, facts);
        for (int i = 0; i < shares.size(); i++) {
            shares.get(i).follow(division, facts.get(i));
        }
    }

    private void wakeGivers() {
        for (ChunkShare share : shares) {
            if (share.part.goal() > 0) {
                share.alarm.run();
            }
        }
    }

    /**
     * A chunk of zeros. Null if there is none for this index now; if that has less than its share, others are told to
     * give one back. Throws an {@link OutOfMemoryError} if the JVM has no memory.
     */
    @Nullable
    ByteBuffer take(ChunkShare share) {
        if (!share.part.isWorthAsking() && ++share.asked >= ASKED_IN_VAIN) {
            lookAgain(share);
        }
        return share.part.isWorthAsking() && count(share) ? counted(share) : null;
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

    /** Nothing has changed, as far as is known. */
    private synchronized void lookAgain(ChunkShare share) {
        share.asked = 0;
        forgetUnreachable();
        wakeGivers();
    }

    private synchronized boolean awaitCount(ChunkShare share) {
        if (count(share)) {
            return true;
        }
        progress.awaitWhile(() -> !share.part.mayTake() && share.waits() && isAnyToGive(share));
        return count(share);
    }

    /** Counts one more chunk as this index's; false if there is none for it now, and then it waits if it is due one. */
    private synchronized boolean count(ChunkShare share) {
        forgetUnreachable();
        if (share.isLeft) {
            return false;
        }
        boolean isThere = share.part.mayTake();
        if (isThere) {
            take(share, share.reserved > 0);
        } else {
            share.refuse(++refusals);
            notifyAll(); // nobody need wait for this one any more
            balance();
        }
        return isThere;
    }

    private void take(ChunkShare share, boolean isReserved) {
        if (share.phase.isOpening() || isReserved) {
            progress.step(); // it comes nearer to having what it needs
        }
        share.take();
        try {
            balance();
        } catch (OutOfMemoryError e) { // nobody has it, so it must not count
            if (isReserved) {
                share.reserved++;
            } else {
                share.chunks--;
            }
            throw e;
        }
    }

    /** So many chunks more are for this index alone until {@link #release}; false if they are not there now. */
    synchronized boolean reserve(ChunkShare share, int chunks) {
        forgetUnreachable();
        int missing = Math.max(0, chunks - share.reserved);
        if (missing > 0 && (share.isLeft || missing > Math.min(share.part.free(), share.most - share.chunks))) {
            return false;
        }
        share.reserved += missing;
        share.chunks += missing;
        balance();
        return true;
    }

    /** What was reserved and not taken is for others again. */
    synchronized void release(ChunkShare share) {
        share.release();
        changed();
    }

    /** An index gives a chunk back; null if it has not got it. */
    synchronized void giveBack(ChunkShare share, @Nullable ByteBuffer chunk) {
        if (chunk != null) {
            free.add(chunk);
        }
        if (!share.isLeft) {
            share.chunks--;
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
        progress.step();
        notifyAll(); // first: to divide needs memory, and those that wait look again when the lock is free
        balance();
        for (ChunkShare share : shares) {
            if (share.waits() && share.part.mayTake()) {
                share.alarm.run();
            }
        }
    }

    /** The index is open. A thread gives chunks back when {@code alarm} is run; null: none does, or none any more. */
    synchronized void tend(ChunkShare share, @Nullable Runnable alarm) {
        if (alarm == null) {
            share.untended();
        } else {
            share.tendedBy(alarm);
        }
        turns.remove(share);
        changed();
    }

    private boolean isAnyToGive(ChunkShare asking) {
        return shares.stream()
                .anyMatch(share -> share.part.goal() > 0 || share != asking && isToGiveLater(share, asking));
    }

    /** Whether it will be open before the one that asks, and give back what it needs no more. */
    private boolean isToGiveLater(ChunkShare share, ChunkShare asking) {
        boolean isBehind = share.isHeldUp
                || asking.phase.isOpening() && share.waits() && share.part.before() < asking.part.before();
        return share.phase.isOpening() && share.chunks > division.least() && !isBehind;
    }

    /**
     * An index that is being opened needs more than is free. Waits until those that came to this before are open: if
     * each had a part, none might have enough. Not for ever: it is no reason to fail. Without locks that they need.
     */
    synchronized void awaitTurn(ChunkShare share) {
        if (share.phase.isOpening() && !turns.contains(share)) {
            turns.add(share);
            share.isHeldUp = true;
            notifyAll(); // nobody need wait for this one any more
            progress.awaitWhile(() -> turns.indexOf(share) > 0);
            share.isHeldUp = false;
        }
    }

    /** How many chunks all may have together. */
    synchronized int most() {
        return division.most();
    }

    /** How many indexes there are. */
    synchronized int indexes() {
        return shares.size();
    }
}

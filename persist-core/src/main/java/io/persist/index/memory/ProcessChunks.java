package io.persist.index.memory;

import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of all indexes of a process, which have one bound together. An index takes what is free, beyond its fair
 * share too. One that has less than its share and finds nothing free waits, and those that have more give chunks back,
 * one by one. The first chunk of an index is there whatever the others have.
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

    /** How long a chunk is waited for that others are to give back: they may have to write a checkpoint first. */
    private static final long AWAIT_NS = TimeUnit.SECONDS.toNanos(5);

    /** So many have no more nodes than there are numbers. */
    private static final int MOST = (Integer.MAX_VALUE >> NodeChunks.NODES_SHIFT) - 1;

    private final LongSupplier maxBytes;
    private final Supplier<ByteBuffer> allocator;
    private final List<ChunkShare> shares = new ArrayList<>();
    private final ReferenceQueue<Object> unreachable = new ReferenceQueue<>();

    /** What no index has. */
    private final Deque<WeakReference<ByteBuffer>> free = new ArrayDeque<>();

    /** How many chunks the indexes may have together, unless one of them may have more. */
    private int usual;

    private int most;

    /** How many they have. */
    private int taken;

    /** How many each may have when all want more. */
    private int fair;

    /** How many of the indexes wait. */
    private int waiting;

    /** {@code maxBytes} in all, by {@code allocator}, which may throw {@link OutOfMemoryError}. */
    ProcessChunks(LongSupplier maxBytes, Supplier<ByteBuffer> allocator) {
        this.maxBytes = maxBytes;
        this.allocator = allocator;
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
        waiting = 0;
        boolean isOpening = false;
        for (ChunkShare share : shares) {
            share.isWaiting &= share.chunks < Math.min(due(share), share.most);
            waiting += share.isWaiting ? 1 : 0;
            isOpening |= share.isWaiting && share.chunks >= fair;
        }
        int least = isOpening ? Math.max(1, fair / 2) : fair;
        for (ChunkShare share : shares) {
            share.limit = Math.min(share.most, Math.max(fair, share.chunks + Math.max(0, freeFor(share))));
            Runnable alarm = share.alarm;
            share.goal = alarm != null && share.chunks > least && taken + waiting > most ? least : 0;
            if (alarm != null && share.goal > 0) {
                alarm.run();
            }
        }
    }

    /** An index that is being opened may need what it had before, and cannot write a checkpoint: others can. */
    private int due(ChunkShare share) {
        return share.alarm == null ? most : fair;
    }

    private void forgetUnreachable() {
        for (Reference<?> gone = unreachable.poll(); gone != null; gone = unreachable.poll()) {
            remove((ChunkShare) gone);
        }
    }

    private void remove(ChunkShare share) {
        if (!share.isLeft) {
            share.isLeft = true;
            shares.remove(share);
            taken -= share.chunks;
            share.chunks = 0;
        }
    }

    /** How many of those that are not taken are for this index: others wait for some. */
    private int freeFor(ChunkShare share) {
        return most - taken - waiting + (share.isWaiting ? 1 : 0);
    }

    private boolean mayTake(ChunkShare share) {
        return !share.isLeft && (share.chunks == 0 || (share.chunks < due(share) ? taken < most : freeFor(share) > 0));
    }

    /**
     * A chunk of zeros. Null if there is none for this index now; if that has less than its share, others are told to
     * give one back. Throws an {@link OutOfMemoryError} if the JVM has no memory.
     */
    @Nullable
    ByteBuffer take(ChunkShare share) {
        ByteBuffer chunk;
        synchronized (this) {
            forgetUnreachable();
            boolean isThere = mayTake(share);
            share.isWaiting = !isThere;
            if (isThere) {
                share.chunks++;
                taken++;
            }
            balance();
            if (!isThere) {
                return null;
            }
            chunk = nextFree();
        }
        if (chunk != null) {
            VarHandle.releaseFence(); // paired with the acquire fences of readers that come late
            NodeChunks.clear(chunk);
            return chunk;
        }
        try {
            return allocator.get();
        } catch (OutOfMemoryError e) {
            giveBack(share, null);
            throw e;
        }
    }

    private @Nullable ByteBuffer nextFree() {
        ByteBuffer chunk = null;
        while (chunk == null && !free.isEmpty()) {
            chunk = free.removeLast().get();
        }
        return chunk;
    }

    /** An index gives a chunk back; null if it has not got it. */
    synchronized void giveBack(ChunkShare share, @Nullable ByteBuffer chunk) {
        addFree(chunk);
        if (!share.isLeft) {
            share.chunks--;
            taken--;
        }
        changed();
    }

    /** An index is closed, and gives all its chunks back. */
    synchronized void leave(ChunkShare share, List<ByteBuffer> chunks) {
        chunks.forEach(this::addFree);
        remove(share);
        changed();
    }

    private void addFree(@Nullable ByteBuffer chunk) {
        if (chunk != null) {
            free.addLast(new WeakReference<>(chunk));
        }
    }

    private void changed() {
        balance();
        notifyAll();
        for (ChunkShare share : shares) {
            if (share.isWaiting && share.alarm != null) {
                share.alarm.run();
            }
        }
    }

    /** A thread gives chunks of this index back from now on when {@code alarm} is run; null: none does any more. */
    synchronized void tend(ChunkShare share, @Nullable Runnable alarm) {
        share.alarm = alarm;
        balance();
    }

    /**
     * Waits until there is a chunk for this index, which was refused one; false if others have none to give back, or
     * take too long. Without locks that they need for that.
     */
    synchronized boolean await(ChunkShare share) {
        long end = System.nanoTime() + AWAIT_NS;
        boolean wasInterrupted = false;
        long left = AWAIT_NS;
        while (!mayTake(share) && share.isWaiting && left > 0 && shares.stream().anyMatch(other -> other.goal > 0)) {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                wasInterrupted = true;
            }
            left = end - System.nanoTime();
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
        return mayTake(share);
    }

    /** Whether to ask for a chunk once more may have another answer than it had. */
    synchronized boolean isWorthAsking(ChunkShare share) {
        return mayTake(share) || !share.isWaiting && share.chunks < due(share);
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

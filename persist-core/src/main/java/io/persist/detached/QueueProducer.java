package io.persist.detached;

import io.persist.error.PersistException;
import io.persist.error.QueueFullException;
import io.persist.log.Durability;
import io.persist.log.segment.SegmentLayout;
import io.persist.log.space.Headroom.Reserve;
import io.persist.log.space.RecordSpace;
import io.persist.log.sync.LogPositions;
import io.persist.log.thread.Turn;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;

/**
 * The producers' side of the queue: checks, claims an entry, waits for a free one if that is configured, copies,
 * publishes, and wakes the writer thread.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none per record.
 */
final class QueueProducer implements RecordSpace {

    private static final int SPINS = 50;
    private static final int YIELDS = 200;
    private static final int SAY_ROUNDS = 4096;
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final LogPositions positions;
    private final HandoffQueue queue;
    private final DetachedWriter writer;
    private final QueueCounters counters;
    private final WriterIdle idle;
    private final SegmentLayout layout;
    private final int maxPayload;
    private final long fullTimeoutNs;

    /**
     * Has the thread that looks often for a free entry. The others sleep behind it: if each of many looked as often,
     * they would leave no CPU for the writer thread. They look now and then all the same, for the first may not run: a
     * virtual thread that sleeps has no carrier, and may get none as long as those behind it have them all.
     */
    private final Turn turn = new Turn();

    private final BooleanSupplier hasRoom = this::hasRoom;
    private final ThreadLocal<SourceCopy> copies = ThreadLocal.withInitial(SourceCopy::new); // a claim may be open too

    QueueProducer(
            LogPositions positions,
            HandoffQueue queue,
            DetachedWriter writer,
            SegmentLayout layout,
            long fullTimeoutNs) {
        this.positions = positions;
        this.queue = queue;
        this.writer = writer;
        this.counters = writer.counters();
        this.idle = writer.idle();
        this.layout = layout;
        this.maxPayload = layout.maxPayload();
        this.fullTimeoutNs = fullTimeoutNs;
    }

    /** Hands over a record; returns the position right after it. */
    long append(byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        long end = 0;
        try {
            QueueEntry entry = entry(length);
            try {
                entry.put(source, offset);
                end = entry.publish();
            } catch (Throwable e) {
                queue.isBroken = true; // without a call: see there
                throw e;
            }
            idle.wake();
        } catch (InternalError late) {
            throw failed(late);
        } catch (Throwable e) {
            if (queue.isBroken) {
                idle.wake(); // here is more stack than where it has failed
            }
            if (end == 0 || !(e instanceof StackOverflowError)) {
                throw e;
            } // else the record is accepted, and the next call wakes the writer thread
        }
        return end;
    }

    /**
     * Hands over what remains of {@code source}; returns the position right after it. What may not be readable, as
     * memory that was closed or a file that was cut, is read before an entry is claimed: else the entry would never be
     * published, and the log would be at its end for all threads.
     */
    long append(ByteBuffer source) {
        int length = source.remaining();
        if (source.hasArray()) {
            return append(source.array(), source.arrayOffset() + source.position(), length);
        }
        check(length); // before there is memory for it
        SourceCopy copy = copies.get();
        try {
            return append(copy.of(source, source.position(), length), 0, length);
        } finally {
            copy.shrink();
        }
    }

    /** The same of a part of {@code source}. */
    long append(DirectBuffer source, int offset, int length) {
        check(length);
        source.boundsCheck(offset, length);
        byte[] array = source.byteArray();
        if (array != null) {
            return append(array, source.wrapAdjustment() + offset, length);
        }
        SourceCopy copy = copies.get();
        try {
            return append(copy.of(source, offset, length), 0, length);
        } finally {
            copy.shrink();
        }
    }

    /** An entry may have been claimed and will never be published: all entries behind it would wait for it. */
    private PersistException failed(InternalError late) {
        PersistException failure = positions.fail("handing over a record", late);
        idle.wake();
        return failure;
    }

    /**
     * Ends a commit for whose {@code level} a thread will wait; returns the position up to which the log is committed.
     */
    long endCommit(Durability level) {
        check();
        long end = queue.endCommit();
        if (level == Durability.SYNCED && positions.synced() < end) {
            counters.syncedCommit();
        }
        idle.wake();
        return end;
    }

    /** Hands over the end of the segment, if that will have a record; returns where the next record will begin. */
    long roll() {
        check();
        try {
            for (long position = queue.position(); ; position = queue.position()) {
                if (layout.roll(position) == position) {
                    queue.checkNotClosed();
                    return position;
                }
                QueueEntry entry = entryUnchecked(QueueEntry.ROLL);
                if (entry != QueueEntry.NONE) { // else another thread was first
                    try {
                        return entry.publish();
                    } catch (Throwable e) {
                        queue.isBroken = true; // without a call: see there
                        throw e;
                    } finally {
                        idle.wake();
                    }
                }
            }
        } catch (InternalError late) {
            throw failed(late);
        }
    }

    /** Claims an entry, which has to be published; waits for a free one, if that is configured. */
    QueueEntry entry(int length) {
        check(length);
        return entryUnchecked(length);
    }

    private QueueEntry entryUnchecked(int length) {
        QueueEntry entry = queue.claim(length);
        return entry != null ? entry : awaitEntry(length);
    }

    /** Throws if no record of {@code length} bytes can be appended now. */
    @Override
    public void check(int length) {
        check();
        queue.checkNotClosed();
        if (length < 0) {
            throw new IllegalArgumentException("length=" + length + ", min=0");
        }
        if (length > maxPayload) {
            throw SegmentLayout.tooLong(length, maxPayload);
        }
    }

    /** Throws if nothing can be appended now. */
    void check() {
        positions.check();
        writer.checkTakesRecords();
    }

    @Override
    public boolean has(int length, long kept, Reserve use) {
        boolean hasMore = queue.size() < queue.depth() - 1 && queue.bytes() < queue.maxBytes() - length;
        // An empty one may never have room for two records: then the one that waits comes when it looks.
        return !queue.isFull() && (kept == 0 || hasMore || queue.size() == 0);
    }

    @Override
    public void await(long length, Reserve use, long sinceNs, BooleanSupplier isWanted) {
        if (!queue.isFull()) {
            return;
        }
        beginWait();
        boolean interrupted = false;
        long startNs = System.nanoTime();
        try {
            for (int round = 0; queue.isFull() && !queue.isClosed() && isWanted.getAsBoolean(); round = after(round)) {
                long unused = remainingNs(sinceNs);
                pause(round);
                interrupted |= Thread.interrupted();
            }
        } finally {
            counters.waited(System.nanoTime() - startNs);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void countWaits() {
        idle.wake();
    }

    /** The queue is full: waits as long as is configured. */
    private QueueEntry awaitEntry(int length) {
        beginWait();
        long startNs = System.nanoTime();
        boolean interrupted = false;
        QueueEntry entry = null;
        try {
            try {
                for (int round = 0; ; round = after(round)) {
                    entry = queue.claim(length);
                    if (entry != null) {
                        return entry;
                    }
                    if (turn.takeUnless(hasRoom, remainingNs(startNs))) {
                        pause(round);
                    }
                    interrupted |= Thread.interrupted();
                }
            } finally {
                counters.waited(System.nanoTime() - startNs);
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                turn.giveBack();
            }
        } catch (Throwable e) {
            if (entry != null) {
                queue.isBroken = true;
            }
            throw e;
        } finally {
            turn.giveBack(); // see Turn
        }
    }

    /** Whether it is worthwhile to claim an entry; throws if nothing can be appended. */
    private boolean hasRoom() {
        check();
        return !queue.isFull() || queue.isClosed(); // of a closed one the claim says so
    }

    private void beginWait() {
        counters.full();
        if (fullTimeoutNs == 0) {
            throw queueFull();
        }
        writer.checkMayWait();
    }

    /** For how long the thread may go on waiting; throws if the wait has ended without an entry. */
    private long remainingNs(long startNs) {
        check();
        long remainingNs = fullTimeoutNs - (System.nanoTime() - startNs);
        if (remainingNs <= 0) {
            throw queueFull();
        }
        return remainingNs;
    }

    /** The round that follows; it stays one that sleeps, however long the queue is full. */
    static int after(int round) {
        return round == Integer.MAX_VALUE ? SPINS + YIELDS : round + 1;
    }

    private void pause(int round) {
        if (round < SPINS) {
            Thread.onSpinWait();
        } else if (round < SPINS + YIELDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(this, PAUSE_NS);
            if (round % SAY_ROUNDS == 0) {
                writer.sayIfStuck();
            }
        }
    }

    private QueueFullException queueFull() {
        return new QueueFullException("queue is full: entries=" + queue.size() + ", queueDepth=" + queue.depth()
                + ", bytes=" + queue.bytes() + ", queueBytes=" + queue.maxBytes()
                + "; the record was not accepted, append it again later, or use a deeper queue or one of more bytes");
    }
}

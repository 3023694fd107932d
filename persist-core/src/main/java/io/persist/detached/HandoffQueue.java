package io.persist.detached;

import io.persist.log.segment.SegmentLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of records from many producers to one writer thread. A producer claims an entry and the record's
 * position in the log with one compare-and-set, copies the record there, and publishes it. The order of the claims is
 * the order of the log.
 *
 * <p>It is the array queue of Dmitry Vyukov (1024cores.net, "Bounded MPMC queue") for one consumer, with the position
 * in the log in place of the turn in each cell.
 *
 * <p><b>Threads:</b> {@link #claim}, {@link #endCommit} and {@link #close} any; {@link #drain} the writer's.
 * <b>Allocation:</b> none, but to grow an entry to a longer record than it has held, and for each record that is longer
 * than an entry's share of the bytes: the memory of such a record is not kept.
 */
final class HandoffQueue {

    /** What the writer thread does with a record. If the handler throws, the record stays in the queue. */
    interface Handler {
        void onEntry(QueueEntry entry);
    }

    /** Entries are given back to the producers in groups, because each time costs them a cache miss. */
    private static final int MAX_GIVE_BACK = 32;

    /** Memory of this length an entry keeps in any case, so that short records cost no garbage. */
    private static final int MIN_KEPT_LENGTH = 1024;

    private static final VarHandle TAIL = QueueTail.Ends.handle("tail");
    private static final VarHandle HEAD = QueueTail.Ends.handle("head");
    private static final VarHandle GIVEN_BACK = QueueTail.Ends.handle("givenBack");
    private static final VarHandle LEFT_OUT = QueueTail.Ends.handle("leftOut");

    private final QueueTail.Ends ends = new QueueTail.Ends();
    private final QueueEntry[] entries;
    private final int mask;
    private final int giveBackMask;
    private final long origin;
    private final long maxBytes;
    private final int keptLength;
    private final SegmentLayout layout;

    /**
     * Whether a producer has claimed an entry that it will not publish, because something was thrown. It is set by the
     * thread that claims or publishes, without a call, for which there may be no stack. There may be none to wake the
     * writer thread either, which therefore looks often while the queue is {@link #isInUse in use}.
     */
    volatile boolean isBroken;

    /** The end of the last record that was taken. The writer thread's. */
    private long taken;

    /** What the ends of segments leave out that were taken since bytes were given back last. The writer thread's. */
    private long leftOutTaken;

    /**
     * A queue of {@code depth} entries, a power of two, to a log that ends at {@code position}. It takes records as
     * long as those that it has take less than {@code maxBytes} of the log.
     */
    HandoffQueue(int depth, long maxBytes, long position, SegmentLayout layout) {
        this.entries = new QueueEntry[depth];
        for (int i = 0; i < depth; i++) {
            entries[i] = new QueueEntry();
        }
        this.mask = depth - 1;
        this.giveBackMask = Math.min(MAX_GIVE_BACK, Math.max(1, depth / 4)) - 1;
        this.origin = position;
        this.maxBytes = maxBytes;
        this.keptLength = (int) Math.max(MIN_KEPT_LENGTH, Math.min(maxBytes / depth, Integer.MAX_VALUE));
        this.layout = layout;
        this.taken = position;
    }

    int depth() {
        return entries.length;
    }

    /**
     * Claims an entry for a record of {@code length} bytes, which has to be published soon: those behind it wait for
     * it. A thread that cannot publish it says that the queue is {@link #isBroken broken}.
     *
     * @param length {@link QueueEntry#ROLL} for the end of the segment
     * @return null if there is none free, or the queue has bytes enough; {@link QueueEntry#NONE} if the segment has no
     *     record, and so does not end
     * @throws IllegalStateException if the queue is closed
     */
    @Nullable
    QueueEntry claim(int length) {
        byte[] larger = null;
        while (true) {
            long tail = (long) TAIL.getAcquire(ends);
            if (QueueTail.isClosed(tail)) {
                throw closed();
            }
            if (isFull(tail)) {
                return null;
            }
            QueueEntry entry = entries[QueueTail.number(tail) & mask];
            if (entry.capacity() < length && (larger == null || larger.length < length)) {
                larger = new byte[length]; // before the claim, so that a lack of memory harms nobody
            }
            long position = origin + QueueTail.position(tail);
            boolean isRoll = length == QueueEntry.ROLL;
            long end = isRoll ? layout.roll(position) : layout.end(position, length);
            if (end == position) {
                return QueueEntry.NONE;
            }
            if (end - origin >= QueueTail.MAX_POSITION) {
                throw new IllegalStateException("512 TiB were appended since the log was opened; close and open it");
            }
            leaveOut(isRoll ? end - position : 0); // before others see the tail: else the queue looks full to them
            if (TAIL.compareAndSet(ends, tail, QueueTail.next(tail, end - origin))) {
                try {
                    if (entry.capacity() < length && larger != null) {
                        entry.grow(larger);
                    }
                    entry.begin(length, end, QueueTail.hasCommit(tail));
                    return entry;
                } catch (Throwable e) {
                    isBroken = true;
                    throw e;
                }
            }
            leaveOut(isRoll ? position - end : 0);
            Thread.onSpinWait();
        }
    }

    /** So many bytes of the log count no more as bytes of the queue: no record is in them. */
    private void leaveOut(long bytes) {
        if (bytes != 0) {
            long unused = (long) LEFT_OUT.getAndAdd(ends, bytes);
        }
    }

    /** Whether a claim would find no entry now. */
    boolean isFull() {
        return isFull((long) TAIL.getAcquire(ends));
    }

    /**
     * Whether all entries are taken, or all bytes. The tail was read before the head, so the difference can also be of
     * a time that never was; then the tail has moved since, and the claim of it will fail.
     */
    private boolean isFull(long tail) {
        int used = QueueTail.number(tail) - (int) head() & QueueTail.NUMBER_MASK;
        return (used >= entries.length || bytes(tail) >= maxBytes) && (long) TAIL.getAcquire(ends) == tail;
    }

    /** What the records in the queue take of the log; a guess, which guards no memory. */
    private long bytes(long tail) {
        long leftOut = (long) LEFT_OUT.getAcquire(ends); // first: pairs with giveBack
        return QueueTail.position(tail) - leftOut - (long) GIVEN_BACK.getOpaque(ends);
    }

    /** Pairs with the release in {@link #drain}: a thread that finds an entry free may write to it. */
    private long head() {
        return (long) HEAD.getAcquire(ends);
    }

    /**
     * Ends a commit after the last record that was claimed.
     *
     * @return the position up to which the log is committed
     * @throws IllegalStateException if the queue is closed
     */
    long endCommit() {
        while (true) {
            long tail = (long) TAIL.getAcquire(ends);
            if (QueueTail.isClosed(tail)) {
                throw closed();
            }
            if (QueueTail.hasCommit(tail) || TAIL.compareAndSet(ends, tail, QueueTail.withCommit(tail))) {
                return origin + QueueTail.position(tail);
            }
            Thread.onSpinWait();
        }
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("logger is closed");
    }

    /** Accepts nothing more. */
    void close() {
        long tail = (long) TAIL.getAcquire(ends);
        while (!QueueTail.isClosed(tail) && !TAIL.compareAndSet(ends, tail, QueueTail.withClosed(tail))) {
            tail = (long) TAIL.getAcquire(ends);
        }
    }

    /**
     * Gives up the memory of records, those that are left among them; when the queue is closed and the writer thread
     * has ended. A thread that has claimed an entry has it still.
     */
    void letGo() {
        Arrays.fill(entries, QueueEntry.NONE);
    }

    void checkNotClosed() {
        if (isClosed()) {
            throw closed();
        }
    }

    boolean isClosed() {
        return QueueTail.isClosed((long) TAIL.getAcquire(ends));
    }

    /** Where the log will end when all that was claimed is written. */
    long position() {
        return origin + QueueTail.position((long) TAIL.getAcquire(ends));
    }

    /** The bytes of the log that the records in the queue will take, a moment ago. */
    long bytes() {
        return Math.max(0, bytes((long) TAIL.getAcquire(ends)));
    }

    long maxBytes() {
        return maxBytes;
    }

    /** How many entries are in use. If the tail has moved since it was read, the head may be beyond it. */
    int size() {
        long tail = (long) TAIL.getAcquire(ends);
        while (true) {
            int used = QueueTail.number(tail) - (int) head() & QueueTail.NUMBER_MASK;
            long again = (long) TAIL.getAcquire(ends);
            if (again == tail) {
                return used;
            }
            tail = again;
        }
    }

    /** How many records are left, and not ends of segments; when the writer thread has ended. */
    int records() {
        int records = 0;
        for (long next = head(), end = next + size(); next < end; next++) {
            records += entries[(int) next & mask].isRoll() ? 0 : 1;
        }
        return records;
    }

    /** How many entries were taken since the log was opened. */
    long entriesTaken() {
        return head();
    }

    /** Whether entries are claimed that are not taken. */
    boolean isInUse() {
        return size() > 0;
    }

    /** Whether the next record can be taken. The writer thread's. */
    boolean isReady() {
        return entries[(int) head() & mask].isPublishedAfter(taken);
    }

    /** Whether no record can be taken any more. The writer thread's. */
    boolean isStuck() {
        return isBroken && !isReady();
    }

    /** Whether everything was taken, and a commit is the last that was called. The writer thread's. */
    boolean endsWithCommit() {
        long tail = (long) TAIL.getAcquire(ends);
        return QueueTail.hasCommit(tail) && QueueTail.number(tail) == ((int) head() & QueueTail.NUMBER_MASK);
    }

    /** Whether nothing is left, and nothing will come. The writer thread's. */
    boolean isFinished() {
        long tail = (long) TAIL.getAcquire(ends);
        return QueueTail.isClosed(tail) && QueueTail.number(tail) == ((int) head() & QueueTail.NUMBER_MASK);
    }

    /** Hands up to {@code limit} records to {@code handler}; returns how many. The writer thread's. */
    int drain(Handler handler, int limit) {
        long first = head();
        long next = first;
        long soon = taken + maxBytes / 4;
        try {
            while (next - first < limit) {
                QueueEntry entry = entries[(int) next & mask];
                if (!entry.isPublishedAfter(taken)) {
                    break;
                }
                handler.onEntry(entry);
                leftOutTaken += entry.isRoll() ? entry.end() - taken : 0;
                taken = entry.end();
                next++;
                entry.shrink(keptLength);
                if ((next & giveBackMask) == 0 || taken > soon) {
                    giveBack(next);
                    soon = taken + maxBytes / 4;
                }
            }
        } finally {
            giveBack(next);
        }
        return (int) (next - first);
    }

    private void giveBack(long next) {
        HEAD.setRelease(ends, next); // pairs with head()
        GIVEN_BACK.setOpaque(ends, taken - origin);
        leaveOut(-leftOutTaken); // now they count as given back
        leftOutTaken = 0;
    }
}

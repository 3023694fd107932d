package io.persist.store.value;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads of the files of segments into one array, which several threads do together. Each takes the next read until none
 * is left.
 *
 * <p><b>Threads:</b> one makes it, adds reads, and runs them; others help.
 */
public final class ReadBatch implements Runnable {

    /** Reads for which one more thread is worth its waking. */
    private static final int READS_PER_THREAD = 4;

    private final MappedSegments segments;
    private final byte[] target;
    private final long[] positions;
    private final int[] lengths;
    private final int[] indexes;
    private final boolean[] isRead;
    private final Thread caller = Thread.currentThread();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private int count;

    /** At most {@code most} reads into {@code target}. */
    public ReadBatch(MappedSegments segments, byte[] target, int most) {
        this.segments = segments;
        this.target = target;
        this.positions = new long[most];
        this.lengths = new int[most];
        this.indexes = new int[most];
        this.isRead = new boolean[most];
    }

    /**
     * Adds a read of {@code length} bytes at {@code position} of the log, all in one segment, to {@code index} of the
     * target; returns its number.
     */
    public int add(long position, int length, int index) {
        positions[count] = position;
        lengths[count] = length;
        indexes[count] = index;
        return count++;
    }

    /** Does all reads, with the help of others, and returns when they are done. */
    public void runAll() {
        segments.help(this, count / READS_PER_THREAD);
        run();
        boolean interrupted = false;
        while (done.get() < count) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            caller.interrupt();
        }
    }

    /** Does reads until none is left that nobody does. */
    @Override
    public void run() {
        for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
            try {
                isRead[i] = read(i);
            } catch (Throwable e) {
                isRead[i] = false; // a reader that needs one of these bytes reads them alone, and is told
            } finally {
                if (done.incrementAndGet() == count) {
                    LockSupport.unpark(caller);
                }
            }
        }
    }

    private boolean read(int i) {
        MappedSegment segment = segments.at(positions[i]);
        return segment.read((int) (positions[i] - segment.basePosition()), target, indexes[i], lengths[i]);
    }

    /** Whether the bytes of the read {@code number} are in the target. */
    public boolean isRead(int number) {
        return isRead[number];
    }
}

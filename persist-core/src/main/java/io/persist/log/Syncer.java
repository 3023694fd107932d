package io.persist.log;

import io.persist.file.StorageFile.WriteThrough;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes records survive power cuts. Threads that want it at the same time share one force: who waited for the lock
 * finds his position synced.
 *
 * <p><b>Threads:</b> any; {@link #add} only the appender's.
 */
final class Syncer {

    private final LogPositions positions;
    private final ReentrantLock lock = new ReentrantLock();

    /** The segments above the synced position, oldest first; the last one is the appender's. */
    private final Queue<Segment> unsynced = new ConcurrentLinkedQueue<>();

    /** Sealed and wholly synced: nobody writes to them any more. Guarded by the lock. */
    private final ArrayDeque<Segment> finished = new ArrayDeque<>();

    private final AtomicLong syncs = new AtomicLong();

    Syncer(LogPositions positions) {
        this.positions = positions;
    }

    void add(Segment segment) {
        unsynced.add(segment);
    }

    /** How often the device was told to flush. */
    long syncs() {
        return syncs.get();
    }

    /**
     * Returns once everything before {@code target} is synced; it has to be flushed already.
     *
     * @throws io.persist.error.LogIOException if the device refuses, which ends the log's life
     */
    void syncTo(long target) {
        if (positions.synced() >= target) {
            return;
        }
        lock.lock();
        try {
            positions.check();
            if (positions.synced() < target) {
                long end = positions.flushed();
                forceUpTo(end);
                advance(end);
            }
        } catch (IOException | InternalError e) {
            throw positions.fail("sync", e);
        } finally {
            lock.unlock();
        }
    }

    private void forceUpTo(long end) throws IOException {
        long synced = positions.synced();
        Segment oldest = unsynced.peek();
        if (oldest != null && end <= oldest.endPosition()) {
            force(oldest, synced, end); // as almost always, and without the iterator's allocation
            return;
        }
        for (Segment segment : unsynced) {
            force(segment, synced, end);
        }
    }

    private void force(Segment segment, long synced, long end) throws IOException {
        long from = Math.max(synced, segment.basePosition());
        long to = Math.min(end, segment.endPosition());
        if (from < to) {
            syncs.incrementAndGet();
            segment.sync(from, to);
        }
    }

    /**
     * Writes {@code length} bytes of {@code source} to the segment, in a way that leaves them on the device. They are
     * synced only if all before them was synced too.
     */
    void writeThrough(Segment segment, int offset, byte[] source, int length, WriteThrough how) throws IOException {
        long start = segment.basePosition() + offset;
        lock.lock();
        try {
            boolean continues = positions.synced() >= start;
            syncs.incrementAndGet();
            segment.file().write(offset, source, 0, length, how);
            positions.flushed(start + length);
            if (continues) {
                advance(start + length);
            }
        } finally {
            lock.unlock();
        }
    }

    private void advance(long end) {
        positions.synced(end);
        while (true) {
            Segment oldest = unsynced.peek();
            if (oldest == null || oldest.endPosition() > end) {
                return;
            }
            finished.add(unsynced.remove());
        }
    }

    /** Whether there are sealed segments that nobody has synced yet. */
    boolean hasSealed() {
        Segment oldest = unsynced.peek();
        return oldest != null && oldest.endPosition() <= positions.flushed();
    }

    /** The next segment that can be closed, or null. */
    @Nullable
    Segment pollFinished() {
        lock.lock();
        try {
            return finished.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Closes every segment; nobody may write or sync any more. */
    void close() {
        lock.lock();
        try {
            unsynced.forEach(Segment::close);
            unsynced.clear();
            finished.forEach(Segment::close);
            finished.clear();
        } finally {
            lock.unlock();
        }
    }
}

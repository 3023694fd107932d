package io.persist.log.sync;

import io.persist.file.Closing;
import io.persist.format.control.CounterBlock;
import io.persist.log.segment.Segment;
import io.persist.monitor.Counter;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The segments that hold bytes which are not known to be synced, and those that can be closed because they hold none.
 *
 * <p><b>Threads:</b> {@link #add} the appender's, {@link #force} and {@link #synced} the one that leads a sync, the
 * rest any.
 */
final class UnsyncedSegments {

    private final LogPositions positions;
    private final CounterBlock counters;

    /** Oldest first; the last one is the appender's. */
    private final Queue<Segment> unsynced = new ConcurrentLinkedQueue<>();

    /** Sealed and wholly synced: nobody writes to them any more. */
    private final Queue<Segment> finished = new ConcurrentLinkedQueue<>();

    /** Where the segment begins that the appender has entered last. */
    private volatile long lastBase;

    UnsyncedSegments(LogPositions positions, CounterBlock counters) {
        this.positions = positions;
        this.counters = counters;
    }

    void add(Segment segment) {
        unsynced.add(segment);
        lastBase = segment.basePosition();
    }

    /** Forces what lies between the two positions. */
    void force(long from, long to) throws IOException {
        Segment oldest = unsynced.peek();
        if (oldest != null && to <= oldest.endPosition()) {
            force(oldest, from, to); // as almost always, and without the iterator's allocation
            return;
        }
        for (Segment segment : unsynced) {
            force(segment, from, to);
        }
    }

    private void force(Segment segment, long from, long to) throws IOException {
        long first = Math.max(from, segment.basePosition());
        long end = Math.min(to, segment.endPosition());
        if (first < end) {
            counters.add(Counter.SYNCS, 1);
            segment.sync(first, end);
        }
    }

    /** Where the last record begins of those segments that end at {@code end} or before, 0 if there is none. */
    long lastRecordBefore(long end) {
        long last = 0;
        if (endOfOldest() > end) {
            return last; // as almost always, and without the iterator's allocation
        }
        for (Segment segment : unsynced) {
            if (segment.endPosition() > end) {
                break;
            }
            last = segment.lastRecord();
        }
        return last;
    }

    /** Everything before {@code end} is synced. */
    void synced(long end) {
        while (true) {
            Segment oldest = unsynced.peek();
            if (oldest == null || oldest.endPosition() > end) {
                return;
            }
            finished.add(oldest); // first: there may be no memory for that, and one of the two has to close it
            unsynced.remove();
        }
    }

    /** Whether everything before {@code position} is in sealed segments, be they synced or not. */
    boolean areAllSealedBefore(long position) {
        return position <= lastBase;
    }

    /** Where the oldest segment ends that is not synced; {@link Long#MAX_VALUE} if there is none. */
    long endOfOldest() {
        Segment oldest = unsynced.peek();
        return oldest == null ? Long.MAX_VALUE : oldest.endPosition();
    }

    /** Whether there are sealed segments that nobody has synced yet. */
    boolean hasSealed() {
        return endOfOldest() <= positions.flushed();
    }

    /**
     * Unmaps the segments into which nobody stores any more. Called by the thread that takes page faults ahead of the
     * appender, the only other one that uses the mapping of a segment without its lock.
     */
    void unmapSealed() {
        if (!hasSealed()) {
            return; // as almost always, and without the iterator's allocation
        }
        long flushed = positions.flushed(); // beyond a segment's end once the appender has entered the next one
        for (Segment segment : unsynced) {
            if (segment.endPosition() <= flushed) {
                segment.unmap();
            }
        }
    }

    /** Closes those that can be closed; whether there was any. The filler's thread. */
    boolean closeFinished() {
        boolean worked = false;
        for (Segment done = finished.peek(); done != null; done = finished.peek()) {
            done.close();
            finished.poll(); // last: what an error cuts short is closed with the rest
            worked = true;
        }
        return worked;
    }

    /** Closes every segment; nobody may write or sync any more. */
    void close() {
        try {
            Closing.each(unsynced, Segment::close);
            unsynced.clear();
        } finally {
            Closing.each(finished, Segment::close);
            finished.clear();
        }
    }
}

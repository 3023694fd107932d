package io.persist.store.value;

import io.persist.log.segment.MappedSegment;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * The segment in which a reader of values reads. It stays mapped until the reader reads in another one. This object is
 * apart from the reader, and small, so that another thread can let go of the segment when the reader's thread has
 * ended, although the garbage collector has taken the rest.
 *
 * <p><b>Threads:</b> the thread that made it; after that any thread that finds {@link #isDone}.
 */
public final class SegmentHold extends WeakReference<Thread> {

    private @Nullable MappedSegment held;
    private @Nullable MappedSegment left;

    /** One of the calling thread; {@code gone} is told when that has ended and was collected. */
    SegmentHold(@Nullable ReferenceQueue<Thread> gone) {
        super(Thread.currentThread(), gone);
    }

    /** Whether there will be no more reads: the thread has ended, or it is the calling one. */
    boolean isDone() {
        Thread thread = get();
        return thread == null || !thread.isAlive() || thread == Thread.currentThread();
    }

    @Nullable
    MappedSegment segment() {
        return held;
    }

    /** Keeps {@code segment} mapped, in place of the one before; false if it is unmapped already. */
    boolean enter(MappedSegment segment) {
        if (!segment.hold()) {
            return false;
        }
        releaseLeft();
        left = held;
        held = segment;
        return true;
    }

    /** The one before is let go of only when the next value is read: if it is the last, unmapping takes its time. */
    void releaseLeft() {
        if (left != null) {
            left.release();
            left = null;
        }
    }

    /** Lets go of all. */
    void leave() {
        releaseLeft();
        if (held != null) {
            held.release();
            held = null;
        }
    }
}

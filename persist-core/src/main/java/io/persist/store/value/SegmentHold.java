package io.persist.store.value;

import io.persist.log.segment.MappedSegment;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * The segment in which a reader of values reads, which stays mapped until it reads in another one. It is apart from the
 * reader, and small, so that others can let go of the segment when the reader's thread has ended, while all else that
 * the thread had is gone with it.
 *
 * <p><b>Threads:</b> the one that made it; whoever finds {@link #isDone} after that.
 */
public final class SegmentHold extends WeakReference<Thread> {

    private @Nullable MappedSegment held;
    private @Nullable MappedSegment left;

    /** One of the calling thread; {@code gone} is told when that has ended and was collected. */
    SegmentHold(@Nullable ReferenceQueue<Thread> gone) {
        super(Thread.currentThread(), gone);
    }

    /** Whether nobody will read any more: the thread has ended, or it is the one that asks. */
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

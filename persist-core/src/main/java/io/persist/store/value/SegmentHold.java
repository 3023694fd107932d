package io.persist.store.value;

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
    @SuppressWarnings("ReferenceEquality") // the very segment, and not one like it
    boolean enter(MappedSegment segment) {
        releaseLeft(); // before the other is held: an error in it would leave that held
        if (segment == held) {
            return true;
        }
        if (!segment.hold()) {
            return false;
        }
        left = held;
        held = segment;
        return true;
    }

    /** The one before is let go of only when the next value is read: if it is the last, unmapping takes its time. */
    void releaseLeft() {
        MappedSegment last = left;
        left = null; // first: after an error it must not be let go of twice, as another reader may hold it
        if (last != null) {
            last.release();
        }
    }

    /** Lets go of all. */
    void leave() {
        MappedSegment last = held;
        held = null;
        try {
            releaseLeft();
        } finally {
            if (last != null) {
                last.release();
            }
        }
    }
}

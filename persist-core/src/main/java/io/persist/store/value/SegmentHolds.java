package io.persist.store.value;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.HashSet;
import java.util.Set;

/**
 * The segments that threads which read from a store hold. A thread ends without a notice here: the garbage collector
 * tells when it has taken one, and while there are few threads they are looked at. Until then a thread costs some bytes
 * here, and nothing else of it is kept. What a thread holds that lives on after the store was closed, and never calls
 * it again, nobody lets go of: that mapping ends when the collector has taken the store, as {@link
 * io.persist.file.Mapping} says.
 *
 * <p><b>Threads:</b> any.
 */
public final class SegmentHolds {

    /** With so few it costs nothing to look at each. */
    private static final int FEW = 64;

    private final Set<SegmentHold> holds = new HashSet<>();
    private final ReferenceQueue<Thread> gone = new ReferenceQueue<>();

    /** What the calling thread will hold. */
    public synchronized SegmentHold add() {
        for (Reference<? extends Thread> one = gone.poll(); one != null; one = gone.poll()) {
            SegmentHold hold = (SegmentHold) one;
            hold.leave();
            holds.remove(hold);
        }
        if (holds.size() <= FEW) {
            leaveDone();
        }
        SegmentHold hold = new SegmentHold(gone);
        holds.add(hold);
        return hold;
    }

    /** Lets go of the segments of threads that read no more. */
    public synchronized void leaveDone() {
        holds.removeIf(hold -> {
            boolean isDone = hold.isDone();
            if (isDone) {
                hold.leave();
            }
            return isDone;
        });
    }
}

package io.persist.index.memory;

import io.persist.index.memory.ChunkDivision.Facts;
import io.persist.index.memory.ChunkDivision.Part;
import io.persist.index.memory.ChunkDivision.Phase;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * What one index has of the chunks of the process. It is gone when that index is closed, or when nothing refers to it.
 *
 * <p><b>Threads:</b> those of {@link ProcessChunks}, under its lock; any reads what is volatile.
 */
final class ChunkShare extends WeakReference<Object> {

    private static final Runnable NOBODY = () -> {};

    /** What is known of the index, as {@link Facts} has it: this and the next four. */
    final int most;

    int chunks;
    int reserved;
    Phase phase = Phase.OPENING;
    long waitsSince;

    /** Whether it waits until others that are being opened are open. */
    boolean isHeldUp;

    /** Whether the index is closed. */
    boolean isLeft;

    /** Wakes the thread that gives chunks back, if there is one. */
    Runnable alarm = NOBODY;

    /** What follows of all that; set whenever something has changed. */
    volatile Part part = Part.NONE;

    /** How often it has asked since it was refused a chunk; if two threads ask at once, one may not count. */
    int asked;

    ChunkShare(Object index, int most, ReferenceQueue<Object> unreachable) {
        super(index, unreachable);
        this.most = most;
    }

    Facts facts() {
        return new Facts(most, chunks, reserved, phase, waitsSince);
    }

    boolean waits() {
        return waitsSince > 0;
    }

    /** Takes its part of {@code division}, and waits no more if it has what it is due. */
    void follow(ChunkDivision division, Facts facts) {
        part = division.part(facts);
        if (!division.waits(facts)) {
            waitsSince = 0;
        }
    }

    /** Takes one more, which may be one that is reserved, and waits no more. */
    void take() {
        if (reserved > 0) {
            reserved--;
        } else {
            chunks++;
        }
        waitsSince = 0;
    }

    /** It was refused one, and waits from now on, unless it does already. */
    void refuse(long since) {
        phase = phase.isOpening() ? Phase.REFUSED : phase;
        waitsSince = waits() ? waitsSince : since;
        asked = 0;
    }

    /** What is reserved is not this one's any more. */
    void release() {
        chunks -= reserved;
        reserved = 0;
    }

    /** The index is open. A thread gives chunks back when {@code itsAlarm} is run. */
    void tendedBy(Runnable itsAlarm) {
        phase = Phase.TENDED;
        alarm = itsAlarm;
    }

    /** The index is open, and no thread gives chunks back, uses what is reserved, or comes for what it waits for. */
    void untended() {
        phase = Phase.UNTENDED;
        alarm = NOBODY;
        waitsSince = 0;
        release();
    }

    /** The index is closed. */
    void leave() {
        isLeft = true;
        waitsSince = 0;
        chunks = 0;
        reserved = 0;
    }

    /**
     * Whether others come on, that something is waited for. They are waited for as long as they do.
     *
     * <p><b>Threads:</b> the one with {@code lock}, whose {@code notifyAll} wakes those that wait.
     */
    static final class Progress {

        /** How long the next step of others is waited for: they may have to write a checkpoint to give a chunk back. */
        private static final long AWAIT_NS = TimeUnit.SECONDS.toNanos(5);

        private final Object lock;
        private long steps;

        Progress(Object lock) {
            this.lock = lock;
        }

        /** They have come nearer to what is waited for. */
        void step() {
            steps++;
        }

        /** Waits while {@code condition}, until there was no step for too long. */
        void awaitWhile(BooleanSupplier condition) {
            boolean wasInterrupted = false;
            long seen = steps;
            long end = System.nanoTime() + AWAIT_NS;
            long left = AWAIT_NS;
            while (left > 0 && condition.getAsBoolean()) {
                try {
                    TimeUnit.NANOSECONDS.timedWait(lock, left);
                } catch (InterruptedException e) {
                    wasInterrupted = true;
                }
                long now = System.nanoTime();
                end = seen == steps ? end : now + AWAIT_NS;
                seen = steps;
                left = end - now;
            }
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

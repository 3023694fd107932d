package io.persist.index.memory;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one index has of the chunks of the process. It is gone when that index is closed, or when nothing refers to it.
 *
 * <p><b>Threads:</b> those of {@link ProcessChunks}, under its lock; any reads what is volatile.
 */
final class ChunkShare extends WeakReference<Object> {

    /** How many chunks the index may have by its own bound. */
    final int most;

    /** How many it has, those that are reserved included. */
    int chunks;

    /** How many are reserved: nobody else gets them, and it has not taken them yet. */
    int reserved;

    /** How many others should let it have if they have more than their share. */
    int due;

    /** Whether the index is being opened: there is no thread yet that could give chunks back. */
    boolean isOpening = true;

    /** Whether it is being opened and was refused a chunk: it may have all that others can do without. */
    boolean wasRefused;

    /** Whether it waits until others that are being opened are open. */
    boolean isHeldUp;

    /** Whether it was refused a chunk that others should give back. */
    boolean isWaiting;

    /** For how many that wait a free chunk is before it is for this one. */
    int before;

    /** Whether the index is closed. */
    boolean isLeft;

    /** Wakes the thread that gives chunks back; null if there is none. */
    @Nullable
    Runnable alarm;

    /** How many it may have as others have them now; set whenever that changes. */
    volatile int limit;

    /** To how many it should come down, because others need some; 0 if they do not. Set whenever that changes. */
    volatile int goal;

    /** Whether to ask for a chunk may have another answer than it had; set whenever that changes. */
    volatile boolean isWorthAsking = true;

    /** How often it has asked since it was refused a chunk; if two threads ask at once, one may not count. */
    int asked;

    ChunkShare(Object index, int most, ReferenceQueue<Object> unreachable) {
        super(index, unreachable);
        this.most = most;
    }

    /**
     * The indexes that wait for a chunk; the one that has waited longest is the first. It also tells those that wait
     * for others whether these come on.
     *
     * <p><b>Threads:</b> the one with {@code lock}, whose {@code notifyAll} wakes those that wait.
     */
    static final class Queue {

        /** How long the next step of others is waited for: they may have to write a checkpoint to give a chunk back. */
        private static final long AWAIT_NS = TimeUnit.SECONDS.toNanos(5);

        private final Object lock;
        private final List<ChunkShare> waiting = new ArrayList<>();
        private long steps;

        Queue(Object lock) {
            this.lock = lock;
        }

        int size() {
            return waiting.size();
        }

        void add(ChunkShare share) {
            waiting.add(share);
        }

        void remove(ChunkShare share) {
            waiting.remove(share);
        }

        /**
         * Lets go of those that have what they are due, and tells all shares what they have to know about the queue.
         * Those that have {@code least} chunks or more are to give some, and take only what none of the others needs.
         */
        void order(List<ChunkShare> shares, int least) {
            waiting.removeIf(share -> share.chunks >= share.due);
            for (ChunkShare share : shares) {
                share.isWaiting = false;
                share.before = waiting.size();
            }
            int before = 0;
            for (ChunkShare share : waiting) {
                share.isWaiting = true;
                if (share.isOpening || share.chunks < least) {
                    share.before = before++;
                }
            }
        }

        /** Those that wait have come nearer to what they wait for. */
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

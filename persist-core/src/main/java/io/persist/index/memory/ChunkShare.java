package io.persist.index.memory;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
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
}

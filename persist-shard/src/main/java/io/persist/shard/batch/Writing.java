package io.persist.shard.batch;

import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one batch, or of one merge, on their way into the blob. No state may name them before {@link #await}
 * has returned.
 *
 * <p><b>Threads:</b> one at a time; {@link #settle} any.
 */
public final class Writing {

    /** What is written. */
    public enum What {
        /** Updates that are new, which listeners will read. */
        BATCH,

        /** What they have read already. */
        MERGE
    }

    private final Queue<PartWriters.Write> begun = new ConcurrentLinkedQueue<>();
    private final What what;
    private volatile boolean mayComeLate;

    /** Nothing yet. */
    public Writing(What what) {
        this.what = what;
    }

    /** Whether listeners will read it. */
    boolean isNew() {
        return what == What.BATCH;
    }

    /** An attempt to write an object had no answer. */
    void noteUnknown() {
        mayComeLate = true;
    }

    /**
     * Whether an object may come into the blob when nothing is on its way any more, and after it was deleted: an
     * attempt to write it had no answer, and may still be under way at the place. A later attempt that was answered
     * says nothing of that one.
     */
    public boolean mayComeLate() {
        return mayComeLate;
    }

    /** If this one fails a later call says so: its object has a name then, by which it can be given up. */
    void begin(Runnable write, int length, PartWriters writers) {
        checkWell();
        begun.add(writers.begin(write, length));
    }

    /** The same, on this thread. */
    void doNow(Runnable write) {
        checkWell();
        begun.add(PartWriters.now(write));
    }

    /**
     * Says what has failed by now; what is there is forgotten.
     *
     * @throws io.persist.shard.error.LocationException if an object could not be written, at each call
     */
    public void checkWell() {
        begun.removeIf(write -> {
            boolean isDone = write.isDone();
            throwFailure(write.failure());
            return isDone;
        });
    }

    /**
     * Waits until all is there. An interrupt does not end that: the objects are on their way anyway.
     *
     * @throws io.persist.shard.error.LocationException if an object could not be written, at each call
     */
    public void await() {
        settle();
        checkWell();
    }

    /** Waits until nothing is on its way any more, whatever has become of it. */
    public void settle() {
        for (PartWriters.Write write : begun) {
            write.await();
        }
    }

    private static void throwFailure(@Nullable Throwable failed) {
        if (failed instanceof RuntimeException known) {
            throw known;
        }
        if (failed instanceof Error known) {
            throw known;
        }
        if (failed != null) {
            throw new CompletionException(failed);
        }
    }
}

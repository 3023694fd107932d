package io.persist.shard.machine;

import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.error.LocationException;
import io.persist.shard.location.Backoff;
import java.time.Duration;
import java.util.function.Supplier;

/** The repetitions of one call, until its time is over. One thread. */
final class Retries {

    private final Backoff backoff;

    /** Repetitions for {@code time}, with growing pauses. */
    Retries(Duration time) {
        this.backoff = new Backoff(time);
    }

    /** What {@code operation} says, which may be repeated as it is. */
    static <R> R of(Duration time, Supplier<R> operation) {
        Retries retries = new Retries(time);
        while (true) {
            try {
                return operation.get();
            } catch (LocationException failed) {
                retries.pauseOrThrow(failed, failed instanceof IndeterminateException);
            }
        }
    }

    /**
     * Pauses, or throws {@code failed} if the time is over.
     *
     * @param isOpen whether an earlier attempt may have happened
     */
    void pauseOrThrow(LocationException failed, boolean isOpen) {
        boolean goesOn = pause();
        if (!goesOn && isOpen && failed instanceof DeterminateException) {
            throw new IndeterminateException("an earlier attempt may have happened: " + failed.getMessage(), failed);
        }
        if (!goesOn) {
            throw failed;
        }
    }

    /** Pauses; false if the time is over, or the thread is interrupted. */
    boolean pause() {
        try {
            return backoff.pause();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

package io.persist.shard.location;

import io.persist.shard.error.IndeterminateException;
import io.persist.shard.error.LocationException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The repetitions of one call, until its time is over. One thread. */
public final class Retries {

    private final Backoff backoff;

    /** Repetitions for {@code time}, with growing pauses. */
    public Retries(Duration time) {
        this.backoff = new Backoff(time);
    }

    /** What {@code operation} says, which may be repeated as it is. */
    public static <R extends @Nullable Object> R of(Duration time, Supplier<R> operation) {
        Retries retries = new Retries(time);
        boolean isOpen = false;
        while (true) {
            try {
                return operation.get();
            } catch (LocationException failed) {
                isOpen |= failed instanceof IndeterminateException;
                retries.pauseOrThrow(isOpen ? mayHaveHappened(failed) : failed);
            }
        }
    }

    /** What to say of {@code failed} if an earlier attempt of the same call may have happened. */
    public static IndeterminateException mayHaveHappened(LocationException failed) {
        return failed instanceof IndeterminateException unknown
                ? unknown
                : new IndeterminateException("an earlier attempt may have happened: " + failed.getMessage(), failed);
    }

    /** Pauses, or throws {@code failed} if the time is over. */
    public void pauseOrThrow(LocationException failed) {
        if (!pause()) {
            throw failed;
        }
    }

    /** Pauses; false if the time is over, or the thread is interrupted. */
    public boolean pause() {
        try {
            return backoff.pause();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

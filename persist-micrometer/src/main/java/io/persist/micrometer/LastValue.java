package io.persist.micrometer;

import java.lang.ref.WeakReference;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A number of a logger or store that stays as it was last when it cannot be had any more: what is closed, or has
 * failed, may throw, and what nobody else has any more is gone. Its meter holds this, and this does not hold the log.
 *
 * <p><b>Threads:</b> any.
 */
final class LastValue<L> {

    private final WeakReference<L> log;
    private final ToDoubleFunction<L> value;
    private volatile double last;

    LastValue(L log, ToDoubleFunction<L> value) {
        this.log = new WeakReference<>(log);
        this.value = value;
    }

    /** The number now, or the last one that there was. */
    double read() {
        @Nullable L there = log.get();
        if (there != null) {
            try {
                last = value.applyAsDouble(there);
            } catch (RuntimeException e) {
                return last;
            }
        }
        return last;
    }
}

package io.persist.micrometer;

import java.util.function.ToDoubleFunction;

/**
 * A number that stays as it was last when it cannot be had any more: a store that is closed, or whose log has failed,
 * throws, and a registry that is read would show nothing at all.
 */
final class LastValue<L> implements ToDoubleFunction<L> {

    private final ToDoubleFunction<L> value;
    private volatile double last;

    LastValue(ToDoubleFunction<L> value) {
        this.value = value;
    }

    @Override
    public double applyAsDouble(L log) {
        try {
            last = value.applyAsDouble(log);
        } catch (RuntimeException e) {
            return last;
        }
        return last;
    }
}

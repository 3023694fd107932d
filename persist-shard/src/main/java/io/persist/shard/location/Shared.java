package io.persist.shard.location;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What several handles of one process share by name, from the first one that opens it until the last one closes.
 *
 * <p><b>Threads:</b> any.
 */
public final class Shared<T> {

    private static final class Use<T> {
        private final T what;
        private int handles;

        private Use(T what) {
            this.what = what;
        }
    }

    private final Map<String, Use<T>> uses = new HashMap<>();
    private final Consumer<T> closer;

    /** {@code closer} gets what nobody uses any more. */
    public Shared(Consumer<T> closer) {
        this.closer = closer;
    }

    /** What has the name; {@code opener} makes it if nothing has. */
    public synchronized T take(String name, Supplier<T> opener) {
        Use<T> use = uses.computeIfAbsent(name, missing -> new Use<>(opener.get()));
        use.handles++;
        return use.what;
    }

    /** Gives it back, once for each {@link #take}. */
    public synchronized void giveBack(String name) {
        Use<T> use = uses.get(name);
        if (use != null && --use.handles == 0) {
            uses.remove(name);
            closer.accept(use.what);
        }
    }
}

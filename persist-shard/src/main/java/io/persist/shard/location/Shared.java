package io.persist.shard.location;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What several handles of one process share by name, from the first one that opens it until the last one closes. What
 * has failed for good is opened anew by the next one that takes it; the handles that have it keep it.
 *
 * <p><b>Threads:</b> any.
 */
public final class Shared<T> {

    /** What one handle has, until it gives it back. */
    public static final class Use<T> {
        private final String name;
        private final T what;
        private int handles;

        private Use(String name, T what) {
            this.name = name;
            this.what = what;
        }

        /** What is used. */
        public T what() {
            return what;
        }
    }

    private final Map<String, Use<T>> uses = new HashMap<>();
    private final Predicate<T> hasFailed;
    private final Consumer<T> closer;

    /** {@code closer} gets what nobody uses any more. */
    public Shared(Consumer<T> closer) {
        this(what -> false, closer);
    }

    /**
     * The same of what can fail.
     *
     * @param hasFailed whether it has failed for good; its handles are told so whatever they ask
     * @param closer gets what nobody uses any more, and what has failed, before it is opened anew; this one a second
     *     time when its last handle is closed
     */
    public Shared(Predicate<T> hasFailed, Consumer<T> closer) {
        this.hasFailed = hasFailed;
        this.closer = closer;
    }

    /** What has the name; {@code opener} makes it if nothing has that is of use. */
    public synchronized Use<T> take(String name, Supplier<T> opener) {
        Use<T> use = uses.get(name);
        if (use != null && hasFailed.test(use.what)) {
            closeFailed(use.what);
            use = null;
        }
        if (use == null) {
            use = new Use<>(name, opener.get());
            uses.put(name, use);
        }
        use.handles++;
        return use;
    }

    /** If it cannot be closed, opening it anew says so. */
    private void closeFailed(T what) {
        try {
            closer.accept(what);
        } catch (RuntimeException again) {
            // why it has failed was told to those who used it
        }
    }

    /** Gives it back, once for each {@link #take}. */
    public synchronized void giveBack(Use<T> use) {
        if (--use.handles == 0) {
            uses.remove(use.name, use);
            closer.accept(use.what);
        }
    }
}

package io.persist.shard.location;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What several handles of one process share by name, from the first one that opens it until the last one closes. What
 * has failed for good is opened anew by the next one that takes it; the handles that have it keep it. Opening may take
 * long, and so may closing: meanwhile who wants the same name waits, and nobody else.
 *
 * <p><b>Threads:</b> any.
 */
public final class Shared<T> {

    /** A name: who takes what has it, or gives it back, waits for others of this name alone. */
    private static final class Slot<T> {
        private final String name;

        /** Guarded by this slot. */
        private @Nullable Use<T> use;

        /** Handles, and those who take one just now; guarded by the map of slots. */
        private int users;

        private Slot(String name) {
            this.name = name;
        }
    }

    /** What one handle has, until it gives it back. */
    public static final class Use<T> {
        private final Slot<T> slot;
        private final T what;
        private int handles; // guarded by the slot

        private Use(Slot<T> slot, T what) {
            this.slot = slot;
            this.what = what;
        }

        /** What is used. */
        public T what() {
            return what;
        }
    }

    private final Map<String, Slot<T>> slots = new HashMap<>();
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
    public Use<T> take(String name, Supplier<T> opener) {
        Slot<T> slot = enter(name);
        try {
            synchronized (slot) {
                Use<T> use = slot.use;
                if (use != null && hasFailed.test(use.what)) {
                    closeFailed(use.what);
                    use = null;
                }
                if (use == null) {
                    use = new Use<>(slot, opener.get());
                    slot.use = use;
                }
                use.handles++;
                return use;
            }
        } catch (RuntimeException | Error notOpened) {
            leave(slot);
            throw notOpened;
        }
    }

    private Slot<T> enter(String name) {
        synchronized (slots) {
            Slot<T> slot = slots.computeIfAbsent(name, Slot::new);
            slot.users++;
            return slot;
        }
    }

    private void leave(Slot<T> slot) {
        synchronized (slots) {
            if (--slot.users == 0) {
                slots.remove(slot.name);
            }
        }
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
    public void giveBack(Use<T> use) {
        Slot<T> slot = use.slot;
        try {
            synchronized (slot) {
                if (--use.handles == 0) {
                    if (use.equals(slot.use)) { // else it had failed, and another one has the name
                        slot.use = null;
                    }
                    closer.accept(use.what);
                }
            }
        } finally {
            leave(slot);
        }
    }
}

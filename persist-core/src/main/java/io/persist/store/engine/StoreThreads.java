package io.persist.store.engine;

import io.persist.store.core.StoreCore;
import io.persist.store.transaction.StoreThread;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Supplier;

/**
 * What a store keeps for each of its threads. A thread may live much longer than the store. It would keep its part, and
 * with that the store: the JVM does not take a value out of a thread's table when the key is gone. So the parts are
 * known here, as long as something else refers to them, and are emptied when the store is closed.
 *
 * <p><b>Threads:</b> any.
 */
final class StoreThreads {

    private final StoreCore core;
    private final Supplier<StoreThread> maker;
    private final ThreadLocal<StoreThread> own = ThreadLocal.withInitial(this::make);
    private final Set<StoreThread> known = Collections.newSetFromMap(new WeakHashMap<>());

    /** Those of {@code core}; {@code maker} makes one for the calling thread. */
    StoreThreads(StoreCore core, Supplier<StoreThread> maker) {
        this.core = core;
        this.maker = maker;
    }

    /**
     * What the calling thread has of its own.
     *
     * @throws IllegalStateException if it has nothing yet, and the store is closed
     */
    StoreThread get() {
        return own.get();
    }

    private StoreThread make() {
        synchronized (known) {
            core.checkOpen(); // under the lock: what is made after the end would be emptied by nobody
            StoreThread made = maker.get();
            known.add(made);
            return made;
        }
    }

    /** Empties all; to be called when the store is closed. */
    void leave() {
        synchronized (known) {
            known.forEach(StoreThread::leave);
            known.clear();
        }
    }
}

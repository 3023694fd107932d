package io.persist.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What threads of this JVM die of while this is open: a power cut may end any of them, and is not printed; anything
 * else is a fault that {@link #close} tells.
 *
 * <p>It is the JVM's {@linkplain Thread#setDefaultUncaughtExceptionHandler default handler} while it is open; close
 * several in the reverse order.
 */
public final class UncaughtErrors implements AutoCloseable {

    private final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();

    /** From now on what threads die of is noted here. */
    public UncaughtErrors() {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            if (!(e instanceof PowerCut)) {
                faults.add(new AssertionError("thread " + thread.getName() + " died: " + e, e));
            }
        });
    }

    /**
     * Gives the JVM its handler back.
     *
     * @throws AssertionError if a thread died of anything else than a power cut
     */
    @Override
    public void close() {
        Thread.setDefaultUncaughtExceptionHandler(before);
        if (!faults.isEmpty()) {
            throw new AssertionError(
                    faults.size() + " threads died, the first one by: " + faults.get(0), faults.get(0));
        }
    }
}

package io.persist.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What threads die of while this is open: a power cut may end any of them, and is not printed; anything else is a fault
 * that {@link #close} tells.
 */
public final class UncaughtErrors implements AutoCloseable {

    private final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();

    public UncaughtErrors() {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            if (!(e instanceof PowerCut)) {
                faults.add(new AssertionError("thread " + thread.getName() + " died", e));
            }
        });
    }

    @Override
    public void close() {
        Thread.setDefaultUncaughtExceptionHandler(before);
        assertThat(faults).isEmpty();
    }
}

package io.persist.support;

import io.persist.testkit.CrashableStorage;
import java.io.IOException;

/**
 * A hook that has the next operation of one kind fail, as a device does, and no other one.
 *
 * <p><b>Threads:</b> any.
 */
public final class FailedOnce implements CrashableStorage.Hook {

    private final String operation;
    private boolean hasStruck;

    private FailedOnce(String operation) {
        this.operation = operation;
    }

    /** From now on the hook of {@code storage}; {@code operation} is one such as {@code sync control}. */
    public static FailedOnce of(CrashableStorage storage, String operation) {
        FailedOnce hook = new FailedOnce(operation);
        storage.hook(hook);
        return hook;
    }

    public synchronized boolean hasStruck() {
        return hasStruck;
    }

    @Override
    public synchronized void beforeOperation(int number, String what) throws IOException {
        if (!hasStruck && what.equals(operation)) {
            hasStruck = true;
            throw new IOException("Input/output error");
        }
    }
}

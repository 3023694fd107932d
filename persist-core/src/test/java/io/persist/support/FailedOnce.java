package io.persist.support;

import io.persist.file.Storage;
import io.persist.file.StorageFile;
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

    /** A sync of the file fails, by a descriptor that is closed then: nobody else is told. */
    public static void failSync(CrashableStorage storage, String name) throws IOException {
        FailedOnce hook = of(storage, "sync " + name);
        try (StorageFile file = storage.open(name, Storage.Access.WRITE)) {
            file.sync();
        } catch (IOException expected) {
            if (hook.hasStruck()) {
                return;
            }
            throw expected;
        }
        throw new AssertionError("the sync has not failed: " + name);
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

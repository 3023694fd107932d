package io.persist.testkit;

import io.persist.file.WriterLock;
import java.util.Set;

/** A lock that somebody holds on a {@link CrashableStorage}. */
final class CrashableLock implements WriterLock {

    private final CrashableStorage storage;
    private final Set<String> locks;
    private final String name;
    private boolean closed;

    /** {@code locks} has the name already; the storage's lock is held. */
    CrashableLock(CrashableStorage storage, Set<String> locks, String name) {
        this.storage = storage;
        this.locks = locks;
        this.name = name;
        storage.handleOpened();
    }

    @Override
    public void close() {
        synchronized (storage) {
            if (!closed) {
                closed = true;
                storage.handleClosed();
                locks.remove(name);
            }
        }
    }
}

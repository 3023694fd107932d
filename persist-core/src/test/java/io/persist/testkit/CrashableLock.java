package io.persist.testkit;

import io.persist.file.WriterLock;
import java.io.IOException;
import java.util.Set;

/** A lock that somebody holds on a {@link CrashableStorage}. */
final class CrashableLock implements WriterLock {

    private final CrashableStorage storage;
    private final Set<String> locks;
    private final String name;
    private final long identity;
    private boolean closed;

    /** {@code locks} has the name already; the storage's lock is held. */
    CrashableLock(CrashableStorage storage, Set<String> locks, String name) {
        this.storage = storage;
        this.locks = locks;
        this.name = name;
        this.identity = identity();
        storage.handleOpened();
    }

    @Override
    public boolean isInPlace() {
        return identity == identity();
    }

    /** 0 if the file has lost its name. */
    private long identity() {
        try {
            return storage.identity(name);
        } catch (IOException gone) {
            return 0;
        }
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

package io.persist.tool.repair;

import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a store that is being made. A close before {@link #keep} deletes the files that were made by this
 * storage, and no other ones.
 *
 * <p><b>Threads:</b> any, until it is closed.
 */
final class NewFiles implements ForwardingStorage, AutoCloseable {

    private final Storage storage;
    private final Set<String> made = ConcurrentHashMap.newKeySet();

    NewFiles(Storage storage) {
        this.storage = storage;
    }

    @Override
    public Storage storage() {
        return storage;
    }

    @Override
    public StorageFile create(String name) throws IOException {
        StorageFile file = storage.create(name);
        made.add(name);
        return file;
    }

    @Override
    public void rename(String from, String to) throws IOException {
        storage.rename(from, to);
        if (made.remove(from)) {
            made.add(to);
        }
    }

    @Override
    public void delete(String name) throws IOException {
        storage.delete(name);
        made.remove(name);
    }

    /** Makes the file of the lock, too. */
    @Override
    public @Nullable WriterLock tryLock(String name) throws IOException {
        WriterLock lock = storage.tryLock(name);
        if (lock != null) {
            made.add(name);
        }
        return lock;
    }

    /** What was made is whole. */
    void keep() {
        made.clear();
    }

    @Override
    public void close() {
        for (String name : made) {
            try {
                storage.delete(name);
            } catch (IOException left) {
                // Why the store is not whole is the better message.
            }
        }
    }
}

package io.persist.tool.repair;

import io.persist.archive.Removal;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import io.persist.format.LogFileName;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a store that is being made. Its files, the locks too, have other names until {@link #commit}: so
 * what a kill leaves is not opened as a store that has less. A close before that deletes the files that were made by
 * this storage, and no other ones.
 *
 * <p><b>Threads:</b> any, until it is committed or closed.
 */
final class NewFiles implements ForwardingStorage, AutoCloseable {

    private final Storage storage;
    private final Set<String> made = ConcurrentHashMap.newKeySet();
    private final Set<String> locks = ConcurrentHashMap.newKeySet();
    private final Set<String> named = new HashSet<>();

    NewFiles(Storage storage) {
        this.storage = storage;
    }

    @Override
    public Storage storage() {
        return storage;
    }

    private static String temporary(String name) {
        return name + LogFileName.TEMPORARY_SUFFIX;
    }

    @Override
    public List<String> list() throws IOException {
        String suffix = LogFileName.TEMPORARY_SUFFIX;
        return storage.list().stream()
                .filter(name -> name.endsWith(suffix))
                .map(name -> name.substring(0, name.length() - suffix.length()))
                .toList();
    }

    @Override
    public StorageFile create(String name) throws IOException {
        StorageFile file = storage.create(temporary(name));
        made.add(name);
        return file;
    }

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        return storage.open(temporary(name), access);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        storage.rename(temporary(from), temporary(to));
        if (made.remove(from)) {
            made.add(to);
        }
    }

    @Override
    public void delete(String name) throws IOException {
        storage.delete(temporary(name));
        made.remove(name);
    }

    /** Makes the file of the lock, too. */
    @Override
    public @Nullable WriterLock tryLock(String name) throws IOException {
        WriterLock lock = storage.tryLock(temporary(name));
        if (lock != null) {
            locks.add(name);
        }
        return lock;
    }

    @Override
    public String lockedHere(String name) throws IOException {
        return storage.lockedHere(temporary(name));
    }

    @Override
    public long identity(String name) throws IOException {
        return storage.identity(temporary(name));
    }

    /**
     * Gives the files of the store, which is closed, their names. The control block gets its name first: it says how
     * far the log goes, so that nothing opens one of which segments are missing because this was killed.
     */
    void commit() throws IOException {
        requireFreeNames();
        for (String lock : locks) {
            storage.delete(temporary(lock));
        }
        locks.clear();
        name(LogFileName.CONTROL);
        storage.syncDirectory();
        for (String name : made) {
            if (!name.equals(LogFileName.CONTROL)) {
                name(name);
            }
        }
        storage.syncDirectory();
        made.clear();
    }

    /** A rename replaces what has the name. Whatever has come since the directory was found empty is not ours. */
    private void requireFreeNames() throws IOException {
        for (String name : storage.list()) {
            if (made.contains(name)) {
                throw new IOException("something else has made this file meanwhile: file=" + name + ", directory="
                        + storage.description() + "; end what uses that directory, or name another one");
            }
        }
    }

    private void name(String name) throws IOException {
        storage.rename(temporary(name), name);
        named.add(name);
    }

    /** Why the store is not whole is a better message than what cannot be deleted. The control block goes last. */
    @Override
    public void close() {
        locks.forEach(name -> Removal.of(storage, temporary(name)));
        made.stream().filter(name -> !name.equals(LogFileName.CONTROL)).forEach(this::remove);
        made.stream().filter(LogFileName.CONTROL::equals).forEach(this::remove);
    }

    private void remove(String name) {
        Removal.of(storage, named.contains(name) ? name : temporary(name));
    }
}

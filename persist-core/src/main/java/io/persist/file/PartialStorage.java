package io.persist.file;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

/**
 * A read-only view of a storage, to find out what would be if files were missing: only some files are visible, and one
 * of them has zeros from an offset on.
 *
 * @param storage of the files
 * @param isThere whether a file of this name is to be seen
 * @param cutFile the name of the one with zeros; empty if there is none
 * @param cutFrom where they begin
 */
public record PartialStorage(Storage storage, Predicate<String> isThere, String cutFile, long cutFrom)
        implements ReadOnlyStorage {

    /** The same with no file that is cut. */
    public PartialStorage(Storage storage, Predicate<String> isThere) {
        this(storage, isThere, "", 0);
    }

    @Override
    public List<String> list() throws IOException {
        return storage.list().stream().filter(isThere).toList();
    }

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        if (access != Access.READ) {
            throw readOnly();
        }
        if (!isThere.test(name)) {
            throw new FileNotFoundException("no such file: " + name);
        }
        StorageFile file = storage.open(name, Access.READ);
        return name.equals(cutFile) ? new CutFile(file, cutFrom) : file;
    }

    @Override
    public BootId bootId() {
        return storage.bootId();
    }

    @Override
    public long identity(String name) throws IOException {
        return storage.identity(name);
    }

    @Override
    public String description() {
        return storage.description();
    }

    @Override
    public long usableBytes() throws IOException {
        return storage.usableBytes();
    }
}

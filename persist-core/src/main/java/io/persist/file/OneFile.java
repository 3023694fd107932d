package io.persist.file;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;

/**
 * A read-only directory of two files: one file of a storage, under another name, and one that is only in memory.
 *
 * @param storage of the file
 * @param file its name there
 * @param name its name here
 * @param memoryName the name of the other one
 * @param memory what that holds
 */
public record OneFile(Storage storage, String file, String name, String memoryName, byte[] memory)
        implements ReadOnlyStorage {

    @Override
    public List<String> list() {
        return List.of(name, memoryName);
    }

    @Override
    public StorageFile open(String wanted, Access access) throws IOException {
        if (access != Access.READ) {
            throw readOnly();
        }
        if (wanted.equals(memoryName)) {
            return new MemoryFile(memory);
        }
        if (!wanted.equals(name)) {
            throw new FileNotFoundException("no such file: " + wanted);
        }
        return storage.open(file, Access.READ);
    }

    @Override
    public BootId bootId() {
        return storage.bootId();
    }

    /** Not known: nobody else has the file under this name. */
    @Override
    public long identity(String wanted) {
        return 0;
    }

    @Override
    public String description() {
        return storage.description() + "/" + file;
    }

    @Override
    public long usableBytes() throws IOException {
        return storage.usableBytes();
    }
}

package io.persist.file;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file of a storage as if it were alone in a directory, under another name, beside one that is only in memory. For
 * reading only.
 *
 * @param storage of the file
 * @param file its name there
 * @param name its name here
 * @param memoryName the name of the other one
 * @param memory what that holds
 */
public record OneFile(Storage storage, String file, String name, String memoryName, byte[] memory) implements Storage {

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

    @Override
    public StorageFile create(String wanted) throws IOException {
        throw readOnly();
    }

    @Override
    public void rename(String from, String to) throws IOException {
        throw readOnly();
    }

    @Override
    public void delete(String wanted) throws IOException {
        throw readOnly();
    }

    @Override
    public void syncDirectory() throws IOException {
        throw readOnly();
    }

    @Override
    public @Nullable WriterLock tryLock(String wanted) throws IOException {
        throw readOnly();
    }

    private IOException readOnly() {
        return new IOException("a file aside is for reading only: " + description());
    }
}

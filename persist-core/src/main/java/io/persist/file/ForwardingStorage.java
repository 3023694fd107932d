package io.persist.file;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A storage that does all by another one, but for what it overrides. */
public interface ForwardingStorage extends Storage {

    /** The other one. */
    Storage storage();

    @Override
    default List<String> list() throws IOException {
        return storage().list();
    }

    @Override
    default StorageFile create(String name) throws IOException {
        return storage().create(name);
    }

    @Override
    default StorageFile open(String name, Access access) throws IOException {
        return storage().open(name, access);
    }

    @Override
    default void rename(String from, String to) throws IOException {
        storage().rename(from, to);
    }

    @Override
    default void delete(String name) throws IOException {
        storage().delete(name);
    }

    @Override
    default void syncDirectory() throws IOException {
        storage().syncDirectory();
    }

    @Override
    default long usableBytes() throws IOException {
        return storage().usableBytes();
    }

    @Override
    default @Nullable WriterLock tryLock(String name) throws IOException {
        return storage().tryLock(name);
    }

    @Override
    default String lockedHere(String name) throws IOException {
        return storage().lockedHere(name);
    }

    @Override
    default boolean knowsLocks() {
        return storage().knowsLocks();
    }

    @Override
    default BootId bootId() {
        return storage().bootId();
    }

    @Override
    default long identity(String name) throws IOException {
        return storage().identity(name);
    }

    @Override
    default String fileSystem() {
        return storage().fileSystem();
    }

    @Override
    default String description() {
        return storage().description();
    }
}

package io.persist.file;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A storage for reading only: methods that would change it throw. */
interface ReadOnlyStorage extends Storage {

    @Override
    default StorageFile create(String name) throws IOException {
        throw readOnly();
    }

    @Override
    default void rename(String from, String to) throws IOException {
        throw readOnly();
    }

    @Override
    default void delete(String name) throws IOException {
        throw readOnly();
    }

    @Override
    default void syncDirectory() throws IOException {
        throw readOnly();
    }

    @Override
    default @Nullable WriterLock tryLock(String name) throws IOException {
        throw readOnly();
    }

    /** What is thrown. */
    default IOException readOnly() {
        return new IOException("for reading only: " + description());
    }
}

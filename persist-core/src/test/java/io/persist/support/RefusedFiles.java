package io.persist.support;

import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import java.io.IOException;
import java.util.function.Predicate;

/** A storage of which some files cannot be opened: those with {@code names}. */
public record RefusedFiles(Storage storage, Predicate<String> names, IOException why) implements ForwardingStorage {

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        if (names.test(name)) {
            throw why;
        }
        return storage.open(name, access);
    }
}

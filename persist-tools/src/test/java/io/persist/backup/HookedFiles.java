package io.persist.backup;

import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import java.io.IOException;
import java.util.List;

/** The files of a log, with something that another thread does right before the call number {@code at}. */
final class HookedFiles implements ForwardingStorage {

    private final Storage files;
    private final int at;
    private final Runnable step;
    private int calls;

    HookedFiles(Storage files, int at, Runnable step) {
        this.files = files;
        this.at = at;
        this.step = step;
    }

    /** How many calls there were. */
    int calls() {
        return calls;
    }

    @Override
    public Storage storage() {
        return files;
    }

    private void count() {
        if (++calls == at) {
            step.run();
        }
    }

    @Override
    public List<String> list() throws IOException {
        count();
        return files.list();
    }

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        count();
        return files.open(name, access);
    }
}

package io.persist.store.read;

import io.persist.file.Storage;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.log.read.TailerOpener;

/**
 * The changes of a store that another process may have open, by the files of its log. Only the cursor of a reader with
 * a name tells that process what is still to be read.
 *
 * <p><b>Threads:</b> any.
 */
final class OthersChanges implements ChangeSource {

    private final Storage storage;
    private final TailerOpener tailers;

    OthersChanges(Storage storage) {
        this.storage = storage;
        this.tailers = TailerOpener.ofChanges(storage);
    }

    @Override
    public Storage storage() {
        return storage;
    }

    @Override
    public void checkUsable() {
        // Nothing is open here.
    }

    @Override
    public void awaitInFile(long position) {
        // What is still in the other process cannot be waited for.
    }

    @Override
    public Tailer tailer(TailerConfig config) {
        return tailers.open(config);
    }

    @Override
    public Tailer tailer(String name, TailerConfig config) {
        return tailers.open(name, config);
    }

    @Override
    public OldValueReader oldValues() {
        return OldValueReader.alone(storage);
    }

    @Override
    public void awaitShown(long position) {
        // There are no lookups.
    }
}

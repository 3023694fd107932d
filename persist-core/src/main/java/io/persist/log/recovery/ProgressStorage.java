package io.persist.log.recovery;

import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.SegmentName;
import java.io.IOException;
import java.util.function.LongConsumer;

/** A storage that tells the base position of each segment which is opened: so a long scan shows how far it is. */
record ProgressStorage(Storage storage, LongConsumer watcher) implements ForwardingStorage {

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        SegmentName.basePosition(name).ifPresent(watcher);
        return storage.open(name, access);
    }
}

package io.persist.log.recovery;

import io.persist.file.BootId;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import io.persist.format.SegmentName;
import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A storage that tells the base position of each segment which is opened: so a long scan shows how far it is. */
record ProgressStorage(Storage storage, LongConsumer watcher) implements Storage {

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        SegmentName.basePosition(name).ifPresent(watcher);
        return storage.open(name, access);
    }

    @Override
    public BootId bootId() {
        return storage.bootId();
    }

    @Override
    public List<String> list() throws IOException {
        return storage.list();
    }

    @Override
    public StorageFile create(String name) throws IOException {
        return storage.create(name);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        storage.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        storage.delete(name);
    }

    @Override
    public void syncDirectory() throws IOException {
        storage.syncDirectory();
    }

    @Override
    public long usableBytes() throws IOException {
        return storage.usableBytes();
    }

    @Override
    public @Nullable WriterLock tryLock(String name) throws IOException {
        return storage.tryLock(name);
    }

    @Override
    public long identity(String name) throws IOException {
        return storage.identity(name);
    }

    @Override
    public String description() {
        return storage.description();
    }
}

package io.persist.archive.source;

import io.persist.file.ForwardingStorage;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.log.thread.Pace;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A storage whose files tell a pace what they have read and written, but not what is read by a mapping. What is written
 * is synced in between, so that the sync at the end is no burst which the syncs of a log on that device wait for.
 */
public record PacedStorage(Storage storage, Pace pace) implements ForwardingStorage {

    static final int SYNC_LENGTH = 4 << 20;

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        return new PacedFile(storage.open(name, access), pace);
    }

    @Override
    public StorageFile create(String name) throws IOException {
        return new PacedFile(storage.create(name), pace);
    }

    private static final class PacedFile implements StorageFile {

        private final StorageFile file;
        private final Pace pace;
        private long unsynced;

        PacedFile(StorageFile file, Pace pace) {
            this.file = file;
            this.pace = pace;
        }

        @Override
        public long length() throws IOException {
            return file.length();
        }

        @Override
        public void write(long offset, byte[] source, int from, int length, WriteThrough through) throws IOException {
            file.write(offset, source, from, length, through);
            unsynced += length;
            if (unsynced >= SYNC_LENGTH) {
                sync();
            }
            pace.spend(length);
        }

        @Override
        public int read(long offset, byte[] target, int from, int length) throws IOException {
            return spent(file.read(offset, target, from, length));
        }

        @Override
        public int read(long offset, ByteBuffer target, int from, int length) throws IOException {
            return spent(file.read(offset, target, from, length));
        }

        private int spent(int read) throws IOException {
            pace.spend(read);
            return read;
        }

        @Override
        public void sync() throws IOException {
            file.sync();
            unsynced = 0;
        }

        @Override
        public Mapping map(int length) throws IOException {
            return file.map(length);
        }

        @Override
        public void close() {
            file.close();
        }
    }
}

package io.persist.support;

import io.persist.file.ForwardingStorage;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A storage on top of another one that does not keep what storages promise: what a library does that leaves a sync out,
 * or a device that lies. Tests of crashes have to find out. For one thread, and the loggers' own.
 */
final class BrokenStorage implements ForwardingStorage {

    /** What is broken. */
    enum Defect {
        /** Nothing is ever synced: no file, no mapping, no write-through. */
        NO_SYNC,
        /** A sync returns before it is done: it is done by the next one of the same file or mapping. */
        LATE_SYNC,
        /** Creations, renames and deletions are never synced. */
        NO_DIRECTORY_SYNC,
        /** Every third sync is claimed and not done. */
        LYING_SYNC,
        /** A sync that fails is done again, and that one succeeds. */
        RETRIED_SYNC
    }

    /** A sync of a file or a mapping. */
    @FunctionalInterface
    private interface Sync {
        void run() throws IOException;
    }

    private final Storage storage;
    private final Defect defect;
    private int syncs;

    BrokenStorage(Storage storage, Defect defect) {
        this.storage = storage;
        this.defect = defect;
    }

    @Override
    public Storage storage() {
        return storage;
    }

    /** The syncs of one file or mapping. */
    private final class Syncs {

        private Sync late = () -> {};

        synchronized void sync(Sync sync) throws IOException {
            switch (defect) {
                case NO_SYNC -> {}
                case LATE_SYNC -> {
                    Sync earlier = late;
                    late = sync;
                    earlier.run();
                }
                case LYING_SYNC -> {
                    if (!isLie()) {
                        sync.run();
                    }
                }
                case RETRIED_SYNC -> {
                    try {
                        sync.run();
                    } catch (IOException failed) {
                        sync.run();
                    }
                }
                case NO_DIRECTORY_SYNC -> sync.run();
            }
        }
    }

    private synchronized boolean isLie() {
        return ++syncs % 3 == 0;
    }

    @Override
    public void syncDirectory() throws IOException {
        if (defect != Defect.NO_DIRECTORY_SYNC) {
            storage.syncDirectory();
        }
    }

    @Override
    public StorageFile create(String name) throws IOException {
        return new BrokenFile(storage.create(name));
    }

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        return new BrokenFile(storage.open(name, access));
    }

    @Override
    public String description() {
        return "broken " + storage.description();
    }

    private final class BrokenFile implements ForwardingFile {

        private final Syncs syncs = new Syncs();
        private final StorageFile file;

        BrokenFile(StorageFile file) {
            this.file = file;
        }

        @Override
        public StorageFile file() {
            return file;
        }

        @Override
        public void write(long offset, byte[] source, int from, int length, WriteThrough through) throws IOException {
            if (through == WriteThrough.NONE || defect == Defect.NO_DIRECTORY_SYNC) {
                file.write(offset, source, from, length, through);
            } else { // apart, so that the sync can be left out
                file.write(offset, source, from, length, WriteThrough.NONE);
                syncs.sync(file::sync);
            }
        }

        @Override
        public void sync() throws IOException {
            syncs.sync(file::sync);
        }

        @Override
        public Mapping map(int length) throws IOException {
            return new BrokenMapping(file.map(length));
        }
    }

    private final class BrokenMapping implements Mapping {

        private final Syncs syncs = new Syncs();
        private final Mapping mapping;

        BrokenMapping(Mapping mapping) {
            this.mapping = mapping;
        }

        @Override
        public ByteBuffer buffer() {
            return mapping.buffer();
        }

        @Override
        public void force(int offset, int length) throws IOException {
            syncs.sync(() -> mapping.force(offset, length));
        }

        @Override
        public void close() {
            mapping.close();
        }
    }
}

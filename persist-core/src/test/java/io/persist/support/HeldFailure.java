package io.persist.support;

import io.persist.file.ForwardingStorage;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A storage whose first sync that fails says so only once it is released: what other threads do in between they do
 * before the one that syncs has heard of it. Its files are synced as a whole, as where no part of a file can be synced.
 */
public final class HeldFailure implements ForwardingStorage {

    private final Storage storage;
    private final AtomicBoolean isHeld = new AtomicBoolean();
    private final CountDownLatch failed = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    public HeldFailure(Storage storage) {
        this.storage = storage;
    }

    @Override
    public Storage storage() {
        return storage;
    }

    /** Returns when a sync has failed. */
    public void await() {
        Await.until("a sync has failed", () -> failed.getCount() == 0);
    }

    /** Lets its thread hear of it. */
    public void release() {
        released.countDown();
    }

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        return new HeldFile(storage.open(name, access));
    }

    @FunctionalInterface
    private interface Sync {
        void run() throws IOException;
    }

    private void sync(Sync sync) throws IOException {
        try {
            sync.run();
        } catch (IOException e) {
            failed.countDown();
            if (isHeld.compareAndSet(false, true)) {
                Await.latch(released);
            }
            throw e;
        }
    }

    private final class HeldFile implements ForwardingFile {

        private final StorageFile file;

        HeldFile(StorageFile file) {
            this.file = file;
        }

        @Override
        public StorageFile file() {
            return file;
        }

        @Override
        public void sync() throws IOException {
            HeldFailure.this.sync(file::sync);
        }

        @Override
        public Mapping map(int length) throws IOException {
            Mapping mapping = file.map(length);
            return new Mapping() {
                @Override
                public ByteBuffer buffer() {
                    return mapping.buffer();
                }

                @Override
                public void force(int offset, int length) throws IOException {
                    HeldFailure.this.sync(() -> mapping.force(offset, length));
                }

                @Override
                public void close() {
                    mapping.close();
                }
            };
        }
    }
}

package io.persist.matrix.control;

import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.support.ForwardingFile;
import java.io.IOException;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A storage that tells whether there were stores, through a mapping, to bytes of a file that were never written. */
final class HoleFinder implements ForwardingStorage {

    private final Storage storage;

    /** The bytes that were written of the files that were created here. */
    private final Map<String, BitSet> written = new ConcurrentHashMap<>();

    HoleFinder(Storage storage) {
        this.storage = storage;
    }

    @Override
    public Storage storage() {
        return storage;
    }

    /** Throws an AssertionError if there is a byte in a segment that was never written and is not zero. */
    void checkHoles() throws IOException {
        for (Map.Entry<String, BitSet> file : written.entrySet()) {
            if (LogFileName.basePosition(file.getKey()).isPresent()) {
                check(file.getKey(), file.getValue());
            }
        }
    }

    private void check(String name, BitSet bytes) throws IOException {
        try (StorageFile file = storage.open(name, Access.READ)) {
            byte[] content = new byte[(int) file.length()];
            int length = file.read(0, content, 0, content.length);
            synchronized (bytes) {
                for (int hole = bytes.nextClearBit(0); hole < length; hole = bytes.nextClearBit(hole + 1)) {
                    if (content[hole] != 0) {
                        throw new AssertionError("something was stored in a hole: file=" + name + ", byte " + hole);
                    }
                }
            }
        }
    }

    @Override
    public StorageFile create(String name) throws IOException {
        BitSet none = new BitSet();
        written.put(name, none);
        return new File(storage.create(name), none);
    }

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        return new File(storage.open(name, access), written.get(name));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        storage.rename(from, to);
        BitSet bytes = written.remove(from);
        if (bytes != null) {
            written.put(to, bytes);
        }
    }

    @Override
    public void delete(String name) throws IOException {
        storage.delete(name);
        written.remove(name);
    }

    /** {@code written} is null of a file that was there before. */
    private record File(StorageFile file, @Nullable BitSet written) implements ForwardingFile {

        @Override
        public void write(long offset, byte[] source, int from, int length, WriteThrough through) throws IOException {
            file.write(offset, source, from, length, through);
            if (written != null) {
                synchronized (written) {
                    written.set((int) offset, (int) offset + length);
                }
            }
        }
    }
}

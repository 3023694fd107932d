package io.persist.backup.held;

import io.persist.file.ForwardingStorage;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The files that are held for a backup, as a directory for reading: so its opening can be tried before it is there,
 * whatever the writer has taken away since.
 *
 * <p><b>Threads:</b> the files any; adding none.
 */
public final class HeldFiles implements ForwardingStorage {

    private final Storage log;
    private final Map<String, StorageFile> files = new TreeMap<>();

    /** Holds nothing yet of {@code log}. */
    public HeldFiles(Storage log) {
        this.log = log;
    }

    /** Adds a file of these bytes. */
    public void add(String name, byte[] bytes) {
        add(name, ByteBuffer.allocateDirect(bytes.length).put(0, bytes));
    }

    /** Adds a file of these bytes, which are direct. */
    public void add(String name, ByteBuffer bytes) {
        files.put(name, new Mapped(bytes));
    }

    /** Adds a file that stays open. */
    public void add(String name, StorageFile file) {
        files.put(name, new Open(file));
    }

    @Override
    public Storage storage() {
        return log;
    }

    @Override
    public List<String> list() {
        return List.copyOf(files.keySet());
    }

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        StorageFile file = files.get(name);
        if (file == null) {
            throw new FileNotFoundException("no such file: " + name);
        }
        return file;
    }

    /** Not known: they may have no names any more. */
    @Override
    public long identity(String name) {
        return 0;
    }

    private static IOException readOnly() {
        return new IOException("the file is for reading only");
    }

    /** A file for reading that stays open: the code that has added it closes it. */
    private interface Held extends StorageFile {

        @Override
        default void write(long offset, byte[] source, int from, int length, WriteThrough through) throws IOException {
            throw readOnly();
        }

        @Override
        default void sync() throws IOException {
            throw readOnly();
        }

        @Override
        default void close() {
            // It stays open.
        }
    }

    private record Open(StorageFile file) implements Held {

        @Override
        public synchronized long length() throws IOException {
            return file.length();
        }

        @Override
        public synchronized int read(long offset, byte[] target, int from, int length) throws IOException {
            return file.read(offset, target, from, length);
        }

        @Override
        public Mapping map(int length) throws IOException {
            return file.map(length);
        }
    }

    private record Mapped(ByteBuffer bytes) implements Held {

        @Override
        public long length() {
            return bytes.capacity();
        }

        @Override
        public int read(long offset, byte[] target, int from, int length) {
            int count = (int) Math.max(0, Math.min(length, bytes.capacity() - offset));
            if (count > 0) {
                bytes.get((int) offset, target, from, count);
            }
            return count;
        }

        @Override
        public Mapping map(int length) {
            return new Part(bytes.slice(0, length).order(ByteOrder.LITTLE_ENDIAN));
        }
    }

    private record Part(ByteBuffer buffer) implements Mapping {

        @Override
        public void force(int offset, int length) throws IOException {
            throw readOnly();
        }

        @Override
        public void close() {
            // The whole of it stays mapped.
        }
    }
}

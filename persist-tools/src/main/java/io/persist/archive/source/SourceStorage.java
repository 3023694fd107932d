package io.persist.archive.source;

import io.persist.error.LogIOException;
import io.persist.file.ForwardingStorage;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.log.segment.SegmentView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The storage that a copy is made of. Where it cannot be read the error names the file: else nobody could tell it from
 * an error of the copy.
 */
public record SourceStorage(Storage storage) implements ForwardingStorage {

    private interface Reading<T> {
        T read() throws IOException;
    }

    /** Of the segment at {@code base}, which was mapped. */
    public static LogIOException unreadable(Storage storage, long base, InternalError error) {
        InternalError named = SegmentView.missing(storage, base, error);
        return new LogIOException("cannot read the log: " + named.getMessage(), named);
    }

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        String path = storage.description() + "/" + name;
        return new SourceFile(path, naming(path, () -> storage.open(name, access)));
    }

    private static <T> T naming(String path, Reading<T> reading) throws IOException {
        try {
            return reading.read();
        } catch (FileNotFoundException gone) { // a writer has taken it away
            throw gone;
        } catch (IOException e) {
            throw new IOException(
                    "cannot read " + path + ": " + e.getMessage() + "; verify says what else cannot be read", e);
        }
    }

    private record SourceFile(String path, StorageFile file) implements StorageFile {

        @Override
        public long length() throws IOException {
            return naming(path, file::length);
        }

        @Override
        public int read(long offset, byte[] target, int from, int length) throws IOException {
            return naming(path, () -> file.read(offset, target, from, length));
        }

        @Override
        public int read(long offset, ByteBuffer target, int from, int length) throws IOException {
            return naming(path, () -> file.read(offset, target, from, length));
        }

        @Override
        public Mapping map(int length) throws IOException {
            return naming(path, () -> file.map(length));
        }

        @Override
        public void write(long offset, byte[] source, int from, int length, WriteThrough through) throws IOException {
            throw new IOException("the file is copied and not written: " + path);
        }

        @Override
        public void sync() throws IOException {
            throw new IOException("the file is copied and not written: " + path);
        }

        @Override
        public void close() {
            file.close();
        }
    }
}

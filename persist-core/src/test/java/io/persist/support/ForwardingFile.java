package io.persist.support;

import io.persist.file.Mapping;
import io.persist.file.StorageFile;
import java.io.IOException;

/** A file that does all by another one, but for what a test overrides. */
public interface ForwardingFile extends StorageFile {

    /** The other one. */
    StorageFile file();

    @Override
    default long length() throws IOException {
        return file().length();
    }

    @Override
    default void write(long offset, byte[] source, int from, int length, WriteThrough through) throws IOException {
        file().write(offset, source, from, length, through);
    }

    @Override
    default int read(long offset, byte[] target, int from, int length) throws IOException {
        return file().read(offset, target, from, length);
    }

    @Override
    default void sync() throws IOException {
        file().sync();
    }

    @Override
    default Mapping map(int length) throws IOException {
        return file().map(length);
    }

    @Override
    default void close() {
        file().close();
    }
}

package io.persist.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A file for reading only: methods that would change it throw. It is mapped as a copy. */
interface ReadOnlyFile extends StorageFile {

    @Override
    default void write(long offset, byte[] source, int from, int length, WriteThrough through) throws IOException {
        throw readOnly();
    }

    @Override
    default void sync() throws IOException {
        throw readOnly();
    }

    private static IOException readOnly() {
        return new IOException("the file is for reading only");
    }

    /** A mapping that is a copy of the file; the garbage collector frees it. */
    record Copied(ByteBuffer buffer) implements Mapping {

        @Override
        public void force(int from, int to) throws IOException {
            throw readOnly();
        }

        @Override
        public void close() {
            // There is nothing to unmap.
        }
    }
}

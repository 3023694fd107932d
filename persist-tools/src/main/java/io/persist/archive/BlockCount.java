package io.persist.archive;

import java.io.IOException;
import java.io.OutputStream;

/** Counts the bytes that files will take on a disk when {@link StorageOutput} writes them. */
public final class BlockCount {

    private long bytes;

    /** A file more, whose content is to be written to what is returned. */
    public OutputStream file() {
        return new BlockOutput() {
            @Override
            void piece(long at, byte[] source, int from, int length) throws IOException {
                bytes += length;
            }
        };
    }

    /** Bytes, of all files. */
    public long bytes() {
        return bytes;
    }
}

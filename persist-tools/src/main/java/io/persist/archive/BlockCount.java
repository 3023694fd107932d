package io.persist.archive;

import java.io.OutputStream;

/** Counts the bytes that files will take on a disk when {@link StorageOutput} writes them. */
public final class BlockCount {

    private long bytes;

    /** A file more, whose content is to be written to what is returned. */
    public OutputStream file() {
        return new BlockOutput() {

            private long counted;

            @Override
            void piece(long at, byte[] source, int from, int length) {
                long first = Math.max(counted, at / BLOCK_LENGTH * BLOCK_LENGTH);
                counted = (at + length + BLOCK_LENGTH - 1) / BLOCK_LENGTH * BLOCK_LENGTH;
                bytes += counted - first;
            }
        };
    }

    /** Bytes, of all files. */
    public long bytes() {
        return bytes;
    }
}

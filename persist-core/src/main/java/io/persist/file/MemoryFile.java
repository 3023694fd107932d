package io.persist.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Bytes as a file, for reading only. */
final class MemoryFile implements StorageFile {

    private final byte[] bytes;

    MemoryFile(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public long length() {
        return bytes.length;
    }

    @Override
    public int read(long offset, byte[] target, int from, int length) {
        int count = (int) Math.max(0, Math.min(length, bytes.length - offset));
        System.arraycopy(bytes, (int) Math.min(offset, bytes.length), target, from, count);
        return count;
    }

    /** A copy. */
    @Override
    public Mapping map(int length) throws IOException {
        ByteBuffer copy = ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
        copy.put(0, bytes, 0, length);
        return new Mapping() {

            @Override
            public ByteBuffer buffer() {
                return copy;
            }

            @Override
            public void force(int from, int to) throws IOException {
                throw PartialStorage.readOnly();
            }

            @Override
            public void close() {
                // The collector takes it.
            }
        };
    }

    @Override
    public void write(long offset, byte[] source, int from, int length, WriteThrough through) throws IOException {
        throw PartialStorage.readOnly();
    }

    @Override
    public void sync() throws IOException {
        throw PartialStorage.readOnly();
    }

    @Override
    public void close() {
        // There is nothing to close.
    }
}

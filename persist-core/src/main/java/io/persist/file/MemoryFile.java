package io.persist.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Bytes as a file, for reading only. */
final class MemoryFile implements ReadOnlyFile {

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
    public Mapping map(int length) {
        ByteBuffer copy = ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
        copy.put(0, bytes, 0, length);
        return new Copied(copy);
    }

    @Override
    public void close() {
        // There is nothing to close.
    }
}

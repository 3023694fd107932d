package io.persist.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A read-only view of a file, with zeros from an offset on. */
final class CutFile implements ReadOnlyFile {

    private static final int PIECE_LENGTH = 64 << 10;

    private final StorageFile file;
    private final long end;

    CutFile(StorageFile file, long end) {
        this.file = file;
        this.end = end;
    }

    @Override
    public long length() throws IOException {
        return file.length();
    }

    @Override
    public int read(long offset, byte[] target, int from, int length) throws IOException {
        int count = file.read(offset, target, from, length);
        for (int i = (int) Math.max(0, Math.min(count, end - offset)); i < count; i++) {
            target[from + i] = 0;
        }
        return count;
    }

    /** A copy. */
    @Override
    public Mapping map(int length) throws IOException {
        ByteBuffer copy = ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
        byte[] piece = new byte[PIECE_LENGTH];
        long offset = 0;
        while (offset < Math.min(length, end)) {
            int count = read(offset, piece, 0, (int) Math.min(piece.length, length - offset));
            if (count == 0) {
                throw new IOException(
                        "file is shorter than what is to be mapped: length=" + length() + ", needed=" + length);
            }
            copy.put((int) offset, piece, 0, count);
            offset += count;
        }
        return new Copied(copy);
    }

    @Override
    public void close() {
        file.close();
    }
}

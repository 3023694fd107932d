package io.persist.archive;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * The content of a file, of which pieces of zeros are left out: behind the end of a log, and in the placeholders of
 * compaction, there is little else. A file that is written in pieces reads the same, and takes no blocks for them.
 */
abstract class BlockOutput extends OutputStream {

    /** The block of most file systems. */
    static final int BLOCK_LENGTH = 4096;

    private static final byte[] ZEROS = new byte[BLOCK_LENGTH];

    private long offset;

    /** So many bytes were given. */
    final long offset() {
        return offset;
    }

    /** A piece of the file, at {@code at}; what lies between two of them is zeros. */
    abstract void piece(long at, byte[] source, int from, int length) throws IOException;

    @Override
    public final void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public final void write(byte[] source, int from, int length) throws IOException {
        int end = from + length;
        int begun = from;
        int next;
        for (int index = from; index < end; index = next) {
            long at = offset + index - from;
            next = (int) Math.min(end, index + BLOCK_LENGTH - at % BLOCK_LENGTH);
            if (Arrays.equals(source, index, next, ZEROS, 0, next - index)) {
                endPiece(source, from, begun, index);
                begun = next;
            }
        }
        endPiece(source, from, begun, end);
        offset += length;
    }

    private void endPiece(byte[] source, int from, int begun, int end) throws IOException {
        if (end > begun) {
            piece(offset + begun - from, source, begun, end - begun);
        }
    }
}

package io.persist.format;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A key in a {@link CheckpointBlock} and where its value is in the log. Of the key only that is stored which it does
 * not share with the key before it in the block. All integers are little-endian.
 *
 * <pre>
 *   0        2               4          12       16
 *   +--------+---------------+----------+--------+---------- … --+
 *   | shared | suffix length | position | length | suffix        |
 *   +--------+---------------+----------+--------+---------- … --+
 * </pre>
 *
 * Keys ascend strictly, as unsigned bytes, in all of the file.
 *
 * <p>Part of the file format. Never change; add.
 */
public final class CheckpointEntry {

    public static final int SHARED_OFFSET = 0;
    public static final int SUFFIX_LENGTH_OFFSET = 2;
    public static final int POSITION_OFFSET = 4;
    public static final int LENGTH_OFFSET = 12;

    public static final int HEADER_LENGTH = 16;

    /** Bytes of a key; the least is 1. */
    public static final int MAX_KEY_LENGTH = 1024;

    private CheckpointEntry() {}

    /** How many bytes two keys have in common at their start. */
    public static int shared(byte[] before, int beforeLength, byte[] key, int keyLength) {
        int mismatch = Arrays.mismatch(before, 0, beforeLength, key, 0, keyLength);
        return mismatch < 0 ? keyLength : mismatch;
    }

    /**
     * Writes the entry to {@code index} of {@code block}.
     *
     * @param shared how many bytes at the start of {@code key} the key before it has too; 0 in the first of a block
     * @return the index right after it
     */
    public static int put(
            ByteBuffer block, int index, byte[] key, int keyLength, int shared, long position, int length) {
        int suffixLength = keyLength - shared;
        block.putShort(index + SHARED_OFFSET, (short) shared)
                .putShort(index + SUFFIX_LENGTH_OFFSET, (short) suffixLength)
                .putLong(index + POSITION_OFFSET, position)
                .putInt(index + LENGTH_OFFSET, length)
                .put(index + HEADER_LENGTH, key, shared, suffixLength);
        return index + HEADER_LENGTH + suffixLength;
    }
}

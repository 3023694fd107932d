package io.persist.format;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A part of a checkpoint: a header and {@linkplain CheckpointEntry entries}. Blocks follow each other without a gap,
 * the first one after the {@link CheckpointHeader}. The last one is the footer: it has no entries but two totals, and
 * is the end of the file. A file without a whole footer is no checkpoint. All integers are little-endian.
 *
 * <pre>
 *              0        4          8         12         16
 *              +--------+----------+---------+----------+-------------------------------+
 *   a block    | length | checksum | entries | reserved | entry | entry | entry …       |
 *              +--------+----------+---------+----------+---------------+---------------+ 32
 *   the footer | length | checksum |       0 | reserved | total entries | total blocks  |
 *              +--------+----------+---------+----------+---------------+---------------+
 * </pre>
 *
 * {@code checksum} is the CRC32C of the bytes from {@code entries} to the end of the block, exclusive-or the mix of
 * {@link FrameChecksum} of the file's salt, the block's number (0 for the first one) and its length. So a block of
 * another checkpoint, or at another place, does not verify.
 *
 * <p>Part of the file format. Never change; add.
 */
public final class CheckpointBlock {

    public static final int LENGTH_OFFSET = 0;
    public static final int CHECKSUM_OFFSET = 4;
    public static final int ENTRIES_OFFSET = 8;
    public static final int RESERVED_OFFSET = 12;
    public static final int TOTAL_ENTRIES_OFFSET = 16;
    public static final int TOTAL_BLOCKS_OFFSET = 24;

    public static final int HEADER_LENGTH = 16;
    public static final int FOOTER_LENGTH = 32;

    /** Bytes of a block, header included, at most: what a reader has to hold to check it. */
    public static final int MAX_LENGTH = 1 << 16;

    private CheckpointBlock() {}

    /** Completes the block in the first {@code length} bytes of {@code block}, whose {@code entries} are there. */
    public static void putHeader(ByteBuffer block, int length, int entries, long salt, long number) {
        block.putInt(LENGTH_OFFSET, length)
                .putInt(ENTRIES_OFFSET, entries)
                .putInt(RESERVED_OFFSET, 0)
                .putInt(CHECKSUM_OFFSET, checksum(block.array(), 0, length, salt, number));
    }

    /** Makes {@code block} the footer. */
    public static void putFooter(ByteBuffer block, long totalEntries, long totalBlocks, long salt) {
        block.putLong(TOTAL_ENTRIES_OFFSET, totalEntries).putLong(TOTAL_BLOCKS_OFFSET, totalBlocks);
        putHeader(block, FOOTER_LENGTH, 0, salt, totalBlocks);
    }

    /** The checksum of block {@code number}, which lies at {@code index} and has {@code length} bytes. */
    public static int checksum(byte[] bytes, int index, int length, long salt, long number) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, index + ENTRIES_OFFSET, length - ENTRIES_OFFSET);
        return (int) crc.getValue() ^ FrameChecksum.mix(salt, number, length);
    }
}

package io.persist.format.checkpoint;

import io.persist.error.CorruptLogException;
import io.persist.format.FrameChecksum;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The last {@value #LENGTH} bytes of a checkpoint. A file without them is no checkpoint. All integers are
 * little-endian.
 *
 * <pre>
 *   0       4       8          12     16       20         24     32        40                   44         48
 *   +-------+-------+----------+------+--------+----------+------+---------+--------------------+----------+
 *   | nodes | words | segments | root | height | id limit | keys | version | directory checksum | checksum |
 *   +-------+-------+----------+------+--------+----------+------+---------+--------------------+----------+
 * </pre>
 *
 * {@code checksum} is the CRC32C of the 44 bytes before it, exclusive-or the mix of {@link FrameChecksum} of the file's
 * salt, 0 and 48.
 *
 * <p>Part of the file format. Never change; add.
 *
 * @param nodes how many nodes the file has
 * @param words of the directory
 * @param segments of the directory
 * @param root the id of the tree's root
 * @param height of the tree, 1 for one leaf
 * @param idLimit is above all ids of nodes
 * @param keys how many there are
 * @param version of the tree; no node has a greater one
 * @param directoryChecksum of the directory
 */
public record CheckpointFooter(
        int nodes,
        int words,
        int segments,
        int root,
        int height,
        int idLimit,
        long keys,
        long version,
        int directoryChecksum) {

    public static final int LENGTH = 48;

    public static final int NODES_OFFSET = 0;
    public static final int WORDS_OFFSET = 4;
    public static final int SEGMENTS_OFFSET = 8;
    public static final int ROOT_OFFSET = 12;
    public static final int HEIGHT_OFFSET = 16;
    public static final int ID_LIMIT_OFFSET = 20;
    public static final int KEYS_OFFSET = 24;
    public static final int TREE_VERSION_OFFSET = 32;
    public static final int DIRECTORY_CHECKSUM_OFFSET = 40;
    public static final int CHECKSUM_OFFSET = 44;

    private static final int MAX_HEIGHT = 32;

    /** Each has an id: an index of so many nodes would take 4 TiB. */
    private static final int MAX_IDS = 1 << 30;

    /** A tree that counts on from greater numbers might reach the end of them. */
    private static final long MAX_NUMBER = 1L << 62;

    /** The footer as its 48 bytes. */
    public byte[] encode(long salt) {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(NODES_OFFSET, nodes)
                .putInt(WORDS_OFFSET, words)
                .putInt(SEGMENTS_OFFSET, segments)
                .putInt(ROOT_OFFSET, root)
                .putInt(HEIGHT_OFFSET, height)
                .putInt(ID_LIMIT_OFFSET, idLimit)
                .putLong(KEYS_OFFSET, keys)
                .putLong(TREE_VERSION_OFFSET, version)
                .putInt(DIRECTORY_CHECKSUM_OFFSET, directoryChecksum);
        return bytes.putInt(CHECKSUM_OFFSET, checksum(bytes.array(), salt)).array();
    }

    /**
     * Reads and checks the footer of {@code file}.
     *
     * @param bytes the last 48 bytes of the file
     * @param fileLength in bytes
     * @throws CorruptLogException if it is anything else than the footer of a file with this salt and length
     */
    public static CheckpointFooter decode(byte[] bytes, String file, long fileLength, long salt) {
        long offset = fileLength - LENGTH;
        ByteBuffer footer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (footer.getInt(CHECKSUM_OFFSET) != checksum(bytes, salt)) {
            throw CheckpointHeader.damaged(file, offset, "wrong checksum of the checkpoint's footer");
        }
        CheckpointFooter read = new CheckpointFooter(
                footer.getInt(NODES_OFFSET),
                footer.getInt(WORDS_OFFSET),
                footer.getInt(SEGMENTS_OFFSET),
                footer.getInt(ROOT_OFFSET),
                footer.getInt(HEIGHT_OFFSET),
                footer.getInt(ID_LIMIT_OFFSET),
                footer.getLong(KEYS_OFFSET),
                footer.getLong(TREE_VERSION_OFFSET),
                footer.getInt(DIRECTORY_CHECKSUM_OFFSET));
        String fault = read.findFault(fileLength);
        if (!fault.isEmpty()) {
            throw CheckpointHeader.damaged(file, offset, fault);
        }
        return read;
    }

    /** The number of bytes of the directory before it. */
    public long directoryLength() {
        return CheckpointDirectory.length(nodes, words, segments);
    }

    private String findFault(long fileLength) {
        if (nodes < 0 || words < 0 || segments < 0) {
            return "impossible numbers in the footer: nodes=" + nodes + ", words=" + words + ", segments=" + segments;
        }
        long expected = CheckpointDirectory.nodeOffset(nodes) + directoryLength() + LENGTH;
        if (expected != fileLength || directoryLength() > Integer.MAX_VALUE - 8) {
            return "the footer tells of " + expected + " bytes, and the file has " + fileLength;
        }
        if (idLimit < 1 || idLimit > MAX_IDS || (idLimit - 1) / Long.SIZE + 1 != words || root < 0 || root >= idLimit) {
            return "impossible ids in the footer: root=" + root + ", limit=" + idLimit + ", words=" + words;
        }
        if (height < 1 || height > MAX_HEIGHT || keys < 0 || keys > MAX_NUMBER || version < 1 || version > MAX_NUMBER) {
            return "impossible tree in the footer: height=" + height + ", keys=" + keys + ", version=" + version;
        }
        return "";
    }

    private static int checksum(byte[] footer, long salt) {
        CRC32C crc = new CRC32C();
        crc.update(footer, 0, CHECKSUM_OFFSET);
        return (int) crc.getValue() ^ FrameChecksum.mix(salt, 0, LENGTH);
    }
}

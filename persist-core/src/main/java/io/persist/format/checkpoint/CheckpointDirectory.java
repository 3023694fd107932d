package io.persist.format.checkpoint;

import io.persist.format.FrameChecksum;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Where in a checkpoint is what. After the {@link CheckpointHeader}, which is filled up with zeros, come nodes of the
 * store's index, then the directory, then the {@link CheckpointFooter}, which ends the file. All integers are
 * little-endian.
 *
 * <pre>
 *   0          4096      8192            4096 * (1 + nodes)
 *   +----------+---------+-- … ----------+-----------+--------+
 *   | header   | node 0  | node 1 …      | directory | footer |
 *   +----------+---------+-- … ----------+-----------+--------+
 *
 *   the directory: for each node      i32 id, i32 checksum; in ascending order of ids
 *                  for each word      i64: 64 ids, the lowest bit the lowest id; set: the node belongs to the tree
 *                  for each segment   i64 base position, i64 live bytes
 * </pre>
 *
 * A node that belongs to the tree and is not in this file is in the one that the header names as its predecessor, or
 * in that one's predecessor. A node's checksum is the CRC32C of its bytes, exclusive-or the mix of
 * {@link FrameChecksum} of the file's salt, the node's id and its length. So a node of another checkpoint, or in the
 * place of another one, does not verify.
 *
 * <p>Part of the file format. Never change; add.
 */
public final class CheckpointDirectory {

    /** Where the first node lies. */
    public static final int NODES_OFFSET = 4096;

    public static final int NODE_LENGTH = 4096;
    public static final int ENTRY_LENGTH = 8;
    public static final int WORD_LENGTH = 8;
    public static final int SEGMENT_LENGTH = 16;

    private CheckpointDirectory() {}

    /** Where in the file the node lies that has this number in the directory, the first one being 0. */
    public static long nodeOffset(int number) {
        return NODES_OFFSET + (long) number * NODE_LENGTH;
    }

    /** Bytes of a directory. */
    public static long length(long nodes, long words, long segments) {
        return nodes * ENTRY_LENGTH + words * WORD_LENGTH + segments * SEGMENT_LENGTH;
    }

    /** The checksum of a node, whose bytes are at index {@code at} of {@code bytes}. */
    public static int nodeChecksum(ByteBuffer bytes, int at, long salt, int id) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(at, NODE_LENGTH));
        return (int) crc.getValue() ^ FrameChecksum.mix(salt, id, NODE_LENGTH);
    }

    /** The checksum of a directory, whose bytes these are. */
    public static int checksum(byte[] directory, long salt) {
        CRC32C crc = new CRC32C();
        crc.update(directory, 0, directory.length);
        return (int) crc.getValue() ^ FrameChecksum.mix(salt, 0, directory.length);
    }
}

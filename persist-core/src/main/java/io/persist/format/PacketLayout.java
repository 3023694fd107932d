package io.persist.format;

/**
 * A packet as stored: the payload of one record. All integers are little-endian.
 *
 * <pre>
 *   0         1       2          4               8                    8 or 72
 *   +---------+-------+----------+---------------+-------- … ---------+--------+--------- … -+-----+--------+--
 *   | version | flags | reserved | message count | [metadata, 64 B]   | length | message     | pad | length | …
 *   +---------+-------+----------+---------------+-------- … ---------+--------+--------- … -+-----+--------+--
 *
 *   8           9       10         12     16          32               40
 *   +-----------+-------+----------+------+-----------+----------------+-----------------------+--
 *   | operation | flags | reserved | type | object id | transaction id | stable transaction id | …
 *   +-----------+-------+----------+------+-----------+----------------+-----------------------+--
 *
 *   48            56             64           72
 *   +-------------+--------------+------------+
 *   | in sequence | out sequence | checkpoint |
 *   +-------------+--------------+------------+
 * </pre>
 *
 * <ul>
 *   <li>{@code metadata} is there if {@link #FLAG_METADATA} is set. Its 8-byte fields are aligned, because the payload
 *       of a frame begins at a multiple of 8.
 *   <li>{@code length}: of the message, without the padding.
 *   <li>{@code pad}: zeros up to a multiple of 4, after the last message too. So each length is aligned, and a message
 *       costs at most 7 bytes more than its own; 8 would cost up to 15, for an alignment that a {@code ByteBuffer} does
 *       not need.
 *   <li>The packet ends with its last message: nothing else follows.
 * </ul>
 *
 * Part of the file format. Never change; add.
 */
public final class PacketLayout {

    public static final int VERSION_OFFSET = 0;
    public static final int FLAGS_OFFSET = 1;
    public static final int RESERVED_OFFSET = 2;
    public static final int MESSAGE_COUNT_OFFSET = 4;
    public static final int HEADER_LENGTH = 8;

    public static final int OPERATION_OFFSET = 8;
    public static final int METADATA_FLAGS_OFFSET = 9;
    public static final int METADATA_RESERVED_OFFSET = 10;
    public static final int TYPE_OFFSET = 12;
    public static final int OBJECT_ID_OFFSET = 16;
    public static final int TRANSACTION_ID_OFFSET = 32;
    public static final int STABLE_TRANSACTION_ID_OFFSET = 40;
    public static final int IN_SEQUENCE_OFFSET = 48;
    public static final int OUT_SEQUENCE_OFFSET = 56;
    public static final int CHECKPOINT_OFFSET = 64;
    public static final int METADATA_LENGTH = 64;

    /** Bytes before each message: its length. */
    public static final int MESSAGE_HEADER_LENGTH = 4;

    public static final int ALIGNMENT = 4;
    public static final byte VERSION = 1;

    /** Flag: there is metadata. A reader refuses a flag that it does not know. */
    public static final byte FLAG_METADATA = 1;

    /** Flag of the metadata: the sender may have sent the packet before. */
    public static final byte FLAG_POSSIBLE_DUPLICATE = 1;

    /** Flag of the metadata: the first packet of a commit. */
    public static final byte FLAG_COMMIT_START = 2;

    /** Flag of the metadata: the last packet of a commit. */
    public static final byte FLAG_COMMIT_END = 4;

    private PacketLayout() {}

    /** The bytes that a message of {@code length} takes after its length, padding included. */
    public static int aligned(int length) {
        return (length + (ALIGNMENT - 1)) & -ALIGNMENT;
    }
}

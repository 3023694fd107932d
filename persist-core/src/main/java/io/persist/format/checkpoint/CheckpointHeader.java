package io.persist.format.checkpoint;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.PersistVersion;
import io.persist.format.SegmentHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The first 80 bytes of a checkpoint. All integers are little-endian.
 *
 * <pre>
 *   0       8         12      16       24         32         40     48
 *   +-------+---------+-------+--------+----------+----------+------+------------+
 *   | magic | version | flags | log id | position | sequence | salt | created at |
 *   +-------+---------+-------+--------+----------+----------+------+------------+
 *   56            64                   72           75         76         80
 *   +-------------+--------------------+------------+----------+----------+
 *   | predecessor | predecessor's salt | written by | reserved | checksum |
 *   +-------------+--------------------+------------+----------+----------+
 * </pre>
 *
 * {@code checksum} is the CRC32C of the 76 bytes before it. Version and flags are as those of {@link SegmentHeader}.
 * Nodes follow, see {@link CheckpointDirectory}.
 *
 * <p>Part of the file format. Never change; add.
 *
 * @param logId of the log that the positions belong to
 * @param position where in the log replay goes on; the same as in the file's name
 * @param sequence the number of the last record before the position, 0 if there is none: a log whose record at the
 *     position has not the next number is another one, or was cut and written anew
 * @param salt random, new for each checkpoint, part of the checksum of all that follows
 * @param createdAtMs wall clock, ms since 1970; for people
 * @param predecessor the position of the checkpoint that has the nodes which this one has not; {@link #NONE} if this
 *     one has all
 * @param predecessorSalt the salt of that one, 0 if there is none
 * @param writtenBy the version of Persist that wrote the checkpoint
 */
public record CheckpointHeader(
        long logId,
        long position,
        long sequence,
        long salt,
        long createdAtMs,
        long predecessor,
        long predecessorSalt,
        PersistVersion writtenBy) {

    public static final int LENGTH = 80;
    public static final long MAGIC = 0x504B4843_53524550L; // "PERSCHKP" as bytes
    public static final int VERSION = 2;

    /** In place of a predecessor. */
    public static final long NONE = -1;

    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = 8;
    public static final int FLAGS_OFFSET = 12;
    public static final int LOG_ID_OFFSET = 16;
    public static final int POSITION_OFFSET = 24;
    public static final int SEQUENCE_OFFSET = 32;
    public static final int SALT_OFFSET = 40;
    public static final int CREATED_AT_OFFSET = 48;
    public static final int PREDECESSOR_OFFSET = 56;
    public static final int PREDECESSOR_SALT_OFFSET = 64;
    public static final int WRITTEN_BY_OFFSET = 72;
    public static final int RESERVED_OFFSET = 75;
    public static final int CHECKSUM_OFFSET = 76;

    private static final int REQUIRED_FLAGS = 0xFFFF;

    /** The version before, whose checkpoints had keys in place of nodes. No release wrote it. */
    private static final int KEYS_VERSION = 1;

    /** The header of a checkpoint that this version writes. */
    public CheckpointHeader(
            long logId,
            long position,
            long sequence,
            long salt,
            long createdAtMs,
            long predecessor,
            long predecessorSalt) {
        this(logId, position, sequence, salt, createdAtMs, predecessor, predecessorSalt, PersistVersion.CURRENT);
    }

    /** Whether it has all nodes. */
    public boolean isWhole() {
        return predecessor == NONE;
    }

    /** The header as its 80 bytes. */
    public byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(MAGIC_OFFSET, MAGIC)
                .putInt(VERSION_OFFSET, VERSION)
                .putLong(LOG_ID_OFFSET, logId)
                .putLong(POSITION_OFFSET, position)
                .putLong(SEQUENCE_OFFSET, sequence)
                .putLong(SALT_OFFSET, salt)
                .putLong(CREATED_AT_OFFSET, createdAtMs)
                .putLong(PREDECESSOR_OFFSET, predecessor)
                .putLong(PREDECESSOR_SALT_OFFSET, predecessorSalt);
        writtenBy.put(bytes, WRITTEN_BY_OFFSET);
        bytes.putInt(CHECKSUM_OFFSET, checksum(bytes.array()));
        return bytes.array();
    }

    /**
     * Reads and checks the header of {@code file}.
     *
     * @param bytes the first 80 bytes of the file
     * @param position the position that the file's name says
     * @throws UnsupportedFormatException if a newer version wrote it, or one before the first release
     * @throws CorruptLogException if it is anything else than the header of this checkpoint
     */
    public static CheckpointHeader decode(byte[] bytes, String file, long position) {
        ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < LENGTH || header.getLong(MAGIC_OFFSET) != MAGIC) {
            throw damaged(file, 0, "not a checkpoint of Persist (no magic)");
        }
        if (header.getInt(VERSION_OFFSET) == KEYS_VERSION) {
            throw new UnsupportedFormatException("unsupported checkpoint format: version=" + KEYS_VERSION
                    + ", supported version=" + VERSION + ", file=" + file
                    + "; open it with the version of Persist that wrote it, or move it away: if nothing was compacted,"
                    + " the log has all");
        }
        if (header.getInt(CHECKSUM_OFFSET) != checksum(bytes)) {
            throw damaged(file, 0, "wrong checksum of the checkpoint's header");
        }
        int version = header.getInt(VERSION_OFFSET);
        int flags = header.getInt(FLAGS_OFFSET);
        PersistVersion writtenBy = PersistVersion.get(header, WRITTEN_BY_OFFSET);
        if (version > VERSION || (flags & REQUIRED_FLAGS) != 0) {
            throw UnsupportedFormatException.newer(
                    file,
                    "unsupported checkpoint format: version=" + version + ", flags=" + flags + ", supported version="
                            + VERSION + ", file=" + file + "; open it with " + writtenBy.orLater());
        }
        if (version < VERSION) {
            throw damaged(file, 0, "impossible version of the checkpoint: " + version);
        }
        long written = header.getLong(POSITION_OFFSET);
        if (written != position) {
            throw damaged(file, 0, "the checkpoint's header belongs to position " + written);
        }
        long sequence = header.getLong(SEQUENCE_OFFSET);
        if (sequence < 0 || sequence == Long.MAX_VALUE) { // after which there is no number
            throw damaged(file, 0, "impossible number of the record before the checkpoint: " + sequence);
        }
        long predecessor = header.getLong(PREDECESSOR_OFFSET);
        if (predecessor < NONE || predecessor != NONE && predecessor >= written) {
            throw damaged(file, 0, "impossible position of the checkpoint before: " + predecessor);
        }
        return new CheckpointHeader(
                header.getLong(LOG_ID_OFFSET),
                written,
                sequence,
                header.getLong(SALT_OFFSET),
                header.getLong(CREATED_AT_OFFSET),
                predecessor,
                header.getLong(PREDECESSOR_SALT_OFFSET),
                writtenBy);
    }

    /** What is thrown when {@code file} is damaged at {@code offset}. */
    public static CorruptLogException damaged(String file, long offset, String what) {
        return new CorruptLogException(
                file, offset, what, "run verify on the store: it says from what it can be opened");
    }

    private static int checksum(byte[] header) {
        CRC32C crc = new CRC32C();
        crc.update(header, 0, CHECKSUM_OFFSET);
        return (int) crc.getValue();
    }
}

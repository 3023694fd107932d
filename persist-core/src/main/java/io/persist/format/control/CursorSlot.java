package io.persist.format.control;

import io.persist.error.UnsupportedFormatException;
import io.persist.format.PersistVersion;
import io.persist.format.SegmentHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One of the two slots of a cursor's file. They are written in turn, each in a block of its own, so that a write which
 * a power cut tears leaves the other one whole. The whole slot with the highest generation counts. All integers are
 * little-endian.
 *
 * <pre>
 *   0       8         12      16           24       32         40         48          56    64
 *   +-------+---------+-------+------------+--------+----------+----------+-----------+-----+ …
 *   | magic | version | flags | generation | log id | position | sequence | stored at | pid |
 *   +-------+---------+-------+------------+--------+----------+----------+-----------+-----+ …
 *   64           67         68
 *   +------------+----------+----------+
 *   | written by | reserved | checksum |
 *   +------------+----------+----------+
 * </pre>
 *
 * {@code checksum} is the CRC32C of the 68 bytes before it. Version and flags are as those of {@link SegmentHeader}.
 *
 * <p>Part of the file format. Never change; add.
 *
 * @param generation 1 for the first write of the cursor, one more for each
 * @param logId of the log that the position belongs to; 0 if there was no log yet
 * @param position where the next record begins, or will begin
 * @param sequence the number of that record; 0 if the log was cut before it, by a repair or a restore, so that
 *     the cursor is refused
 * @param storedAtMs wall clock at which the position was stored, ms since 1970
 * @param pid the process that wrote the slot
 */
public record CursorSlot(long generation, long logId, long position, long sequence, long storedAtMs, long pid) {

    public static final int LENGTH = 72;
    public static final long MAGIC = 0x53525543_53524550L; // "PERSCURS" as bytes
    public static final int VERSION = 1;

    /** From the start of the first slot to that of the second: they share no block of any device. */
    public static final int INTERVAL = 4096;

    /** Bytes of the file. */
    public static final int FILE_LENGTH = 2 * INTERVAL;

    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = 8;
    public static final int FLAGS_OFFSET = 12;
    public static final int GENERATION_OFFSET = 16;
    public static final int LOG_ID_OFFSET = 24;
    public static final int POSITION_OFFSET = 32;
    public static final int SEQUENCE_OFFSET = 40;
    public static final int STORED_AT_OFFSET = 48;
    public static final int PID_OFFSET = 56;
    public static final int WRITTEN_BY_OFFSET = 64;
    public static final int RESERVED_OFFSET = 67;
    public static final int CHECKSUM_OFFSET = 68;

    private static final int REQUIRED_FLAGS = 0xFFFF;

    /** No cursor is written so often. */
    private static final long LAST_GENERATION = 1L << 62;

    /** Whether the log was cut before the position, which may be that of another record by now. */
    public boolean isCutOff() {
        return sequence == 0;
    }

    /** The next slot of the cursor, if a repair cuts the log before its position. */
    public CursorSlot cutOff() {
        return new CursorSlot(generation + 1, logId, position, 0, storedAtMs, pid);
    }

    /** Where in the file the slot of {@code generation} is. */
    public static int offset(long generation) {
        return (int) ((generation + 1) & 1) * INTERVAL;
    }

    /** Space for one slot, to be used again and again. */
    public static ByteBuffer allocate() {
        return ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Writes the slot as its 72 bytes to {@code target}, which {@link #allocate} made. */
    public void encode(ByteBuffer target) {
        target.putLong(MAGIC_OFFSET, MAGIC)
                .putInt(VERSION_OFFSET, VERSION)
                .putInt(FLAGS_OFFSET, 0)
                .putLong(GENERATION_OFFSET, generation)
                .putLong(LOG_ID_OFFSET, logId)
                .putLong(POSITION_OFFSET, position)
                .putLong(SEQUENCE_OFFSET, sequence)
                .putLong(STORED_AT_OFFSET, storedAtMs)
                .putLong(PID_OFFSET, pid)
                .put(RESERVED_OFFSET, (byte) 0);
        PersistVersion.CURRENT.put(target, WRITTEN_BY_OFFSET);
        target.putInt(CHECKSUM_OFFSET, checksum(target.array()));
    }

    /**
     * Reads and checks the slot in the first 72 bytes of {@code bytes}.
     *
     * @param file the file's name, for the message
     * @return the slot; null if none was written there, or not all of it
     * @throws UnsupportedFormatException if a newer version wrote it
     */
    public static @Nullable CursorSlot decode(byte[] bytes, String file) {
        ByteBuffer slot = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (slot.getLong(MAGIC_OFFSET) != MAGIC || slot.getInt(CHECKSUM_OFFSET) != checksum(bytes)) {
            return null;
        }
        int version = slot.getInt(VERSION_OFFSET);
        int flags = slot.getInt(FLAGS_OFFSET);
        if (version != VERSION || (flags & REQUIRED_FLAGS) != 0) {
            throw UnsupportedFormatException.newer(
                    file,
                    "unsupported cursor format: version=" + version + ", flags=" + flags + ", supported version="
                            + VERSION + ", file=" + file + "; use it with "
                            + PersistVersion.get(slot, WRITTEN_BY_OFFSET).orLater());
        }
        long generation = slot.getLong(GENERATION_OFFSET);
        if (generation < 1 || generation > LAST_GENERATION) {
            return null; // forged: it would be the newest one for ever
        }
        return new CursorSlot(
                generation,
                slot.getLong(LOG_ID_OFFSET),
                slot.getLong(POSITION_OFFSET),
                slot.getLong(SEQUENCE_OFFSET),
                slot.getLong(STORED_AT_OFFSET),
                slot.getLong(PID_OFFSET));
    }

    private static int checksum(byte[] slot) {
        CRC32C crc = new CRC32C();
        crc.update(slot, 0, CHECKSUM_OFFSET);
        return (int) crc.getValue();
    }
}

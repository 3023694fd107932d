package io.persist.format;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The first 64 bytes of a segment. Written once, before the segment is part of the log. All integers are little-endian.
 *
 * <pre>
 *   0       8         12      16              24               32     40       48
 *   +-------+---------+-------+---------------+----------------+------+--------+ …
 *   | magic | version | flags | base position | segment length | salt | log id |
 *   +-------+---------+-------+---------------+----------------+------+--------+ …
 *   48           56        57           60
 *   +------------+---------+------------+----------+
 *   | created at | content | written by | checksum |
 *   +------------+---------+------------+----------+
 * </pre>
 *
 * {@code checksum} is the CRC32C of the 60 bytes before it. A reader refuses a newer version, and any of the lower 16
 * flags that it does not know. Of the upper ones that it does not know it ignores all; but with one of the uppermost 8
 * it may not change the log. {@code created at} is a wall clock in ms, for people.
 *
 * <p>Part of the file format. Never change; add.
 *
 * @param basePosition the position of the segment's first byte
 * @param segmentLength bytes, header included
 * @param salt random, new for each life of a file
 * @param logId random, the same in all segments of a log
 * @param createdAtMs wall clock, ms since 1970
 * @param content what the log's records are
 * @param flags those that say how the segment is to be read
 * @param writtenBy the version of Persist that made the segment; a later one may have appended to it
 */
public record SegmentHeader(
        long basePosition,
        int segmentLength,
        long salt,
        long logId,
        long createdAtMs,
        LogContent content,
        int flags,
        PersistVersion writtenBy) {

    public static final int LENGTH = 64;
    public static final long MAGIC = 0x31545349_53524550L; // "PERSIST1" as bytes
    public static final int VERSION = 1;

    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = 8;
    public static final int FLAGS_OFFSET = 12;
    public static final int BASE_POSITION_OFFSET = 16;
    public static final int SEGMENT_LENGTH_OFFSET = 24;
    public static final int SALT_OFFSET = 32;
    public static final int LOG_ID_OFFSET = 40;
    public static final int CREATED_AT_OFFSET = 48;
    public static final int CONTENT_OFFSET = 56;
    public static final int WRITTEN_BY_OFFSET = 57;
    public static final int CHECKSUM_OFFSET = 60;

    public static final int MIN_SEGMENT_LENGTH = LogConfig.MIN_SEGMENT_LENGTH;
    public static final int MAX_SEGMENT_LENGTH = LogConfig.MAX_SEGMENT_LENGTH;

    /**
     * Flag: records are missing here, because compaction has taken them away or salvage has not found them. There is
     * only a seal, so that the log goes on over it. Numbers of records jump here.
     */
    public static final int FLAG_VACATED = 1;

    /**
     * Flag, optional: the file had another life, as another segment. Where nothing was stored in this life it may hold
     * bytes of the one before.
     */
    public static final int FLAG_REUSED = 1 << 16;

    private static final int REQUIRED_FLAGS = 0xFFFF;

    /** Without knowing these nobody changes the log. */
    private static final int WRITE_FLAGS = 0xFF << 24;

    /** The header of a segment of messages that holds what was written to it. */
    public SegmentHeader(long basePosition, int segmentLength, long salt, long logId, long createdAtMs) {
        this(basePosition, segmentLength, salt, logId, createdAtMs, LogContent.MESSAGES, 0);
    }

    /** The header of a segment that this version makes. */
    public SegmentHeader(
            long basePosition,
            int segmentLength,
            long salt,
            long logId,
            long createdAtMs,
            LogContent content,
            int flags) {
        this(basePosition, segmentLength, salt, logId, createdAtMs, content, flags, PersistVersion.CURRENT);
    }

    /** The header as its 64 bytes. */
    public byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(MAGIC_OFFSET, MAGIC)
                .putInt(VERSION_OFFSET, VERSION)
                .putInt(FLAGS_OFFSET, flags)
                .putLong(BASE_POSITION_OFFSET, basePosition)
                .putLong(SEGMENT_LENGTH_OFFSET, segmentLength)
                .putLong(SALT_OFFSET, salt)
                .putLong(LOG_ID_OFFSET, logId)
                .putLong(CREATED_AT_OFFSET, createdAtMs)
                .put(CONTENT_OFFSET, (byte) content.code());
        writtenBy.put(bytes, WRITTEN_BY_OFFSET);
        bytes.putInt(CHECKSUM_OFFSET, checksum(bytes));
        return bytes.array();
    }

    /**
     * Reads and checks the header of {@code file}.
     *
     * @param bytes at least the first 64 bytes of the file
     * @param fileLength the file's length; one that differs from the header's is damage
     * @param basePosition the base position that the file's name says
     * @throws UnsupportedFormatException if a newer version wrote it
     * @throws CorruptLogException if it is anything else than a header of this place
     */
    public static SegmentHeader decode(ByteBuffer bytes, String file, long fileLength, long basePosition) {
        ByteBuffer header = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        if (header.capacity() == 0) { // a file system may leave one after a power cut
            throw new CorruptLogException(file, basePosition, "empty file");
        }
        if (header.capacity() < LENGTH || header.getLong(MAGIC_OFFSET) != MAGIC) {
            throw new CorruptLogException(file, basePosition, "not a segment of Persist (no magic)");
        }
        int version = header.getInt(VERSION_OFFSET);
        int flags = header.getInt(FLAGS_OFFSET);
        boolean whole = checksum(header) == header.getInt(CHECKSUM_OFFSET);
        int content = header.get(CONTENT_OFFSET);
        PersistVersion writtenBy = PersistVersion.get(header, WRITTEN_BY_OFFSET);
        boolean unknown =
                version != VERSION || (flags & REQUIRED_FLAGS & ~FLAG_VACATED) != 0 || !LogContent.isKnown(content);
        if (whole && unknown) {
            throw UnsupportedFormatException.newer(
                    file,
                    "unsupported log format: version=" + version + ", flags=" + flags + ", content=" + content
                            + ", supported version=" + VERSION + ", file=" + file + "; open it with "
                            + writtenBy.orLater());
        }
        if (!whole) {
            throw new CorruptLogException(file, basePosition, "wrong checksum of the segment header");
        }
        long length = header.getLong(SEGMENT_LENGTH_OFFSET);
        long base = header.getLong(BASE_POSITION_OFFSET);
        if (base != basePosition) {
            throw new CorruptLogException(file, basePosition, "the header belongs to position " + base);
        }
        if (length != fileLength || length < MIN_SEGMENT_LENGTH || length > MAX_SEGMENT_LENGTH || length % 8 != 0) {
            throw new CorruptLogException(
                    file, basePosition, "the segment's length should be " + length + " but is " + fileLength);
        }
        return new SegmentHeader(
                base,
                (int) length,
                header.getLong(SALT_OFFSET),
                header.getLong(LOG_ID_OFFSET),
                header.getLong(CREATED_AT_OFFSET),
                LogContent.of(content),
                flags,
                writtenBy);
    }

    /**
     * Throws if this version may read the log and not change it. Each segment has the flags of the one before, so that
     * the newest one tells.
     *
     * @throws UnsupportedFormatException if a newer version wrote it, and has to be known to write
     */
    public void checkWritable() {
        if ((flags & WRITE_FLAGS) != 0) {
            String file = LogFileName.segment(basePosition);
            throw UnsupportedFormatException.newer(
                    file,
                    "this version of Persist may read the log and not change it: flags=" + flags + ", file=" + file
                            + "; write it with " + writtenBy.orLater());
        }
    }

    /** Whether the segment's records were taken away: see {@link #FLAG_VACATED}. */
    public boolean isVacated() {
        return (flags & FLAG_VACATED) != 0;
    }

    /** Whether what was at {@code position} of this segment was taken away: then its seal is its only frame. */
    public boolean isVacatedAt(long position) {
        return isVacated() && position > firstFramePosition();
    }

    /** Whether the file had another life before: see {@link #FLAG_REUSED}. */
    public boolean isReused() {
        return (flags & FLAG_REUSED) != 0;
    }

    /** Whether a frame of this segment may have the number {@code found} where {@code expected} is due. */
    public boolean goesOn(long expected, long found) {
        return found == expected || isVacated() && found > expected;
    }

    /**
     * The position from which on all of these segments, which are in order, have all their records: behind what
     * retention and compaction have taken away.
     */
    public static long completeFrom(List<SegmentHeader> segments) {
        return completeFrom(segments.isEmpty() ? 0 : segments.get(0).basePosition(), segments);
    }

    /** The same of a log that begins at {@code first}, which may be before all of these. */
    public static long completeFrom(long first, List<SegmentHeader> segments) {
        long complete = first;
        for (SegmentHeader segment : segments) {
            complete = segment.isVacated() ? segment.endPosition() : complete;
        }
        return complete;
    }

    /**
     * The same of a log that is read up to {@code end}: that itself if records before it lie behind all of these. Then
     * another process that writes may have taken away what there was.
     */
    public static long completeUpTo(long end, List<SegmentHeader> segments) {
        long next = segments.isEmpty() ? 0 : segments.get(segments.size() - 1).endPosition();
        return next + LENGTH >= end ? completeFrom(segments) : end;
    }

    /** The position right after the segment, where the next one begins. */
    public long endPosition() {
        return basePosition + segmentLength;
    }

    /** The position of the segment's first frame. */
    public long firstFramePosition() {
        return basePosition + LENGTH;
    }

    private static int checksum(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.duplicate().limit(CHECKSUM_OFFSET).position(0));
        return (int) crc.getValue();
    }
}

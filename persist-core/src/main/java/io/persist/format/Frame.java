package io.persist.format;

import io.persist.error.UnsupportedFormatException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A frame as stored: the header and the payload of one record. All integers are little-endian.
 *
 * <pre>
 *   0        4          8          16         20     21      22         24
 *   +--------+----------+----------+----------+------+-------+----------+--------- … --+-----+
 *   | length | checksum | sequence | unsynced | type | flags | reserved | payload      | pad |
 *   +--------+----------+----------+----------+------+-------+----------+--------- … --+-----+
 * </pre>
 *
 * <ul>
 *   <li>{@code length}: of header and payload, without the padding. 0 says that nothing was ever published here. It is
 *       stored last, with release: <b>a non-zero length publishes the frame.</b>
 *   <li>{@code checksum}: see {@link FrameChecksum}.
 *   <li>{@code sequence}: the record's number, 1 for the first of the log, one more for each record.
 *   <li>{@code unsynced}: this frame's position minus the position up to which the log was known to be synced when the
 *       frame was written; {@link #UNSYNCED_UNKNOWN} if that is 2 GiB or more. So each frame proves how far the log had
 *       been acknowledged as synced (the idea of Pebble's sync offset).
 *   <li>{@code pad}: zeros up to a multiple of 8, so that every length is aligned and its store atomic.
 * </ul>
 *
 * Part of the file format. Never change; add.
 */
public final class Frame {

    public static final int LENGTH_OFFSET = 0;
    public static final int CHECKSUM_OFFSET = 4;
    public static final int SEQUENCE_OFFSET = 8;
    public static final int UNSYNCED_OFFSET = 16;
    public static final int TYPE_OFFSET = 20;
    public static final int FLAGS_OFFSET = 21;

    /**
     * 2 bytes, 0 in all frames. A version that stores something else there, or has another type of frames, gives the
     * segment a required flag of {@link SegmentHeader}: where a frame is not met in its turn but searched for, as
     * behind damage, only a known type and zeros here tell it from other bytes.
     */
    public static final int RESERVED_OFFSET = 22;

    public static final int HEADER_LENGTH = 24;
    public static final int ALIGNMENT = 8;

    /** The value of {@code unsynced} that says nothing about how far the log was synced. */
    public static final int UNSYNCED_UNKNOWN = Integer.MAX_VALUE;

    /** A user's record. */
    public static final byte TYPE_RECORD = 1;

    /** The end of a segment: the log goes on at the start of the next one. The payload is the wall clock in ms. */
    public static final byte TYPE_SEAL = 2;

    /**
     * Flag: a commit was called between the record before this one and this one. Readers ignore flags that they do not
     * know. But a version with another one gives segments in files that were used again a required flag of {@link
     * SegmentHeader}: there {@link FrameScanner#endOfHeaders} takes nothing with an unknown flag for a header.
     */
    public static final byte FLAG_STARTS_COMMIT = 1;

    public static final int SEAL_PAYLOAD_LENGTH = 8;

    /** What every segment keeps free for its seal. */
    public static final int SEAL_LENGTH = HEADER_LENGTH + SEAL_PAYLOAD_LENGTH;

    /** Of the 8 bytes from {@code unsynced} on, as one number. */
    private static final int TYPE_SHIFT = 8 * (TYPE_OFFSET - UNSYNCED_OFFSET);

    private static final int FLAGS_SHIFT = 8 * (FLAGS_OFFSET - UNSYNCED_OFFSET);

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private Frame() {}

    /** The bytes that a frame of {@code length} takes in the log, padding included. */
    public static int aligned(int length) {
        return (length + (ALIGNMENT - 1)) & -ALIGNMENT;
    }

    /** The same, of more than one record. */
    public static long aligned(long length) {
        return (length + (ALIGNMENT - 1)) & -ALIGNMENT;
    }

    /** The largest payload that fits a segment of {@code segmentLength} bytes, which is a multiple of 8. */
    public static int maxPayload(int segmentLength) {
        return segmentLength - SegmentHeader.LENGTH - SEAL_LENGTH - HEADER_LENGTH;
    }

    /**
     * Writes everything but the length and the checksum. The last 8 bytes of the frame have to be zeroed before the
     * payload is put, see {@link #clearPadding}.
     */
    public static void putHeader(ByteBuffer buffer, int index, long sequence, int unsynced, byte type, byte flags) {
        putHeader(buffer, index, sequence, stateWord(unsynced, type, flags));
    }

    /** The same with {@code state} in place of the fields that {@link #stateWord} joins. */
    static void putHeader(ByteBuffer buffer, int index, long sequence, long state) {
        LONG.set(buffer, index + SEQUENCE_OFFSET, sequence);
        LONG.set(buffer, index + UNSYNCED_OFFSET, state);
    }

    /** The 8 bytes of a header from {@code unsynced} on. */
    public static long stateWord(int unsynced, byte type, byte flags) {
        return (unsynced & 0xFFFF_FFFFL) | (type & 0xFFL) << TYPE_SHIFT | (flags & 0xFFL) << FLAGS_SHIFT;
    }

    /** Read at once, so that the type and the flags of a frame are one load. */
    private static long stateWord(ByteBuffer buffer, int index) {
        return (long) LONG.get(buffer, index + UNSYNCED_OFFSET);
    }

    /** Zeroes the 8 bytes in which a frame's padding lies; what of them is payload is put afterwards. */
    static void clearPadding(ByteBuffer buffer, int index, int alignedLength) {
        LONG.set(buffer, index + alignedLength - ALIGNMENT, 0L);
    }

    /** Stores the checksum of the frame at {@code index}. */
    public static void putChecksum(ByteBuffer buffer, int index, int checksum) {
        INT.set(buffer, index + CHECKSUM_OFFSET, checksum);
    }

    /**
     * Makes the frame visible to every tailer of the mapped segment, in this and in other processes. Pairs with {@link
     * #lengthAcquire}: a thread that reads the length reads all that was stored before it.
     */
    public static void publishRelease(ByteBuffer direct, int index, int length) {
        INT.setRelease(direct, index, length);
    }

    /** The same for a private buffer, which no tailer looks into: writing it to the file publishes it. */
    public static void putLength(ByteBuffer buffer, int index, int length) {
        INT.set(buffer, index, length);
    }

    /** Pairs with {@link #publishRelease}. The buffer has to be direct. */
    public static int lengthAcquire(ByteBuffer direct, int index) {
        return (int) INT.getAcquire(direct, index);
    }

    /** The length word of the frame at {@code index}, read plainly. */
    public static int length(ByteBuffer buffer, int index) {
        return (int) INT.get(buffer, index);
    }

    /** The stored checksum of the frame at {@code index}. */
    public static int checksum(ByteBuffer buffer, int index) {
        return (int) INT.get(buffer, index + CHECKSUM_OFFSET);
    }

    /** The sequence of the frame at {@code index}. */
    public static long sequence(ByteBuffer buffer, int index) {
        return (long) LONG.get(buffer, index + SEQUENCE_OFFSET);
    }

    /** The type of the frame at {@code index}. */
    public static byte type(ByteBuffer buffer, int index) {
        return (byte) (stateWord(buffer, index) >>> TYPE_SHIFT);
    }

    /**
     * Throws if no reader of this version knows what the whole frame at {@code index} is.
     *
     * @param position of the frame in the log, for the message
     */
    public static void checkType(ByteBuffer buffer, int index, long position) {
        byte type = type(buffer, index);
        if (type != TYPE_RECORD && type != TYPE_SEAL) {
            throw UnsupportedFormatException.newer(
                    "",
                    "unsupported frame: type=" + type + ", position=" + position
                            + "; read it with the version of Persist that wrote it");
        }
    }

    /** The flags of the frame at {@code index}. */
    public static byte flags(ByteBuffer buffer, int index) {
        return (byte) (stateWord(buffer, index) >>> FLAGS_SHIFT);
    }

    /** The position up to which the log was synced when the frame at {@code position} was written; 0 if unknown. */
    public static long syncedPosition(ByteBuffer buffer, int index, long position) {
        int unsynced = unsynced(buffer, index);
        return unsynced == UNSYNCED_UNKNOWN || unsynced < 0 ? 0 : Math.max(0, position - unsynced);
    }

    /** The value of {@code unsynced} of the frame at {@code index}. */
    static int unsynced(ByteBuffer buffer, int index) {
        return (int) INT.get(buffer, index + UNSYNCED_OFFSET);
    }

    /** The value of {@code unsynced} for a frame at {@code position} of a log synced up to {@code synced}. */
    public static int unsynced(long position, long synced) {
        long bytes = position - synced;
        return bytes >= UNSYNCED_UNKNOWN ? UNSYNCED_UNKNOWN : (int) bytes;
    }

    /**
     * Whether a frame of {@code length} bytes may be so long, from whose start on the segment has {@code space}: only a
     * seal ends where the segment does, behind everything else there is space for one.
     */
    public static boolean leavesSpace(ByteBuffer buffer, int index, int length, int space) {
        return length <= space - SEAL_LENGTH || type(buffer, index) == TYPE_SEAL;
    }

    /** The wall clock in ms at which the segment was sealed, of a seal frame. */
    public static long sealTimeMs(ByteBuffer buffer, int index) {
        return (long) LONG.get(buffer, index + HEADER_LENGTH);
    }

    /** The payload of a seal. */
    public static byte[] sealPayload(long timeMs) {
        return ByteBuffer.allocate(SEAL_PAYLOAD_LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(timeMs)
                .array();
    }
}

package io.persist.format;

import io.persist.memory.MappedCrc;
import java.nio.ByteBuffer;

/**
 * The checksum of frames in one buffer: CRC32C over the stored bytes from {@code sequence} to the end of the payload,
 * exclusive-or a mix of the segment's salt, the frame's position and its length.
 *
 * <p>The mix does what seeding the CRC would, at the cost of three multiplications: a frame left from an earlier life
 * of a recycled file, one of another log, and one at a place where it was not written do not verify. The salt is
 * random, so an attacker who has not read the file cannot make a payload look like a frame.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none but in the constructor.
 */
public final class FrameChecksum {

    private final MappedCrc crc = new MappedCrc();
    private final ByteBuffer view;

    /** Whether the bytes are of no file, so that all of them are there. */
    private final boolean isOwn;

    /** A checksum over {@code buffer}, which may be mapped from a file; its position and limit are left alone. */
    public FrameChecksum(ByteBuffer buffer) {
        this(buffer, false);
    }

    private FrameChecksum(ByteBuffer buffer, boolean isOwn) {
        this.view = buffer.duplicate().clear();
        this.isOwn = isOwn;
    }

    /** The same of memory that is of no file: direct bytes need no copy. */
    public static FrameChecksum ofOwn(ByteBuffer buffer) {
        return new FrameChecksum(buffer, true);
    }

    /** The checksum of the frame of {@code length} bytes at {@code index}, which belongs to {@code position}. */
    public int of(int index, int length, long salt, long position) {
        int from = index + Frame.SEQUENCE_OFFSET;
        int to = index + length;
        int found = isOwn ? crc.ofOwn(view, from, to) : crc.of(view, from, to);
        return found ^ mix(salt, position, length);
    }

    /** The same of a copy of the whole frame, which it makes at the start of {@code target}. */
    public int ofCopy(int index, int length, long salt, long position, byte[] target) {
        return crc.ofCopy(view, index, target, 0, length, Frame.SEQUENCE_OFFSET) ^ mix(salt, position, length);
    }

    /** Ties a checksum to the place for which it is: the finalizer of MurmurHash3 (Appleby, public domain). */
    public static int mix(long salt, long position, int length) {
        long h = salt ^ (position * 0x9E3779B97F4A7C15L) ^ ((long) length << 32);
        h = (h ^ (h >>> 33)) * 0xFF51AFD7ED558CCDL;
        h = (h ^ (h >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return (int) (h ^ (h >>> 32));
    }
}

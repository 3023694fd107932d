package io.persist.support;

import io.persist.format.Frame;
import io.persist.format.FrameChecksum;
import io.persist.format.LogFileName;
import io.persist.format.PersistVersion;
import io.persist.format.SegmentHeader;
import io.persist.format.TransactionLayout;
import io.persist.log.segment.LogFiles;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Segments as a later version may write them: each frame has another type, or something in its reserved bytes. So they
 * have a required flag in their headers that this version does not know.
 */
public final class NewerSegments {

    /** The version that has written them. */
    public static final PersistVersion VERSION = new PersistVersion(0, 9, 0);

    private static final int UNKNOWN_FLAG = 1 << 7;
    private static final byte UNKNOWN_TYPE = 3;
    private static final byte UNKNOWN_CHANGE = 4;

    private NewerSegments() {}

    /** The segments from the one at {@code base} on are of a later version. */
    public static void make(CrashableStorage storage, long base) {
        try {
            for (long newer : LogFiles.basePositions(storage).tailSet(base)) {
                String name = LogFileName.segment(newer);
                byte[] bytes = storage.content(name);
                makeFrames(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
                change(bytes, header -> flag(header, UNKNOWN_FLAG));
                storage.replace(name, bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void makeFrames(ByteBuffer segment) {
        int at = SegmentHeader.LENGTH;
        while (at + Frame.HEADER_LENGTH <= segment.capacity() && Frame.length(segment, at) > 0) {
            if (Frame.sequence(segment, at) % 2 == 0) {
                segment.put(at + Frame.TYPE_OFFSET, UNKNOWN_TYPE);
            } else {
                segment.putShort(at + Frame.RESERVED_OFFSET, (short) 1);
            }
            sign(segment, at);
            at += Frame.aligned(Frame.length(segment, at));
        }
    }

    /** Gives the frame at {@code at} of a segment another type, of which its header does not tell. */
    public static void makeFrame(byte[] segment, int at) {
        segment[at + Frame.TYPE_OFFSET] = UNKNOWN_TYPE;
        sign(ByteBuffer.wrap(segment).order(ByteOrder.LITTLE_ENDIAN), at);
    }

    /** The same for the transaction that is the record at {@code at}. */
    public static void makeTransaction(byte[] segment, int at) {
        segment[at + Frame.HEADER_LENGTH + TransactionLayout.TYPE_OFFSET] = UNKNOWN_TYPE;
        sign(ByteBuffer.wrap(segment).order(ByteOrder.LITTLE_ENDIAN), at);
    }

    /** The same for change number {@code number}, from 0 on, of that transaction. */
    public static void makeChange(byte[] segment, int at, int number) {
        ByteBuffer bytes = ByteBuffer.wrap(segment).order(ByteOrder.LITTLE_ENDIAN);
        int entry = at + Frame.HEADER_LENGTH + TransactionLayout.HEADER_LENGTH;
        for (int i = 0; i < number; i++) {
            entry = TransactionLayout.next(bytes, entry);
        }
        segment[entry + TransactionLayout.ENTRY_TYPE_OFFSET] = UNKNOWN_CHANGE;
        sign(bytes, at);
    }

    private static void sign(ByteBuffer segment, int at) {
        long salt = segment.getLong(SegmentHeader.SALT_OFFSET);
        long position = segment.getLong(SegmentHeader.BASE_POSITION_OFFSET) + at;
        Frame.putChecksum(segment, at, new FrameChecksum(segment).of(at, Frame.length(segment, at), salt, position));
    }

    /** Gives the header of the segment at {@code base} one more flag. */
    public static void flag(CrashableStorage storage, long base, int flag) {
        header(storage, base, header -> flag(header, flag));
    }

    private static void flag(ByteBuffer header, int flag) {
        header.putInt(SegmentHeader.FLAGS_OFFSET, header.getInt(SegmentHeader.FLAGS_OFFSET) | flag);
        VERSION.put(header, SegmentHeader.WRITTEN_BY_OFFSET);
    }

    /** Does {@code change} to the header of the segment at {@code base}, whose checksum is right again then. */
    public static void header(CrashableStorage storage, long base, Consumer<ByteBuffer> change) {
        String name = LogFileName.segment(base);
        byte[] bytes = storage.content(name);
        change(bytes, change);
        storage.replace(name, bytes);
    }

    private static void change(byte[] segment, Consumer<ByteBuffer> change) {
        ByteBuffer header = ByteBuffer.wrap(segment).order(ByteOrder.LITTLE_ENDIAN);
        change.accept(header);
        CRC32C crc = new CRC32C();
        crc.update(segment, 0, SegmentHeader.CHECKSUM_OFFSET);
        header.putInt(SegmentHeader.CHECKSUM_OFFSET, (int) crc.getValue());
    }
}

package io.persist.support;

import io.persist.format.Frame;
import io.persist.format.FrameChecksum;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.segment.LogFiles;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Segments as a later version may write them: each frame has another type, or something in its reserved bytes. So they
 * have a required flag in their headers that this version does not know.
 */
public final class NewerSegments {

    private static final int UNKNOWN_FLAG = 1 << 7;
    private static final byte UNKNOWN_TYPE = 3;

    private NewerSegments() {}

    /** The segments from the one at {@code base} on are of a later version. */
    public static void make(CrashableStorage storage, long base) {
        try {
            for (long newer : LogFiles.list(storage).basePositions().tailSet(base)) {
                String name = LogFileName.segment(newer);
                byte[] bytes = storage.content(name);
                makeFrames(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), newer);
                makeHeader(bytes);
                storage.replace(name, bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void makeFrames(ByteBuffer segment, long base) {
        long salt = segment.getLong(SegmentHeader.SALT_OFFSET);
        FrameChecksum checksum = new FrameChecksum(segment);
        int at = SegmentHeader.LENGTH;
        while (at + Frame.HEADER_LENGTH <= segment.capacity() && Frame.length(segment, at) > 0) {
            int length = Frame.length(segment, at);
            if (Frame.sequence(segment, at) % 2 == 0) {
                segment.put(at + Frame.TYPE_OFFSET, UNKNOWN_TYPE);
            } else {
                segment.putShort(at + Frame.RESERVED_OFFSET, (short) 1);
            }
            Frame.putChecksum(segment, at, checksum.of(at, length, salt, base + at));
            at += Frame.aligned(length);
        }
    }

    private static void makeHeader(byte[] segment) {
        ByteBuffer header = ByteBuffer.wrap(segment).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(SegmentHeader.FLAGS_OFFSET, header.getInt(SegmentHeader.FLAGS_OFFSET) | UNKNOWN_FLAG);
        CRC32C crc = new CRC32C();
        crc.update(segment, 0, SegmentHeader.CHECKSUM_OFFSET);
        header.putInt(SegmentHeader.CHECKSUM_OFFSET, (int) crc.getValue());
    }
}

package io.persist.tool.salvage;

import io.persist.archive.DirectorySink;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.Frame;
import io.persist.format.FrameWriter;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.control.NewControlBlock;
import io.persist.log.LogContent;
import io.persist.log.segment.SegmentFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Writes a new log of records that have their sequences already. Where sequences are missing it puts a vacated segment,
 * so that readers go on behind it. Files get their names as a {@link DirectorySink} gives them, when all of them are
 * written and synced; a close before that removes them. Who makes one holds the directory.
 */
final class SalvagedSegments implements AutoCloseable {

    private final DirectorySink files;
    private final long logId = SegmentFactory.newLogId();
    private final long nowMs = System.currentTimeMillis();
    private final SecureRandom random = new SecureRandom();
    private ByteBuffer frame = ByteBuffer.allocate(64 << 10).order(ByteOrder.LITTLE_ENDIAN);
    private final FrameWriter frames = new FrameWriter(frame);
    private LogContent content = LogContent.MESSAGES;
    private @Nullable StorageFile file;
    private long base;
    private long salt;
    private int limit;
    private int offset;
    private long due;

    SalvagedSegments(Storage storage) {
        this.files = new DirectorySink(storage);
    }

    /** Appends the record whose frame is at {@code from} of a segment of the old log. */
    void append(SegmentHeader header, ByteBuffer segment, int from) throws IOException {
        int length = Frame.length(segment, from);
        int aligned = Frame.aligned(length);
        long sequence = Frame.sequence(segment, from);
        content = header.content();
        if (file != null && due != sequence) {
            seal();
            begin(SegmentHeader.MIN_SEGMENT_LENGTH);
            due = sequence;
            seal(SegmentHeader.FLAG_VACATED);
        } else if (file != null && offset + aligned + Frame.SEAL_LENGTH > limit) {
            seal();
        }
        if (file == null) {
            begin(Math.max(header.segmentLength(), SegmentHeader.LENGTH + aligned + Frame.SEAL_LENGTH));
        }
        long state = Frame.stateWord(0, Frame.TYPE_RECORD, Frame.flags(segment, from));
        write(sequence, state, segment, from + Frame.HEADER_LENGTH, length - Frame.HEADER_LENGTH);
        due = sequence + 1;
    }

    private void write(long sequence, long state, ByteBuffer payload, int from, int length) throws IOException {
        int aligned = Frame.aligned(Frame.HEADER_LENGTH + length);
        if (frame.capacity() < aligned) {
            frame = ByteBuffer.allocate(aligned).order(ByteOrder.LITTLE_ENDIAN);
        }
        frames.moveTo(frame, salt, base + offset);
        frames.put(0, sequence, state, payload, from, length);
        frames.publish(0, Frame.HEADER_LENGTH + length);
        open().write(offset, frame.array(), 0, aligned, WriteThrough.NONE);
        offset += aligned;
    }

    private StorageFile open() {
        StorageFile opened = file;
        if (opened == null) {
            throw new IllegalStateException("no segment is begun");
        }
        return opened;
    }

    private void begin(int length) throws IOException {
        file = files.create(LogFileName.segment(base));
        salt = random.nextLong();
        limit = length;
        offset = SegmentHeader.LENGTH;
    }

    private void seal() throws IOException {
        seal(0);
    }

    /** Ends the segment, which is as long as what is in it, and no shorter than a segment may be. */
    private void seal(int flags) throws IOException {
        long state = Frame.stateWord(0, Frame.TYPE_SEAL, (byte) 0);
        write(due, state, ByteBuffer.wrap(Frame.sealPayload(nowMs)), 0, Frame.SEAL_PAYLOAD_LENGTH);
        StorageFile sealed = open();
        int length = Math.max(SegmentHeader.MIN_SEGMENT_LENGTH, offset);
        byte[] header = new SegmentHeader(base, length, salt, logId, nowMs, content, flags).encode();
        sealed.write(0, header, 0, header.length, WriteThrough.NONE);
        byte[] rest = new byte[length - offset];
        sealed.write(offset, rest, 0, rest.length, WriteThrough.NONE);
        sealed.sync();
        sealed.close();
        file = null;
        base += length;
    }

    /** Makes the log one that survives a power cut; nothing is there if no record was appended. */
    void finish() throws IOException {
        if (file != null) {
            seal();
        }
        files.begin(LogFileName.CONTROL).write(NewControlBlock.encodeSynced(logId, base));
        files.end();
        files.commit();
    }

    @Override
    public void close() {
        files.close(); // and the segment that was begun last
    }
}

package io.persist.log.read.window;

import io.persist.file.StorageFile;
import io.persist.format.Frame;
import io.persist.format.FrameChecksum;
import io.persist.format.SegmentHeader;
import io.persist.log.ReadMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * {@link ReadMode#FILE}. It reads little at first, and where nothing was written yet: each read copies what it is asked
 * for, zeros too. As long as the reader uses all that it gets, it reads more each time, and verifies some frames in one
 * loop: then the CPU begins the checksum of a frame before that of the one before it has ended.
 */
final class FileWindow extends ReadWindow {

    private static final int FIRST_LENGTH = 8192;

    /** Bytes that are verified at once: they are still in the nearest cache when the reader gets to them. */
    private static final int VERIFIED_LENGTH = 8192;

    private final StorageFile file;
    private final int mostLength;
    private final int firstLength;
    private final ByteBuffer saltNow = ByteBuffer.wrap(new byte[Long.BYTES]).order(ByteOrder.LITTLE_ENDIAN);
    private final ReadMemory memory;
    private final RecordRun run;
    private final int segmentLength;
    private ByteBuffer buffer;
    private FrameChecksum checksum;

    /** The segment's offset of the buffer's first byte. */
    private int shift;

    private int filled;

    /** What was asked for when it was filled, at the end of the file more than there was. */
    private int asked;

    /** Whether it was filled because the reader had used what was there before. */
    private boolean goesOn;

    FileWindow(StorageFile file, SegmentHeader header, ReadMemory memory) {
        this.file = file;
        this.segmentLength = header.segmentLength();
        this.run = memory.run();
        this.mostLength = Math.max(memory.mostLength(), Frame.HEADER_LENGTH);
        this.firstLength = Math.min(this.mostLength, FIRST_LENGTH);
        this.memory = memory;
        this.buffer = memory.ofLength(firstLength);
        this.checksum = FrameChecksum.ofOwn(buffer);
    }

    @Override
    ByteBuffer buffer() {
        return buffer;
    }

    /** Whether nothing was published at {@code offset} when it was read. */
    boolean hasEndedAt(int offset) {
        return holds(offset, Frame.HEADER_LENGTH) && Frame.length(buffer, offset - shift) == 0;
    }

    @Override
    int frameLength(int offset) throws IOException {
        if (!holds(offset, Frame.HEADER_LENGTH)) {
            fillMore(offset, Frame.HEADER_LENGTH);
        } else if (Frame.length(buffer, offset - shift) == 0) {
            fill(offset, firstLength); // what was zero when it was read may have been written since
        }
        return holds(offset, Frame.HEADER_LENGTH) ? Frame.length(buffer, offset - shift) : 0;
    }

    @Override
    int load(int offset, int length, long salt, long position) throws IOException {
        if (!holds(offset, length)) {
            fillMore(offset, length);
        }
        int index = offset - shift;
        if (!isWhole(index, length, salt, position)) {
            return -1;
        }
        int next = index + Frame.aligned(length);
        run.begin(buffer, next, position + next - index, Frame.sequence(buffer, index) + 1);
        if (goesOn) {
            verifyAhead(next, index + VERIFIED_LENGTH, salt, position - index);
        }
        return index;
    }

    private boolean isWhole(int index, int length, long salt, long position) {
        return checksum.of(index, length, salt, position) == Frame.checksum(buffer, index);
    }

    /**
     * Verifies the records that follow from index {@code from} on, up to {@code to} or the first that is something
     * else, or not all there. {@code base} is the position of index 0.
     */
    private void verifyAhead(int from, int to, long salt, long base) {
        int index = from;
        while (index < to && index <= filled - Frame.HEADER_LENGTH) {
            int length = Frame.length(buffer, index);
            int most = Math.min(filled - index, segmentLength - Frame.SEAL_LENGTH - shift - index);
            boolean isDue = length >= Frame.HEADER_LENGTH
                    && length <= most
                    && Frame.sequence(buffer, index) == run.nextAdded()
                    && Frame.type(buffer, index) == Frame.TYPE_RECORD;
            if (!isDue || !isWhole(index, length, salt, base + index) || !run.add(length, Frame.flags(buffer, index))) {
                return;
            }
            index += Frame.aligned(length);
        }
    }

    @Override
    void forget() {
        filled = 0;
        run.clear();
    }

    private boolean holds(int offset, int length) {
        return offset >= shift && offset + length <= shift + filled;
    }

    /** Twice as much as before, if the reader has used that up and goes on behind it. */
    private void fillMore(int offset, int needed) throws IOException {
        boolean usedUp = filled == asked && offset > shift && offset <= shift + filled;
        int length = usedUp ? (int) Math.min(2L * asked, mostLength) : firstLength;
        fill(offset, Math.max(length, needed));
        goesOn = usedUp;
    }

    private void fill(int offset, int length) throws IOException {
        forget(); // until it is read
        if (length > buffer.capacity()) {
            buffer = memory.ofLength(length);
            checksum = FrameChecksum.ofOwn(buffer);
        }
        shift = offset;
        asked = length;
        goesOn = false;
        filled = file.readFully(offset, buffer, length);
    }

    @Override
    long saltNow() throws IOException {
        int read = file.read(SegmentHeader.SALT_OFFSET, saltNow.array(), 0, Long.BYTES);
        return read == Long.BYTES ? saltNow.getLong(0) : 0;
    }

    @Override
    public void close() {
        run.clear();
        file.close();
    }
}

package io.persist.log;

import io.persist.file.Mapping;
import io.persist.file.StorageFile;
import io.persist.format.Frame;
import io.persist.format.SegmentHeader;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The memory in which a tailer looks at one segment: the mapped segment, or a buffer that is read from the file. The
 * byte at index {@code i} of the buffer belongs to offset {@code i + shift()} of the segment.
 */
abstract sealed class ReadWindow implements AutoCloseable {

    abstract ByteBuffer buffer();

    abstract int shift();

    /** The length of the frame at {@code offset} as it stands now; 0 if none was published. */
    abstract int frameLength(int offset) throws IOException;

    /** Makes the whole frame addressable; returns its index in the buffer. */
    abstract int load(int offset, int length) throws IOException;

    /** Forgets what was read ahead: it may have been read before it was whole. */
    abstract void forget();

    /** The salt that the segment's header holds now. */
    abstract long saltNow() throws IOException;

    @Override
    public abstract void close();

    /** {@link ReadMode#MAPPED}. */
    static final class Mapped extends ReadWindow {

        private final Mapping mapping;

        Mapped(Mapping mapping) {
            this.mapping = mapping;
        }

        @Override
        ByteBuffer buffer() {
            return mapping.buffer();
        }

        @Override
        int shift() {
            return 0;
        }

        @Override
        int frameLength(int offset) {
            return Frame.lengthAcquire(mapping.buffer(), offset);
        }

        @Override
        int load(int offset, int length) {
            return offset;
        }

        @Override
        void forget() {
            // The mapping shows what is there now.
        }

        @Override
        long saltNow() {
            // What was read of a record before comes first. Whoever recycles the file writes over its header first.
            VarHandle.acquireFence();
            return mapping.buffer().getLong(SegmentHeader.SALT_OFFSET);
        }

        @Override
        public void close() {
            mapping.close();
        }
    }

    /** {@link ReadMode#FILE}. */
    static final class Buffered extends ReadWindow {

        private final StorageFile file;
        private final ByteBuffer salt = wrap(new byte[Long.BYTES]);
        private byte[] array;
        private ByteBuffer buffer;
        private int shift;
        private int filled;

        Buffered(StorageFile file, int length) {
            this.file = file;
            this.array = new byte[Math.max(length, Frame.HEADER_LENGTH)];
            this.buffer = wrap(array);
        }

        @Override
        ByteBuffer buffer() {
            return buffer;
        }

        @Override
        int shift() {
            return shift;
        }

        @Override
        int frameLength(int offset) throws IOException {
            if (holds(offset, Frame.HEADER_LENGTH) && Frame.length(buffer, offset - shift) != 0) {
                return Frame.length(buffer, offset - shift);
            }
            // What was zero when it was read may have been written since.
            fill(offset, Frame.HEADER_LENGTH);
            return holds(offset, Frame.HEADER_LENGTH) ? Frame.length(buffer, offset - shift) : 0;
        }

        @Override
        int load(int offset, int length) throws IOException {
            if (!holds(offset, length)) {
                fill(offset, length);
            }
            return offset - shift;
        }

        @Override
        void forget() {
            filled = 0;
        }

        private boolean holds(int offset, int length) {
            return offset >= shift && offset + length <= shift + filled;
        }

        private void fill(int offset, int needed) throws IOException {
            if (needed > array.length) {
                array = new byte[needed];
                buffer = wrap(array);
            }
            shift = offset;
            filled = 0;
            while (filled < array.length) {
                int now = file.read((long) offset + filled, array, filled, array.length - filled);
                if (now == 0) {
                    return;
                }
                filled += now;
            }
        }

        @Override
        long saltNow() throws IOException {
            int read = file.read(SegmentHeader.SALT_OFFSET, salt.array(), 0, Long.BYTES);
            return read == Long.BYTES ? salt.getLong(0) : 0;
        }

        @Override
        public void close() {
            file.close();
        }

        private static ByteBuffer wrap(byte[] array) {
            return ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN);
        }
    }
}

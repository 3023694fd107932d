package io.persist.log.read;

import io.persist.file.Mapping;
import io.persist.file.StorageFile;
import io.persist.format.Frame;
import io.persist.format.FrameChecksum;
import io.persist.format.SegmentHeader;
import io.persist.log.ReadMode;
import io.persist.memory.ReusedBuffer;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a tailer sees of one segment: a buffer over an array, to which frames come from the mapped segment or from the
 * file. The array is what is verified and what the caller gets, so that nothing can happen to the file in between; and
 * no memory of a file is ever given away.
 */
abstract sealed class ReadWindow implements AutoCloseable {

    /** Has an array; another buffer may take its place with each frame that is loaded. */
    abstract ByteBuffer buffer();

    /** The length of the frame at {@code offset} as it stands now; 0 if none was published. */
    abstract int frameLength(int offset) throws IOException;

    /** Loads the frame that belongs to {@code position}; returns its index in the buffer, -1 if it is not whole. */
    abstract int load(int offset, int length, long salt, long position) throws IOException;

    /** Forgets what was read ahead: it may have been read before it was whole. */
    abstract void forget();

    /** The salt that the segment's header holds now. */
    abstract long saltNow() throws IOException;

    @Override
    public abstract void close();

    /**
     * {@link ReadMode#MAPPED}. While the reader is far behind it reads the file, which takes less than the page faults
     * of a mapping, until it has come to the end. From there on it needs no system call.
     */
    static final class Mixed extends ReadWindow {

        /** Bytes in one go after which a reader is taken to be behind. */
        static final int BEHIND_LENGTH = 64 << 10;

        private final Mapped mapped;
        private final Buffered buffered;
        private ReadWindow current;

        /** Where it last found the end, or began. */
        private int from;

        Mixed(Mapped mapped, Buffered buffered) {
            this.mapped = mapped;
            this.buffered = buffered;
            this.current = mapped;
        }

        @Override
        ByteBuffer buffer() {
            return current.buffer();
        }

        @Override
        int frameLength(int offset) throws IOException {
            boolean isBehind = current == buffered && !buffered.hasEndedAt(offset);
            int length = isBehind ? buffered.frameLength(offset) : 0;
            if (length != 0) {
                return length;
            }
            length = mapped.frameLength(offset);
            if (current == buffered || length == 0 || offset < from) {
                current = mapped;
                from = offset;
            } else if (offset - from >= BEHIND_LENGTH) {
                current = buffered;
            }
            return length;
        }

        @Override
        int load(int offset, int length, long salt, long position) throws IOException {
            return current.load(offset, length, salt, position);
        }

        @Override
        void forget() {
            buffered.forget();
            current = mapped;
        }

        @Override
        long saltNow() throws IOException {
            return mapped.saltNow();
        }

        @Override
        public void close() {
            try (mapped) {
                buffered.close();
            }
        }
    }

    /** The mapping alone. */
    static final class Mapped extends ReadWindow {

        private final Mapping mapping;
        private final FrameChecksum checksum;
        private final ReusedBuffer copies = new ReusedBuffer();
        private ByteBuffer copy = copies.ofLength(0);

        Mapped(Mapping mapping) {
            this.mapping = mapping;
            this.checksum = new FrameChecksum(mapping.buffer());
        }

        @Override
        ByteBuffer buffer() {
            return copy;
        }

        @Override
        int frameLength(int offset) {
            return Frame.lengthAcquire(mapping.buffer(), offset);
        }

        @Override
        int load(int offset, int length, long salt, long position) {
            copy = copies.ofLength(length);
            int found = checksum.ofCopy(offset, length, salt, position, copy.array());
            Frame.putLength(copy, 0, length); // the one that is part of the checksum
            return found == Frame.checksum(copy, 0) ? 0 : -1;
        }

        @Override
        void forget() {
            // The mapping shows what is there now.
        }

        @Override
        long saltNow() {
            // The record was read before this. A writer that recycles the file overwrites its header first.
            VarHandle.acquireFence();
            return mapping.buffer().getLong(SegmentHeader.SALT_OFFSET);
        }

        @Override
        public void close() {
            mapping.close();
        }
    }

    /**
     * {@link ReadMode#FILE}. It reads little at first, and where nothing was written yet: each read copies what it is
     * asked for, zeros too. As long as the reader uses all that it gets, it reads more each time.
     */
    static final class Buffered extends ReadWindow {

        private static final int FIRST_LENGTH = 8192;

        private final StorageFile file;
        private final int mostLength;
        private final int firstLength;
        private final ByteBuffer salt = wrap(new byte[Long.BYTES]);
        private final ReusedBuffer memory;
        private ByteBuffer buffer;
        private FrameChecksum checksum;

        /** The segment's offset of the array's first byte. */
        private int shift;

        private int filled;

        /** What was asked for when it was filled, at the end of the file more than there was. */
        private int asked;

        Buffered(StorageFile file, ReadMemory memory) {
            this.file = file;
            this.mostLength = Math.max(memory.mostLength(), Frame.HEADER_LENGTH);
            this.firstLength = Math.min(this.mostLength, FIRST_LENGTH);
            this.memory = memory.buffer();
            this.buffer = this.memory.ofLength(firstLength);
            this.checksum = new FrameChecksum(buffer);
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
            return checksum.of(index, length, salt, position) == Frame.checksum(buffer, index) ? index : -1;
        }

        @Override
        void forget() {
            filled = 0;
        }

        private boolean holds(int offset, int length) {
            return offset >= shift && offset + length <= shift + filled;
        }

        /** Twice as much as before, if the reader has used that up and goes on behind it. */
        private void fillMore(int offset, int needed) throws IOException {
            boolean goesOn = filled == asked && offset > shift && offset <= shift + filled;
            int length = goesOn ? (int) Math.min(2L * asked, mostLength) : firstLength;
            fill(offset, Math.max(length, needed));
        }

        private void fill(int offset, int length) throws IOException {
            if (length > buffer.capacity()) {
                buffer = memory.ofLength(length);
                checksum = new FrameChecksum(buffer);
            }
            shift = offset;
            filled = 0; // until it is read
            asked = length;
            filled = file.readFully(offset, buffer.array(), 0, length);
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

package io.persist.log.read.window;

import io.persist.file.Mapping;
import io.persist.format.Frame;
import io.persist.format.FrameChecksum;
import io.persist.format.SegmentHeader;
import io.persist.log.ReadMode;
import io.persist.memory.ReusedBuffer;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * What a tailer sees of one segment: a buffer of this process's own memory, to which frames come from the mapped
 * segment or from the file. That is what is verified and what the caller gets, so that nothing can happen to the file
 * in between; and no memory of a file is ever given away.
 */
abstract sealed class ReadWindow implements AutoCloseable permits FileWindow, ReadWindow.Mapped, ReadWindow.Mixed {

    /** Another buffer may take its place with each frame that is loaded. */
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
        private final FileWindow fileWindow;
        private ReadWindow current;

        /** Where it last found the end, or began. */
        private int from;

        Mixed(Mapped mapped, FileWindow fileWindow) {
            this.mapped = mapped;
            this.fileWindow = fileWindow;
            this.current = mapped;
        }

        @Override
        ByteBuffer buffer() {
            return current.buffer();
        }

        @Override
        int frameLength(int offset) throws IOException {
            boolean isBehind = current == fileWindow && !fileWindow.hasEndedAt(offset);
            int length = isBehind ? fileWindow.frameLength(offset) : 0;
            if (length != 0) {
                return length;
            }
            length = mapped.frameLength(offset);
            if (current == fileWindow || length == 0 || offset < from) {
                current = mapped;
                from = offset;
            } else if (offset - from >= BEHIND_LENGTH) {
                current = fileWindow;
            }
            return length;
        }

        @Override
        int load(int offset, int length, long salt, long position) throws IOException {
            return current.load(offset, length, salt, position);
        }

        @Override
        void forget() {
            fileWindow.forget();
            current = mapped;
        }

        @Override
        long saltNow() throws IOException {
            return mapped.saltNow();
        }

        @Override
        public void close() {
            try (mapped) {
                fileWindow.close();
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
            // The record was read before this. A writer that recycles the file overwrites its header first, by a call
            // of the system, and zeros come by a later one of another thread: SegmentFactory.create,
            // FilledSpace.fillTo.
            VarHandle.acquireFence();
            return mapping.buffer().getLong(SegmentHeader.SALT_OFFSET);
        }

        @Override
        public void close() {
            mapping.close();
        }
    }
}

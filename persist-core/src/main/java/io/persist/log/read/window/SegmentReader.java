package io.persist.log.read.window;

import io.persist.file.Mapping;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.ReadMode;
import io.persist.log.segment.LogFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A segment as a tailer holds it. */
public final class SegmentReader implements AutoCloseable {

    private final Storage storage;
    private final SegmentHeader header;
    private final ReadWindow window;

    private SegmentReader(Storage storage, SegmentHeader header, ReadWindow window) {
        this.storage = storage;
        this.header = header;
        this.window = window;
    }

    /** Opens the segment at {@code basePosition}, to be read into {@code memory}; null if there is no such file. */
    public static @Nullable SegmentReader open(Storage storage, long basePosition, ReadMemory memory)
            throws IOException {
        try {
            SegmentReader reader = null;
            while (reader == null) {
                StorageFile file = storage.open(LogFileName.segment(basePosition), Storage.Access.READ);
                reader = open(storage, file, basePosition, memory);
            }
            return reader;
        } catch (FileNotFoundException e) { // or it was taken away between the two
            return null;
        }
    }

    /**
     * Null if another file has taken the name meanwhile, as compaction has it. The header, the mapping and what is read
     * into direct memory come by three openings of one name, which have to be of one file.
     */
    private static @Nullable SegmentReader open(Storage storage, StorageFile file, long basePosition, ReadMemory memory)
            throws IOException {
        try (Opening opening = new Opening()) {
            opening.add(file, StorageFile::close);
            SegmentHeader header = LogFiles.readHeader(storage, file, basePosition);
            if (!isReadInto(memory.word(), file, header)) {
                return null;
            }
            FileWindow fileWindow = new FileWindow(file, header, memory);
            if (memory.mode() == ReadMode.FILE) {
                return opening.done(new SegmentReader(storage, header, fileWindow));
            }
            Mapping mapping = LogFiles.map(file, header);
            if (mapping == null) {
                return null;
            }
            ReadWindow window = new ReadWindow.Mixed(new ReadWindow.Mapped(mapping), fileWindow);
            return opening.done(new SegmentReader(storage, header, window));
        }
    }

    /** Whether what is read of the file into direct memory is the segment of {@code header}. */
    private static boolean isReadInto(ByteBuffer word, StorageFile file, SegmentHeader header) throws IOException {
        return file.read(SegmentHeader.SALT_OFFSET, word, 0, Long.BYTES) == Long.BYTES
                && word.getLong(0) == header.salt();
    }

    /** The header, as it was when the segment was opened. */
    public SegmentHeader header() {
        return header;
    }

    /** The name of the segment's file. */
    public String name() {
        return LogFileName.segment(header.basePosition());
    }

    /** The length that the frame at {@code offset} says; 0 as long as none is published there. */
    public int frameLength(int offset) throws IOException {
        return window.frameLength(offset);
    }

    /** Loads the frame of {@code length} bytes at {@code offset}; returns its index in the buffer, -1 if it is none. */
    private int load(int offset, int length) throws IOException {
        int space = header.segmentLength() - offset;
        if (length < Frame.HEADER_LENGTH || length > space) {
            return -1;
        }
        int index = window.load(offset, length, header.salt(), header.basePosition() + offset);
        return index >= 0 && Frame.leavesSpace(buffer(), index, length, space) ? index : -1;
    }

    /** The same; if it is none, what is there now: it may have been read ahead before it was whole. */
    public int loadWhole(int offset, int length) throws IOException {
        int index = load(offset, length);
        if (index < 0) {
            forget();
            index = load(offset, frameLength(offset));
        }
        return index;
    }

    /** Forgets what was read ahead. */
    public void forget() {
        window.forget();
    }

    /** The memory in which the frame is that was loaded last. */
    public ByteBuffer buffer() {
        return window.buffer();
    }

    /** Whether the file has begun another life since it was opened. */
    public boolean hasBegunAnew() throws IOException {
        return window.saltNow() != header.salt();
    }

    /** Whether the file has begun another life since it was opened, or is gone. */
    public boolean isRetired() throws IOException {
        try {
            return !LogFiles.header(storage, header.basePosition()).equals(header);
        } catch (FileNotFoundException e) {
            return true;
        }
    }

    @Override
    public void close() {
        window.close();
    }
}

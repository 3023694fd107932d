package io.persist.log.segment;

import io.persist.file.Mapping;
import io.persist.file.StorageFile;
import io.persist.format.SegmentHeader;
import io.persist.log.WriteMode;
import io.persist.log.thread.Turn;
import io.persist.memory.PageProbe;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A segment as the writer holds it: open, and mapped in {@link WriteMode#MAPPED} until it is sealed.
 *
 * <p><b>Threads:</b> as each method says.
 */
public final class Segment {

    private final SegmentHeader header;
    private final long identity;
    private final StorageFile file;
    private final StorageFile fillFile;
    private final @Nullable Mapping mapping;
    private final PageProbe probe = new PageProbe();

    /** Held by the thread that forces the mapping, so that it is not unmapped meanwhile. */
    private final Turn forcing = new Turn();

    /** Guarded by {@link #forcing}. */
    private boolean isUnmapped;

    private final boolean hasBlocks;

    /** Stored before the position behind the segment is published, for threads that have seen that. */
    private long lastRecord;

    /**
     * A segment with the open {@code file}.
     *
     * @param identity of the file, as {@code Storage} has it; 0 if it is not known
     * @param fillFile for the thread that fills: {@code file} itself if the appender does not write to that
     * @param hasBlocks whether the file has had blocks on the device under all of its bytes
     */
    Segment(
            SegmentHeader header,
            long identity,
            StorageFile file,
            StorageFile fillFile,
            @Nullable Mapping mapping,
            boolean hasBlocks) {
        this.header = header;
        this.identity = identity;
        this.file = file;
        this.fillFile = fillFile;
        this.mapping = mapping;
        this.hasBlocks = hasBlocks;
    }

    /** The header, as it was written when the segment was made. */
    public SegmentHeader header() {
        return header;
    }

    /** What tells the segment's file from one that takes its name; 0 if it is not known. */
    public long identity() {
        return identity;
    }

    /** The segment is about to be sealed, and its last record begins at {@code position}. The thread that appends. */
    public void lastRecord(long position) {
        lastRecord = position;
    }

    /** Where the last record begins, 0 if that is not known. Any thread that has seen the log go on behind it. */
    public long lastRecord() {
        return lastRecord;
    }

    /** For the thread that appends; any thread may sync it. */
    public StorageFile file() {
        return file;
    }

    /** For the thread that fills. */
    public StorageFile fillFile() {
        return fillFile;
    }

    /** The position of the segment's first byte. */
    public long basePosition() {
        return header.basePosition();
    }

    /** The position after the segment's last byte. */
    public long endPosition() {
        return header.endPosition();
    }

    /** Whether the segment is mapped, as it is in {@code MAPPED} mode. */
    public boolean isMapped() {
        return mapping != null;
    }

    /** The segment's bytes; only of a mapped one that is not sealed. */
    public ByteBuffer mappedBytes() {
        if (mapping == null) {
            throw new AssertionError("segment is not mapped, base=" + basePosition());
        }
        return mapping.buffer();
    }

    /**
     * Makes the bytes between the two positions, which lie in this segment, survive a power cut. One thread at a time.
     *
     * @throws InternalError if the file was cut there, or the device cannot read it
     */
    public void sync(long from, long to) throws IOException {
        if (mapping != null && forceMapping(mapping, (int) (from - basePosition()), (int) (to - basePosition()))) {
            return;
        }
        if (mapping != null) {
            checkLength();
        }
        if (mapping == null && to < endPosition()) {
            file.sync(from - basePosition(), to - basePosition()); // and not the zeros ahead, which records overwrite
        } else {
            file.sync();
        }
    }

    private boolean forceMapping(Mapping mapped, int from, int to) throws IOException {
        try {
            forcing.take();
            try {
                if (isUnmapped) {
                    return false;
                }
                probe.check(mapped.buffer(), from, to);
                mapped.force(from, to - from);
                return true;
            } finally {
                forcing.giveBack();
            }
        } finally {
            forcing.giveBack(); // see Turn
        }
    }

    /** Of an unmapped segment no page can be found missing: the sync of a file that was cut says nothing of it. */
    private void checkLength() throws IOException {
        long length = file.length();
        if (length < header.segmentLength()) {
            throw new IOException(
                    "segment " + basePosition() + " was cut: length=" + length + ", needed=" + header.segmentLength());
        }
    }

    /**
     * Unmaps the segment, into which no thread stores any more: to write back mapped pages the kernel protects each of
     * them and interrupts every core that runs this process. It does nothing while another thread forces the segment.
     */
    public void unmap() {
        if (mapping == null) {
            return;
        }
        try {
            if (!forcing.tryTake()) {
                return;
            }
            try {
                drop();
            } finally {
                forcing.giveBack();
            }
        } finally {
            forcing.giveBack(); // see Turn
        }
    }

    /** By a thread that has the turn. */
    private void drop() {
        isUnmapped = true;
        if (mapping != null) {
            mapping.close(); // more than once does no harm
        }
    }

    /** Whether zeros need not be on the device so that commits find blocks: the file was used before. */
    public boolean hasBlocks() {
        return hasBlocks;
    }

    /** The first offset that has to be filled in a segment that was just made. */
    public int firstToFill() {
        // The first page of such a file was written whole; to write a part of it again it may have to be read.
        boolean isFirstPageWritten = hasBlocks && header.segmentLength() > ZeroWriter.PAGE_LENGTH;
        return isFirstPageWritten ? ZeroWriter.PAGE_LENGTH : SegmentHeader.LENGTH;
    }

    /** Ends the filling: what is opened for it only is closed. The thread that fills. */
    public void endFilling() {
        if (fillFile != file) {
            fillFile.close();
        }
    }

    /** Unmaps the segment and closes its files, after a force that is under way. */
    public void close() {
        try {
            forcing.hold(this::drop);
        } finally {
            closeFiles();
        }
    }

    private void closeFiles() {
        try {
            endFilling();
        } finally {
            file.close();
        }
    }
}

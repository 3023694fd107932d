package io.persist.store.value;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.file.Closing;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.segment.LogFiles;
import io.persist.log.thread.LogThread;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The segments of a log as memory, and as files, for reading at any position. A segment is mapped when a reader first
 * looks into it, and stays mapped until it is dropped and the last holder has let go. Segments that this process writes
 * begin as warm, the others as cold: see {@link MappedSegment#isWarm}.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> some when a segment is mapped, else none.
 */
public final class MappedSegments implements AutoCloseable {

    private final Storage storage;
    private final long writtenFrom;
    private final LongSupplier nanoTime;
    private final IdleFiles idle;
    private final ReadThreads readThreads;

    /** Ascending by position. Replaced as a whole under the lock, so a reader sees whole segments. */
    private volatile MappedSegment[] segments = new MappedSegment[0];

    private boolean closed;

    /** Segments of a log, of which this process writes those that have positions from {@code writtenFrom} on. */
    public MappedSegments(Storage storage, long writtenFrom) {
        this(storage, writtenFrom, System::nanoTime, IdleFiles.MOST);
    }

    MappedSegments(Storage storage, long writtenFrom, LongSupplier nanoTime, int mostIdleFiles) {
        this.storage = storage;
        this.writtenFrom = writtenFrom;
        this.nanoTime = nanoTime;
        this.idle = new IdleFiles(mostIdleFiles);
        this.readThreads = new ReadThreads(LogThread.name("read", storage.description()));
    }

    /** Segments of a log that others write, if anybody does. */
    public static MappedSegments ofOthers(Storage storage) {
        return new MappedSegments(storage, Long.MAX_VALUE);
    }

    /**
     * The segment in which {@code position} lies.
     *
     * @throws RetiredException if it is gone, or vacated
     * @throws LogIOException if it cannot be read
     * @throws IllegalStateException if this is closed
     */
    public MappedSegment at(long position) {
        MappedSegment known = known(position);
        return known == null ? map(position) : known;
    }

    /** The segment in which {@code position} lies, if it is mapped; null else, also if that is no position. */
    public @Nullable MappedSegment known(long position) {
        MappedSegment[] known = segments;
        int found = find(known, position);
        return found >= 0 && known[found].contains(position) ? known[found] : null;
    }

    /** The index of the last segment that begins at or before {@code position}, or -1. */
    private static int find(MappedSegment[] segments, long position) {
        int low = 0;
        int high = segments.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (segments[middle].basePosition() <= position) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    private synchronized MappedSegment map(long position) {
        if (closed) {
            throw new IllegalStateException("log is closed");
        }
        int found = find(segments, position);
        if (found >= 0 && segments[found].contains(position)) {
            return segments[found];
        }
        try {
            Long base = LogFiles.basePositions(storage).floor(position);
            if (base == null) {
                throw gone(position);
            }
            MappedSegment segment = openListed(base);
            if (segment == null) {
                throw gone(position);
            }
            if (segment.header().isVacated() || !segment.contains(position)) {
                drop(segment);
                throw gone(position);
            }
            MappedSegment[] more = Arrays.copyOf(segments, segments.length + 1);
            System.arraycopy(segments, found + 1, more, found + 2, segments.length - found - 1);
            more[found + 1] = segment;
            segments = more;
            return segment;
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot read the log at position " + position + ": " + e.getMessage(), e);
        }
    }

    /** Null if the file, which was listed, is gone meanwhile. */
    private @Nullable MappedSegment openListed(long base) throws IOException {
        try {
            return open(base);
        } catch (FileNotFoundException e) { // also for other reasons, such as too many open files
            if (storage.list().contains(LogFileName.segment(base))) {
                throw e;
            }
            return null;
        }
    }

    private MappedSegment open(long base) throws IOException {
        MappedSegment segment = null;
        while (segment == null) {
            segment = openOnce(base);
        }
        return segment;
    }

    /** Null if another file has taken the name meanwhile. */
    private @Nullable MappedSegment openOnce(long base) throws IOException {
        StorageFile file = storage.open(LogFileName.segment(base), Storage.Access.READ);
        MappedSegment segment = null;
        try {
            SegmentHeader header = LogFiles.readHeader(storage, file, base);
            Mapping mapping = LogFiles.map(file, header);
            if (mapping != null) {
                segment = new MappedSegment(this, header, mapping, header.endPosition() > writtenFrom);
            }
        } finally {
            if (segment == null || segment.isWarm()) {
                file.close();
            } else {
                idle.giveBack(segment.ticket(), file);
            }
        }
        return segment;
    }

    /** A file of {@code segment} for the calling thread alone, until it gives it back; null if none can be had. */
    @Nullable
    StorageFile take(MappedSegment segment) {
        StorageFile known = idle.take(segment.ticket());
        return known == null ? openAgain(segment) : known;
    }

    /** Under its name there may be another file meanwhile. */
    private @Nullable StorageFile openAgain(MappedSegment segment) {
        StorageFile file;
        try {
            file = storage.open(segment.name(), Storage.Access.READ);
        } catch (IOException e) {
            return null;
        }
        boolean isSame = false;
        try {
            isSame = LogFiles.readHeader(storage, file, segment.basePosition()).equals(segment.header());
        } catch (CorruptLogException | IOException e) {
            // It is not.
        } finally {
            if (!isSame) {
                file.close();
            }
        }
        return isSame ? file : null;
    }

    void giveBack(MappedSegment segment, StorageFile file) {
        idle.giveBack(segment.ticket(), file);
    }

    /** Has up to {@code helpers} threads run {@code work}, at once or never. */
    void help(Runnable work, int helpers) {
        readThreads.help(work, helpers);
    }

    long now() {
        return nanoTime.getAsLong();
    }

    private static RetiredException gone(long position) {
        return new RetiredException("the records at position " + position + " were taken away");
    }

    /**
     * Forgets the segment at {@code base}; a reader that holds it may read on. It may take long: with the last mapping
     * of a file that was deleted the file system gives its blocks back.
     */
    public void drop(long base) {
        MappedSegment segment = remove(base);
        if (segment != null) {
            drop(segment);
        }
    }

    private void drop(MappedSegment segment) {
        idle.drop(segment.ticket());
        segment.drop();
    }

    private synchronized @Nullable MappedSegment remove(long base) {
        MappedSegment[] known = segments;
        int found = find(known, base);
        if (found < 0 || known[found].basePosition() != base) {
            return null;
        }
        MappedSegment[] fewer = new MappedSegment[known.length - 1];
        System.arraycopy(known, 0, fewer, 0, found);
        System.arraycopy(known, found + 1, fewer, found, fewer.length - found);
        segments = fewer;
        return known[found];
    }

    /** Forgets all. Nobody may read on. */
    @Override
    public void close() {
        try {
            readThreads.close();
        } finally {
            closeFiles();
        }
    }

    private synchronized void closeFiles() {
        closed = true;
        MappedSegment[] known = segments;
        segments = new MappedSegment[0];
        try {
            idle.close();
        } finally {
            Closing.each(Arrays.asList(known), MappedSegment::drop);
        }
    }
}

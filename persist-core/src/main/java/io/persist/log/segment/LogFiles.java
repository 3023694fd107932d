package io.persist.log.segment;

import io.persist.error.CorruptLogException;
import io.persist.file.Mapping;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.memory.MissingPage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The files of a log at one moment, by their names.
 *
 * @param basePositions of the segments, ascending; the last ones may be prepared ahead and still be empty
 * @param leftovers files that an interrupted run was making or had retired
 */
public record LogFiles(NavigableSet<Long> basePositions, List<String> leftovers) {

    /** Lists the directory and sorts out the files of the log. */
    public static LogFiles list(Storage storage) throws IOException {
        return of(storage.list());
    }

    /** The base positions of the segments in the directory, ascending, as {@link #list} has them. */
    public static NavigableSet<Long> basePositions(Storage storage) throws IOException {
        return list(storage).basePositions();
    }

    /** Sorts out the files of the log in a directory with these entries. */
    public static LogFiles of(List<String> names) {
        TreeSet<Long> bases = new TreeSet<>();
        List<String> leftovers = new ArrayList<>();
        for (String name : names) {
            OptionalLong base = LogFileName.basePosition(name);
            if (base.isPresent()) {
                bases.add(base.getAsLong());
            } else if (isLeftover(name)) {
                leftovers.add(name);
            }
        }
        return new LogFiles(Collections.unmodifiableNavigableSet(bases), List.copyOf(leftovers));
    }

    /** Deletes what was made so far, if anything, when {@code cause} ended that, which is the one to tell. */
    public static void discard(Storage storage, String name, Throwable cause) {
        try {
            storage.delete(name);
        } catch (NoSuchFileException none) {
            // There is nothing to delete.
        } catch (IOException left) {
            cause.addSuppressed(left);
        }
    }

    /**
     * Only names that a log gives count: other programs may have files in the directory. A half-made cursor does not
     * count, because making a cursor does not need the log; the next cursor that is made clears it up.
     */
    private static boolean isLeftover(String name) {
        if (name.endsWith(LogFileName.SPARE_SUFFIX)) {
            return isSegment(name, LogFileName.SPARE_SUFFIX);
        }
        return name.equals(LogFileName.CONTROL + LogFileName.TEMPORARY_SUFFIX)
                || CheckpointName.isTemporary(name)
                || isSegment(name, LogFileName.TEMPORARY_SUFFIX);
    }

    private static boolean isSegment(String name, String suffix) {
        return name.endsWith(suffix)
                && LogFileName.basePosition(name.substring(0, name.length() - suffix.length()))
                        .isPresent();
    }

    /**
     * The headers of the segments of the log in {@code storage}, oldest first; the last ones may be prepared ahead and
     * still be empty.
     *
     * @throws CorruptLogException if one is damaged
     */
    public static List<SegmentHeader> headers(Storage storage) throws IOException {
        List<SegmentHeader> headers = new ArrayList<>();
        for (long base : basePositions(storage)) {
            try {
                headers.add(header(storage, base));
            } catch (FileNotFoundException e) {
                continue; // taken away since the directory was listed
            }
        }
        return List.copyOf(headers);
    }

    /**
     * The same of those that can be read, for a log of which is not known yet where it ends: what was prepared behind
     * that may be damaged, holds no record, and is made anew by the next writer. One on a bad block keeps nobody from
     * the others.
     *
     * @throws IOException if a file could not be read, and there is no header
     */
    public static List<SegmentHeader> readableHeaders(Storage storage) throws IOException {
        return readableHeaders(storage, basePositions(storage));
    }

    /** The same of the segments at {@code basePositions}. */
    public static List<SegmentHeader> readableHeaders(Storage storage, NavigableSet<Long> basePositions)
            throws IOException {
        List<SegmentHeader> headers = new ArrayList<>();
        IOException failure = null;
        for (long base : basePositions) {
            try {
                headers.add(header(storage, base));
            } catch (CorruptLogException | FileNotFoundException e) {
                continue; // whoever reads records there finds it out
            } catch (IOException unreadable) {
                failure = unreadable;
            }
        }
        if (headers.isEmpty() && failure != null) {
            throw failure;
        }
        return List.copyOf(headers);
    }

    /**
     * The header of the segment at {@code basePosition}, checked.
     *
     * @throws CorruptLogException if it cannot be used
     * @throws FileNotFoundException if there is no such segment, or was none any more when it was read
     */
    public static SegmentHeader header(Storage storage, long basePosition) throws IOException {
        try (StorageFile file = storage.open(LogFileName.segment(basePosition), Storage.Access.READ)) {
            return readHeader(storage, file, basePosition);
        }
    }

    /**
     * The header of the first of the segments at {@code basePositions} that has one that can be read and is {@code
     * wanted}, also if its file was cut short; null if there is none.
     *
     * @throws IOException if none that is wanted was found, and a file could not be read
     */
    public static @Nullable SegmentHeader firstHeader(
            Storage storage, NavigableSet<Long> basePositions, Predicate<SegmentHeader> wanted) throws IOException {
        IOException failure = null;
        for (long base : basePositions) {
            try (StorageFile file = storage.open(LogFileName.segment(base), Storage.Access.READ)) {
                SegmentHeader header = readHeaderOfCut(file, base);
                if (wanted.test(header)) {
                    return header;
                }
            } catch (CorruptLogException | FileNotFoundException unreadable) {
                continue; // the next one may tell the same
            } catch (IOException unreadable) {
                failure = failure == null ? unreadable : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return null;
    }

    /**
     * Reads and checks the header of the segment at {@code basePosition}, whose file was opened by its name.
     *
     * @throws CorruptLogException if it cannot be used
     * @throws FileNotFoundException if it cannot because the segment was retired since: its file, which lost the name
     *     before, may be in its next life
     */
    public static SegmentHeader readHeader(Storage storage, StorageFile file, long basePosition) throws IOException {
        String name = LogFileName.segment(basePosition);
        byte[] bytes = new byte[SegmentHeader.LENGTH];
        ByteBuffer header = ByteBuffer.wrap(bytes, 0, file.readFully(0, bytes, 0, bytes.length))
                .slice();
        try {
            return SegmentHeader.decode(header, name, file.length(), basePosition);
        } catch (CorruptLogException damage) {
            if (!storage.list().contains(name)) {
                throw new FileNotFoundException("no such file: " + name);
            }
            throw damage;
        }
    }

    /**
     * Maps the segment with {@code header}, which was read from {@code file}. A file is mapped by its name: null if
     * another one has taken that since, or the same one has begun its next life; then the segment is to be opened anew.
     */
    public static @Nullable Mapping map(StorageFile file, SegmentHeader header) throws IOException {
        try (Opening opening = new Opening()) {
            Mapping mapping = opening.add(file.map(header.segmentLength()), Mapping::close);
            boolean isSame = mapping.buffer().getLong(SegmentHeader.SALT_OFFSET) == header.salt();
            MissingPage.check(); // here, where the mapping is closed for it
            return isSame ? opening.done(mapping) : null;
        }
    }

    /**
     * The same of a file that may have been cut short, which has its header all the same.
     *
     * @throws CorruptLogException if it cannot be used
     */
    static SegmentHeader readHeaderOfCut(StorageFile file, long basePosition) throws IOException {
        String name = LogFileName.segment(basePosition);
        byte[] bytes = new byte[SegmentHeader.LENGTH];
        if (file.readFully(0, bytes, 0, bytes.length) < bytes.length) {
            throw new CorruptLogException(name, basePosition, "the file ends within its header");
        }
        ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return SegmentHeader.decode(header, name, header.getLong(SegmentHeader.SEGMENT_LENGTH_OFFSET), basePosition);
    }
}

package io.persist.log.recovery;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.control.ControlBlock;
import io.persist.log.LogContent;
import io.persist.log.control.ControlFile;
import io.persist.log.segment.LogFiles;
import io.persist.log.segment.SegmentView;
import java.io.IOException;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Which log it is that has these segments, if some have got into the directory that are another log's. The control
 * block says so. Without it the first segment that can be read stands for the log, and nothing is done that would be
 * wrong if another one did.
 *
 * @param id what the headers of the log's segments have, 0 if none can be read
 * @param isCertain whether the control block says so
 */
public record LogIdentity(long id, boolean isCertain) {

    public static final String MOVE_IT = "move the one that is not of this log out of the directory";

    /**
     * The log that has the segments at {@code bases}, and this control block.
     *
     * @throws IOException if none of the log that the control block names was found, and a file could not be read
     */
    static LogIdentity of(Storage storage, NavigableSet<Long> bases, @Nullable ControlBlock control)
            throws IOException {
        long named = control == null ? 0 : control.logId();
        SegmentHeader first = firstHeader(storage, bases, named);
        long id = first == null ? 0 : first.logId();
        return new LogIdentity(id, id != 0 && id == named);
    }

    /**
     * The header of the log's first segment of {@code bases} that has one that can be read, also if its file was cut
     * short; null if there is none. It tells readers and tools which log it is, as {@link #of} tells recovery.
     *
     * @throws IOException as {@link #of} says
     */
    public static @Nullable SegmentHeader firstHeader(Storage storage, NavigableSet<Long> bases) throws IOException {
        return bases.isEmpty() ? null : firstHeader(storage, bases, idInControl(storage));
    }

    /** Of the log {@code named}, 0 if the control block names none; if none is there, that may be another log's too. */
    private static @Nullable SegmentHeader firstHeader(Storage storage, NavigableSet<Long> bases, long named)
            throws IOException {
        SegmentHeader header = LogFiles.firstHeader(storage, bases, found -> named == 0 || found.logId() == named);
        return header == null ? LogFiles.firstHeader(storage, bases, any -> true) : header;
    }

    /** The same of all segments that there are. */
    public static @Nullable SegmentHeader firstHeader(Storage storage) throws IOException {
        return firstHeader(storage, LogFiles.basePositions(storage));
    }

    /** The id of the log that has these segments, as {@link #firstHeader} tells it; 0 if none can be read. */
    public static long idOf(Storage storage) throws IOException {
        SegmentHeader header = firstHeader(storage);
        return header == null ? 0 : header.logId();
    }

    /**
     * The first of {@code bases} that may be of the log {@code logId}, for all that its header says; null if none may
     * be. A file of another log may lie in front of what is left of this one.
     *
     * @param logId 0 if it is not known
     */
    public static @Nullable Long firstBase(Storage storage, NavigableSet<Long> bases, long logId) {
        for (long base : bases) {
            if (mayBe(storage, base, logId)) {
                return base;
            }
        }
        return null;
    }

    /**
     * Whether the log {@code logId} begins behind the segment at {@code base}: then retention has taken that away. It
     * goes by the segments {@code bases} that may be the log's; false if there is none.
     */
    public static boolean beginsBehind(Storage storage, NavigableSet<Long> bases, long logId, long base) {
        Long first = firstBase(storage, bases, logId);
        return first != null && first > base;
    }

    /** Where the log begins that has the segments {@code bases}, of which there is at least one. */
    long firstBase(Storage storage, NavigableSet<Long> bases) {
        Long own = firstBase(storage, bases, id);
        return own == null ? bases.first() : own;
    }

    /** Whether the segment at {@code base} may be of the log {@code logId}: for all that its header says, as above. */
    public static boolean mayBe(Storage storage, long base, long logId) {
        if (logId == 0) {
            return true;
        }
        try {
            return LogFiles.header(storage, base).logId() == logId;
        } catch (CorruptLogException | IOException unreadable) {
            return true;
        }
    }

    /** What the control block has, 0 if that cannot be read: whoever goes by more of it says so. */
    private static long idInControl(Storage storage) throws IOException {
        try (ControlFile control = ControlFile.open(storage, Storage.Access.READ)) {
            return control == null ? 0 : control.block().logId();
        } catch (UnsupportedFormatException newer) {
            return 0;
        }
    }

    /**
     * The header of the newest segment of the log in {@code storage} that has one that can be read; null if there is
     * none.
     *
     * @throws IOException as {@link #of} says
     */
    public static @Nullable SegmentHeader newestHeader(Storage storage) throws IOException {
        LogIdentity identity = new LogIdentity(idOf(storage), false);
        return identity.newestHeader(storage, LogFiles.basePositions(storage));
    }

    /** The same of this log, among the segments at {@code bases}. */
    @Nullable
    SegmentHeader newestHeader(Storage storage, NavigableSet<Long> bases) throws IOException {
        return LogFiles.firstHeader(storage, bases.descendingSet(), found -> id == 0 || found.logId() == id);
    }

    /**
     * Throws if the log, by the newest header of {@code bases}, is not one of {@code content} that this version may
     * write. A header that cannot be used is left to the scan, which says more about it.
     */
    void checkWritable(Storage storage, NavigableSet<Long> bases, LogContent content) throws IOException {
        SegmentHeader newest = newestHeader(storage, bases);
        if (newest == null) {
            return;
        }
        LogContent found = newest.content();
        if (found != content) {
            throw new UnsupportedFormatException("the log holds " + found.plural() + ", not " + content.plural()
                    + ": directory=" + storage.description() + "; open it with " + found.logger());
        }
        newest.checkWritable();
    }

    /** Whether the segment is another log's, by its header. */
    boolean isOther(SegmentView segment) {
        return id != 0 && segment.damage() == null && segment.header().logId() != id;
    }

    /** Whether it can be the log {@code other} for all that is known. */
    boolean mayBe(long other) {
        return !isCertain || other == id;
    }

    /**
     * No other segment of {@code bases} may begin between the one at {@code base} and {@code end}: then nobody knows
     * whose that is.
     */
    static void checkNoneBegins(NavigableSet<Long> bases, long base, long end) {
        Long inside = bases.higher(base);
        if (inside != null && inside < end) {
            throw new CorruptLogException(
                    LogFileName.segment(inside),
                    inside,
                    "the segment before, " + LogFileName.segment(base) + ", reaches into it",
                    MOVE_IT);
        }
    }

    /**
     * The segment lies before all that was walked.
     *
     * @throws CorruptLogException if it is known to be another log's: the way must not begin with it
     */
    void checkMayBegin(SegmentView segment) {
        if (isCertain && isOther(segment)) {
            throw new CorruptLogException(
                    segment.name(),
                    segment.basePosition(),
                    "the segment belongs to another log than " + LogFileName.CONTROL + " and other segments",
                    MOVE_IT);
        }
    }

    /**
     * Whether the segment, which begins behind the end of the log that was walked, is a part of that. One of another
     * log is none, nor is one whose header cannot be read.
     *
     * @param walked the id of that log, null if it is not known
     * @param before where the segment begins in which that log ends
     * @throws CorruptLogException if something was stored in the one of another log, and nobody knows which of the two
     *     is the log's
     */
    boolean isPartOf(@Nullable Long walked, @Nullable Long before, SegmentView segment) {
        if (segment.damage() != null) {
            return false;
        }
        if (isCertain) {
            return !isOther(segment);
        }
        if (walked == null || before == null || walked == segment.header().logId()) {
            return true;
        }
        if (segment.hasData()) {
            throw new CorruptLogException(
                    segment.name(),
                    segment.basePosition(),
                    "the segment belongs to another log than " + LogFileName.segment(before),
                    MOVE_IT);
        }
        return false;
    }
}

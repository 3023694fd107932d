package io.persist.tool.select;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.format.PersistVersion;
import io.persist.format.SegmentHeader;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.recovery.LogIdentity;
import io.persist.log.segment.LogFiles;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the names and headers of a log's segments say. */
public final class SegmentFiles {

    private SegmentFiles() {}

    /** The base positions of the segments, ascending. */
    static List<Long> basePositions(Storage log) {
        return FileAction.orFail("cannot read the log", () -> List.copyOf(LogFiles.basePositions(log)));
    }

    /** What the log's records are, by the first of its headers that can be read; messages if there is none. */
    public static LogContent content(Storage log) {
        SegmentHeader first = first(log);
        return first == null ? LogContent.MESSAGES : first.content();
    }

    /** The first header that can be read, of a segment of this log and no other; null if there is none. */
    public static @Nullable SegmentHeader first(Storage log) {
        try {
            return LogIdentity.firstHeader(log);
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /** The version of Persist that made the newest of the segments with a header that can be read. */
    public static PersistVersion writtenBy(Storage log) {
        return FileAction.orFail("cannot read the log", () -> {
            SegmentHeader newest = LogIdentity.newestHeader(log);
            return newest == null ? PersistVersion.UNKNOWN : newest.writtenBy();
        });
    }

    /**
     * Requires that there is a log, for tools that would find nothing to say where there is none.
     *
     * @throws LogIOException if no file has the name of a segment
     */
    public static void requireLog(Storage log) {
        if (!isAny(log)) {
            throw new LogIOException(
                    "not a log: no segments, directory=" + log.description()
                            + "; name the directory that a logger writes to",
                    null);
        }
    }

    /** Whether any file has the name of a segment. */
    public static boolean isAny(Storage log) {
        return !basePositions(log).isEmpty();
    }

    /** How many segments have lost their records to compaction. */
    public static long vacated(Storage log) {
        return headers(log).filter(SegmentHeader::isVacated).count();
    }

    /** The headers that can be read, oldest first. */
    public static Stream<SegmentHeader> headers(Storage log) {
        return basePositions(log).stream().flatMap(base -> readable(log, base).stream());
    }

    /**
     * The length of segments into which each record of the log fits, bytes: also those of a file that is but a part of
     * its segment.
     *
     * @throws LogIOException if a file cannot be read
     */
    public static int lengthForAll(Storage log) {
        return FileAction.orFail("cannot read the log", () -> {
            long longest = LogConfig.MIN_SEGMENT_LENGTH;
            for (long base : basePositions(log)) {
                try (StorageFile file = log.open(LogFileName.segment(base), Storage.Access.READ)) {
                    longest = Math.max(longest, file.length());
                }
            }
            long multiple = (longest + LogConfig.MIN_SEGMENT_LENGTH - 1)
                    / LogConfig.MIN_SEGMENT_LENGTH
                    * LogConfig.MIN_SEGMENT_LENGTH;
            return (int) Math.min(multiple, LogConfig.MAX_SEGMENT_LENGTH);
        });
    }

    private static Optional<SegmentHeader> readable(Storage log, long base) {
        try {
            return Optional.of(LogFiles.header(log, base));
        } catch (CorruptLogException | IOException next) {
            // Whoever reads records there says so; retention may take a segment away at any time.
            return Optional.empty();
        }
    }
}

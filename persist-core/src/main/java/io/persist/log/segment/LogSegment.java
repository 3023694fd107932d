package io.persist.log.segment;

import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogContent;
import io.persist.format.SegmentHeader;
import io.persist.format.SegmentName;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One segment of a log.
 *
 * @param basePosition its first position
 * @param endPosition the position right after it
 * @param logId the log's identity, the same in all its segments
 * @param content what the log's records are
 * @param isVacated whether its records were taken away
 */
public record LogSegment(long basePosition, long endPosition, long logId, LogContent content, boolean isVacated) {

    /**
     * The segments of the log in {@code storage}, oldest first; the last ones may be prepared ahead and still be empty.
     *
     * @throws io.persist.error.CorruptLogException if a header is damaged
     */
    public static List<LogSegment> list(Storage storage) throws IOException {
        List<LogSegment> segments = new ArrayList<>();
        for (long base : LogFiles.list(storage).basePositions()) {
            try (StorageFile file = storage.open(SegmentName.of(base), Storage.Access.READ)) {
                SegmentHeader header = LogFiles.readHeader(storage, file, base);
                segments.add(new LogSegment(
                        base, header.endPosition(), header.logId(), header.content(), header.isVacated()));
            } catch (FileNotFoundException e) {
                continue; // taken away since the directory was listed
            }
        }
        return List.copyOf(segments);
    }

    /** Bytes from the first to the last position. */
    public long length() {
        return endPosition - basePosition;
    }
}

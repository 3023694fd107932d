package io.persist.tool.stats;

import io.persist.LogMonitor.Extent;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.format.PersistVersion;
import io.persist.format.SegmentHeader;
import io.persist.log.recovery.ScanFindings;
import io.persist.log.segment.LogFiles;
import io.persist.tool.select.EndOfLog;
import io.persist.tool.select.RecordSource;
import io.persist.tool.select.SegmentFiles;
import io.persist.tool.select.VacatedNumbers;
import java.io.IOException;
import java.util.HexFormat;
import java.util.NavigableSet;

/**
 * What there is of a log at one moment, whether it has a writer or not.
 *
 * @param logId the log's id, as 16 hexadecimal digits; empty if there is no log
 * @param writtenBy the version of Persist that made the newest segment
 * @param writerVersion that of the log's last writer
 * @param firstPosition where the log begins
 * @param endPosition where it ends
 * @param firstSequence the number of its first record, 0 if it has none, or the first cannot be read
 * @param lastSequence the number of its last record, 0 if it has none
 * @param records how many there are from the first to the last
 * @param segments files that hold records, or will hold the next one
 * @param vacatedSegments those of them that have lost their records
 * @param preparedSegments files made ahead, behind the end
 * @param seen what a monitor sees of it
 */
record LogExtent(
        String logId,
        PersistVersion writtenBy,
        PersistVersion writerVersion,
        long firstPosition,
        long endPosition,
        long firstSequence,
        long lastSequence,
        long records,
        long segments,
        long vacatedSegments,
        long preparedSegments,
        Extent seen) {

    /** Looks at the log that ends at {@code end}, of which a monitor has {@code seen} the rest. */
    static LogExtent of(EndOfLog end, Extent seen) {
        Storage log = end.log();
        ScanFindings found = end.findings();
        try {
            NavigableSet<Long> all = LogFiles.basePositions(log); // what is prepared may be damaged
            int used = all.headSet(found.tail()).size();
            long last = found.lastSequence();
            long first = last == 0 ? 0 : firstSequence(log);
            return new LogExtent(
                    logId(log),
                    SegmentFiles.writtenBy(log),
                    end.inspection().writerVersion(),
                    found.firstPosition(),
                    found.tail(),
                    first,
                    last,
                    first == 0 ? 0 : last - first + 1 - VacatedNumbers.of(log).count(first, last),
                    used,
                    SegmentFiles.vacated(log),
                    all.size() - used,
                    seen);
        } catch (IOException e) {
            throw new LogIOException("cannot look at the log: " + e.getMessage(), e);
        }
    }

    private static String logId(Storage log) {
        SegmentHeader header = SegmentFiles.first(log);
        return header == null ? "" : HexFormat.of().toHexDigits(header.logId());
    }

    private static long firstSequence(Storage log) {
        try (RecordSource source = new RecordSource(log)) {
            return source.next() ? source.record().sequence() : 0;
        } catch (CorruptLogException | RetiredException | LogIOException e) {
            return 0; // verify says more
        }
    }

    /** Bytes of the log. */
    long bytes() {
        return endPosition - firstPosition;
    }
}

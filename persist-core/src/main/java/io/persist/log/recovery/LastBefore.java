package io.persist.log.recovery;

import io.persist.file.Storage;
import io.persist.format.SegmentHeader;
import io.persist.log.segment.FrameWalk;
import io.persist.log.segment.LogEnd;
import io.persist.log.segment.SegmentView;
import java.io.IOException;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * The last record before damage at which a scan has stopped without having read any: it began there, because all
 * before was known to be synced. The log has records all the same, and whoever shows it has to know which are its last.
 */
final class LastBefore {

    private LastBefore() {}

    /**
     * The end of the log {@code logId}, null if that is not known, which is damaged at {@code tail}. A segment before
     * it that cannot be read either is passed.
     */
    static LogEnd find(Storage storage, NavigableSet<Long> bases, @Nullable Long logId, long tail) throws IOException {
        for (long base : bases.headSet(tail, false).descendingSet()) {
            try (SegmentView segment = SegmentView.open(storage, base)) {
                boolean isOfTheLog = segment.damage() == null
                        && (logId == null || logId == segment.header().logId());
                LogEnd end = isOfTheLog ? lastIn(segment, tail) : null;
                if (end != null) {
                    return end;
                }
            }
        }
        return new LogEnd(tail, 0, 0);
    }

    private static @Nullable LogEnd lastIn(SegmentView segment, long tail) {
        long next = 0;
        long last = 0;
        FrameWalk frame = segment.walk(SegmentHeader.LENGTH);
        for (boolean isSealed = false; !isSealed && frame.isWhole(); frame.advance()) {
            isSealed = frame.isSeal();
            last = isSealed ? last : frame.position();
            next = frame.nextSequence();
        }
        return next == 0 ? null : new LogEnd(tail, next - 1, last);
    }
}

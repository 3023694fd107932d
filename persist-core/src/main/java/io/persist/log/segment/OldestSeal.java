package io.persist.log.segment;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.format.SegmentHeader;
import io.persist.memory.MissingPage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * When the oldest sealed segment of a log was sealed: so old its oldest records are, at least. To find a seal is work
 * where the segment was ended early, since what follows it is looked through: so the last answer is kept, which holds
 * as long as the segment does.
 *
 * <p><b>Threads:</b> any.
 */
public final class OldestSeal {

    /** So many segments that cannot be read are tried: the one behind the first tells nearly the same. */
    private static final int MAX_UNREADABLE = 2;

    private record Seal(SegmentHeader header, long atMs) {}

    private volatile @Nullable Seal last;

    /**
     * The wall clock at which the first of the segments at {@code bases} was sealed, ms since 1970; of the second one
     * if the first one cannot be read. 0 if no segment ends at or before {@code end}, or none of the two can be read.
     */
    public long atMs(Storage storage, NavigableSet<Long> bases, long end) {
        int unreadable = 0;
        for (long base : bases) {
            try {
                SegmentHeader header = LogFiles.header(storage, base);
                return header.endPosition() <= end ? atMs(storage, header) : 0;
            } catch (FileNotFoundException gone) {
                continue; // retired since the directory was listed
            } catch (CorruptLogException | IOException | InternalError damage) {
                unreadable++;
            }
            if (unreadable == MAX_UNREADABLE) {
                return 0;
            }
        }
        return 0;
    }

    private long atMs(Storage storage, SegmentHeader header) throws IOException {
        Seal known = last;
        if (known != null && known.header().equals(header)) {
            return known.atMs();
        }
        Seal found;
        try (SegmentView segment = SegmentView.open(storage, header.basePosition())) {
            found = new Seal(segment.intact().header(), segment.sealedAtMs());
            MissingPage.check(); // here: at the call of close its error would leave the mapping to the collector
        }
        last = found; // not before it is known that no page was missing
        return found.atMs();
    }
}

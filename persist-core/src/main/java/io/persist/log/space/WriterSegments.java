package io.persist.log.space;

import io.persist.file.Closing;
import io.persist.file.Opening;
import io.persist.log.recovery.Recovery;
import io.persist.log.segment.Segment;
import io.persist.log.segment.SegmentFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The segments of a recovered log that its writer needs.
 *
 * @param unsynced those that hold bytes which are not known to be synced, oldest first; the last is the tail
 * @param prepared those after it, still empty
 */
public record WriterSegments(List<Segment> unsynced, List<Segment> prepared) {

    /**
     * Opens the segments of {@code recovered} that are not synced or still empty; if one cannot be opened, none stays
     * open.
     */
    public static WriterSegments open(SegmentFactory factory, Recovery.Recovered recovered) throws IOException {
        List<Segment> unsynced = new ArrayList<>();
        List<Segment> prepared = new ArrayList<>();
        try (Opening opening = new Opening()) {
            for (long base : recovered.basePositions()) {
                Long next = recovered.basePositions().higher(base);
                if (next != null && next <= recovered.synced()) {
                    continue;
                }
                Segment segment = opening.add(factory.open(base), Segment::close);
                if (base < recovered.end().tail()) {
                    unsynced.add(segment);
                } else {
                    prepared.add(segment);
                }
            }
            return opening.done(new WriterSegments(unsynced, prepared));
        }
    }

    /** The one that is appended to. */
    public Segment tail() {
        return unsynced.get(unsynced.size() - 1);
    }

    /** The one behind which the next is made. */
    Segment last() {
        return prepared.isEmpty() ? tail() : prepared.get(prepared.size() - 1);
    }

    /** Closes them, also those that another one has taken by now, who may close them too. */
    public void close() {
        try {
            Closing.each(unsynced, Segment::close);
        } finally {
            Closing.each(prepared, Segment::close);
        }
    }
}

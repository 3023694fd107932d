package io.persist.log.recovery;

import io.persist.file.Storage;
import io.persist.format.SegmentHeader;
import io.persist.format.control.ControlBlock;
import io.persist.log.segment.FrameWalk;
import io.persist.log.segment.SegmentView;
import java.io.IOException;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * The newest place from which a log can be scanned without leaving out anything that may be torn: a frame that is
 * synced, with all frames before it. Nothing else is assumed, not even that the boot id proves anything: a volume that
 * was mounted anew, or restored, has lost what was not synced although the operating system runs on, and its control
 * block may be older or newer than its segments.
 *
 * @param base the segment
 * @param offset of the frame in it
 * @param synced up to where the log is known to be synced, by what was looked at
 */
record ScanStart(long base, int offset, long synced) {

    /** The place in the log of {@code bases}, of which there is at least one. */
    static ScanStart find(
            Storage storage, NavigableSet<Long> bases, @Nullable ControlBlock control, LogIdentity identity)
            throws IOException {
        long synced = Math.max(control == null ? 0 : control.synced(), newestSynced(storage, bases, identity));
        // The segment of the last synced record: everything before it was on the device, and it tells the numbers.
        Long lower = bases.lower(synced - SegmentHeader.LENGTH);
        long base = lower == null ? bases.first() : lower;
        long hint = control == null ? 0 : control.syncedHint();
        Long hinted = bases.floor(hint);
        if (hinted != null && hint > base + SegmentHeader.LENGTH && isSynced(storage, hinted, hint, synced)) {
            return new ScanStart(hinted, (int) (hint - hinted), synced);
        }
        return new ScanStart(newestWithRecord(storage, bases, base), SegmentHeader.LENGTH, synced);
    }

    /**
     * The segment at {@code base}; or the newest one before it that has a record, if that one has only a seal: the
     * record that was to be its first was too long for it. Else nobody would know where the last record begins.
     */
    private static long newestWithRecord(Storage storage, NavigableSet<Long> bases, long base) throws IOException {
        long found = base;
        Long before = bases.lower(found);
        while (before != null && hasOnlyASeal(storage, found)) {
            found = before;
            before = bases.lower(found);
        }
        return found;
    }

    /** A segment that compaction has vacated had records: those before it are not the last ones. */
    private static boolean hasOnlyASeal(Storage storage, long base) throws IOException {
        try (SegmentView segment = SegmentView.open(storage, base)) {
            FrameWalk first = segment.frameAt(base + SegmentHeader.LENGTH);
            return first != null && first.isSeal() && !segment.header().isVacated();
        }
    }

    /** What the first frame of the log's newest segment that has one says was synced; 0 if there is none. */
    private static long newestSynced(Storage storage, NavigableSet<Long> bases, LogIdentity identity)
            throws IOException {
        for (long base : bases.descendingSet()) {
            try (SegmentView segment = SegmentView.open(storage, base)) {
                FrameWalk first = segment.frameAt(base + SegmentHeader.LENGTH);
                if (first != null && !identity.isOther(segment)) {
                    return first.syncedPosition();
                }
            }
        }
        return 0;
    }

    /** Whether a good frame begins at {@code position} of the segment at {@code base}, and is below {@code synced}. */
    private static boolean isSynced(Storage storage, long base, long position, long synced) throws IOException {
        try (SegmentView segment = SegmentView.open(storage, base)) {
            FrameWalk frame = segment.frameAt(position);
            return frame != null && base + frame.end() <= synced;
        }
    }
}

package io.persist.log.sync;

import java.util.concurrent.TimeUnit;

/**
 * Has sealed segments unmapped, synced and closed, so that their files, their mappings and their dirty pages do not
 * pile up.
 *
 * <p>Few sealed segments are not synced at once, because a commit may come that syncs them. But when many bytes are
 * waiting, the device should begin: the kernel would begin only when there are gigabytes of them, and then it stops
 * every thread that writes.
 *
 * <p>A segment of an earlier life of the log may be longer than all that may wait for the device. It is synced before
 * it is sealed, or the appender would wait for ever.
 *
 * <p><b>Threads:</b> the filler's.
 */
public final class SegmentFinisher {

    private static final long LINGER_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MOST_LEFT = 256L << 20;

    private final LogPositions positions;
    private final UnsyncedSegments segments;
    private final BackgroundSyncer background;
    private final long mostLeft;
    private final long mostUnsealed;

    /** The end of the sealed segments that were given to the background sync, in time. */
    private long requested;

    /** The end of what it was given at once. */
    private long requestedNow;

    /** Starts with no segment sealed; at most {@code mostUnsynced} bytes may ever wait for the device. */
    public SegmentFinisher(LogPositions positions, Syncer syncer, BackgroundSyncer background, long mostUnsynced) {
        this.positions = positions;
        this.segments = syncer.segments();
        this.background = background;
        this.mostLeft = Math.min(MOST_LEFT, mostUnsynced / 4);
        this.mostUnsealed = mostUnsynced / 4; // a record may need as much again
    }

    /**
     * Does what is due for the segments before {@code end}, where the current one begins; whether there was any.
     *
     * @param mayBeLeft so many bytes need not be synced yet; 0 if the appender waits for the device
     */
    public boolean finish(long end, long mayBeLeft) {
        segments.unmapSealed();
        if (end > requested && segments.hasSealed()) {
            requested = end;
            background.syncWithin(end, LINGER_NS);
        }
        if (end > requestedNow && end - positions.synced() > Math.min(mostLeft, mayBeLeft) && segments.hasSealed()) {
            requestedNow = end;
            background.syncWithin(end, 0);
        }
        long flushed = positions.flushed();
        if (flushed - Math.max(requestedNow, positions.synced()) > mostUnsealed && !segments.hasSealed()) {
            requestedNow = flushed;
            background.syncWithin(flushed, 0);
        }
        return segments.closeFinished();
    }
}

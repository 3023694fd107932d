package io.persist.log.space;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import java.util.concurrent.TimeUnit;

/**
 * How far ahead of the appender zeros are written, and how: it follows what the appender has done lately.
 *
 * <p><b>How far:</b> as much as the appender writes in a fifth of a second, at the rate of the last seconds. That
 * covers the pauses that the kernel imposes on a thread that dirties pages faster than the device writes them. And it
 * is little enough: records overwrite the zeros before the kernel writes them back, so each byte goes to the device
 * once.
 *
 * <p><b>How:</b> where small commits are synced, zeros have to be on the device: a sync of records in blocks that are
 * new to the file has metadata to write. Such logs are slower than the device, and can afford to write each byte twice.
 * All others leave the zeros in the page cache, and so does every log in a file that was used before.
 *
 * <p><b>How often:</b> a thread that fills a slow log has little to do, and each time that it looks it takes a CPU from
 * another thread. So it sleeps until the appender may have used a little of what is ahead.
 *
 * <p><b>Threads:</b> the one that fills; {@link #leaveOut} the one that appends.
 */
final class FillPolicy {

    static final long LEAST_AHEAD = 16L << 20;
    static final long MOST_AHEAD = 256L << 20;

    /** One sync for less than this is a log that syncs small commits. */
    private static final long SMALL_SYNC_LENGTH = 256 << 10;

    /** So many bytes, or syncs, are enough to judge by. */
    private static final long JUDGED_LENGTH = 4L << 20;

    private static final long JUDGED_SYNCS = 16;

    /** How much of what is ahead may be used before more is filled, in a slow log. */
    private static final long LITTLE_LENGTH = 1L << 20;

    /** The longest sleep of the thread that fills a log which is not slow. */
    static final long SHORT_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The same of a slow log. The appender ends it after a MiB, and when it rolls. */
    private static final long LONG_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long RATE_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long AHEAD_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int RATE_DECAY_SHIFT = 5;

    private final long durableAhead;
    private boolean syncsSmall;
    private boolean isJudged;

    /** Stored before the end of the log that has these bytes before it, and read after that end. */
    private volatile long leftOut;

    private long appended;
    private long judgedBytes;
    private long judgedSyncs;

    private long rateBytes;
    private long rateNs;
    private double bytesPerNs;

    /**
     * A policy for a log that goes on at {@code position}.
     *
     * @param durableAhead how far ahead zeros are written that will be synced
     * @param expectsSyncs what is assumed before anything is known
     */
    FillPolicy(long position, long nowNs, long durableAhead, boolean expectsSyncs) {
        this.appended = position;
        this.judgedBytes = position;
        this.rateBytes = position;
        this.rateNs = nowNs;
        this.durableAhead = durableAhead;
        this.syncsSmall = expectsSyncs;
    }

    /** The policy of a log that was opened with {@code config} and goes on at {@code position}. */
    static FillPolicy of(LogConfig config, long position, long durableAhead) {
        return new FillPolicy(position, System.nanoTime(), durableAhead, config.durability() == Durability.SYNCED);
    }

    /** So many bytes of the log, in all, hold no record. To be called before the end of the log is behind them. */
    void leaveOut(long bytes) {
        leftOut = bytes;
    }

    /** The log ends at {@code end} now, and was synced {@code syncs} times since it was opened. */
    void observe(long end, long syncs, long nowNs) {
        appended = Math.max(appended, end - leftOut); // what is left out already may not be before that end yet
        long elapsedNs = nowNs - rateNs;
        if (elapsedNs >= RATE_INTERVAL_NS) {
            double now = (double) (appended - rateBytes) / elapsedNs;
            bytesPerNs = now > bytesPerNs ? now : bytesPerNs - (bytesPerNs - now) / (1 << RATE_DECAY_SHIFT);
            rateBytes = appended;
            rateNs = nowNs;
        }
        long bytes = appended - judgedBytes;
        long count = syncs - judgedSyncs;
        if (bytes >= JUDGED_LENGTH || count >= JUDGED_SYNCS) {
            syncsSmall = count > 0 && bytes / count < SMALL_SYNC_LENGTH;
            isJudged = true;
            judgedBytes = appended;
            judgedSyncs = syncs;
        }
    }

    /** Whether zeros are synced. */
    boolean syncsZeros() {
        return syncsSmall;
    }

    /** Whether zeros may be written by long pieces. */
    boolean writesLongPieces() {
        return isJudged && !syncsSmall;
    }

    /** How long the thread that fills may sleep when there is nothing to do: longer in a slow log. */
    long pauseNs() {
        double useNs = LITTLE_LENGTH / bytesPerNs; // infinite while nothing is appended
        return (long) Math.min(LONG_PAUSE_NS, Math.max(SHORT_PAUSE_NS, useNs));
    }

    /** How many bytes there should be ahead, in files that are new. */
    long aheadBytes() {
        return syncsSmall ? Math.max(aheadInCache(), durableAhead) : aheadInCache();
    }

    /** How many bytes there should be ahead in files that have blocks already: such zeros never have to be synced. */
    long aheadInCache() {
        return Math.min(MOST_AHEAD, Math.max(LEAST_AHEAD, (long) (bytesPerNs * AHEAD_NS)));
    }
}

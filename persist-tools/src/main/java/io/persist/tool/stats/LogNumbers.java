package io.persist.tool.stats;

import io.persist.LogMonitor.Extent;
import io.persist.LogMonitor.Reading;
import java.util.concurrent.TimeUnit;

/**
 * What a monitor sees of a log.
 *
 * @param now its numbers
 * @param extent how large it is
 * @param atMs when that was seen, ms since 1970
 */
record LogNumbers(Reading now, Extent extent, long atMs) {

    /** How long the sync under way has taken; 0 if there is none. */
    long syncAgeNs() {
        long beganAtMs = now.statistics().syncBeganAtMs();
        return beganAtMs == 0 ? 0 : TimeUnit.MILLISECONDS.toNanos(Math.max(0, atMs - beganAtMs));
    }

    /** How old the oldest sealed segment is; 0 if none is sealed. */
    long oldestAgeNs() {
        return TimeUnit.MILLISECONDS.toNanos(extent.oldestAgeMs(atMs));
    }
}

package io.persist.tool.stats;

import io.persist.LogMonitor.Reading;
import io.persist.monitor.Counter;
import java.util.Locale;

/** What a log did from one reading of its numbers to the next, as lines of a table. */
final class StatsRates {

    static final String HEAD = "  seconds  writer   records/s      MB/s  commits/s    syncs/s  sync ms  unsynced kB"
            + "  rolls  stalls  stall ms     queue  cursor lag kB";

    private static final String FORMAT =
            "%9.1f  %-7s %10.0f %9.1f %10.0f %10.0f %8.2f %12.1f %6d %7d %9.2f %9d %14.1f%n";

    private final long startNs;
    private Reading before;
    private long beforeNs;
    private boolean isReopened;

    /** Rates of what comes after {@code first}. */
    StatsRates(Reading first, long nowNs) {
        this.before = first;
        this.startNs = nowNs;
        this.beforeNs = nowNs;
    }

    /** The line for what happened since the last reading. */
    String next(Reading now, long nowNs) {
        isReopened = now.statistics().openedAtMs() != before.statistics().openedAtMs();
        double seconds = Math.max(1, nowNs - beforeNs) / 1e9;
        long syncs = more(now, Counter.SYNCS);
        String line = String.format(
                Locale.ROOT,
                FORMAT,
                (nowNs - startNs) / 1e9,
                now.writer().name().toLowerCase(Locale.ROOT),
                more(now, Counter.RECORDS) / seconds,
                more(now, Counter.BYTES) / 1e6 / seconds,
                more(now, Counter.COMMITS) / seconds,
                syncs / seconds,
                more(now, Counter.SYNC_NS) / 1e6 / Math.max(1, syncs),
                now.unsyncedBytes() / 1e3,
                more(now, Counter.ROLLS),
                more(now, Counter.STALLS),
                more(now, Counter.STALL_NS) / 1e6,
                now.statistics().queueDepth(),
                now.slowestCursorLag() / 1e3);
        before = now;
        beforeNs = nowNs;
        return line;
    }

    /** By how much a counter has grown. A log that was opened again counts from 0. */
    private long more(Reading now, Counter counter) {
        long base = isReopened ? 0 : before.statistics().get(counter);
        return Math.max(0, now.statistics().get(counter) - base);
    }
}

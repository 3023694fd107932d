package io.persist.kafka.bench.server;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What is measured while commands are executed. Only what the stream thread does counts: queries from outside do not.
 *
 * <p><b>Threads:</b> any; each method holds the lock for a moment.
 */
public final class RunMeasures {

    /** What a store is asked for. A range is a whole scan, from its opening on, without what happens in between. */
    public enum Call {
        GET,
        PUT,
        DELETE,
        RANGE,
        COMMIT;

        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final long LONGEST_NS = TimeUnit.HOURS.toNanos(1);
    private static final int DIGITS = 3;

    private final long warmup;
    private final Map<Call, Histogram> calls = new EnumMap<>(Call.class);
    private final Map<Call, Long> callNs = new EnumMap<>(Call.class);
    private Thread thread;
    private long commands;
    private boolean isMeasuring;
    private long firstNs;
    private long lastNs;
    private long longestGapNs;
    private long storeNs;
    private long storeNsAtLast;
    private long liveBytes;
    private long scans;
    private long deleted;
    private long scanNs;
    private long longestScanNs;

    /** The first {@code warmup} commands are executed, but not measured. */
    RunMeasures(long warmup) {
        this.warmup = warmup;
        for (Call call : Call.values()) {
            calls.put(call, new Histogram(LONGEST_NS, DIGITS));
            callNs.put(call, 0L);
        }
    }

    /** Only what this thread does is counted. */
    synchronized void count(Thread streamThread) {
        thread = streamThread;
    }

    /** A command begins: the first one behind the warm-up begins what is measured. */
    synchronized void begin() {
        if (commands == warmup && !isMeasuring) {
            isMeasuring = true;
            firstNs = System.nanoTime();
            lastNs = firstNs;
            longestGapNs = 0;
            storeNs = 0;
            calls.values().forEach(Histogram::reset);
            callNs.replaceAll((call, ns) -> 0L);
            scans = 0;
            deleted = 0;
            scanNs = 0;
            longestScanNs = 0;
        }
    }

    synchronized void commandDone() {
        long nowNs = System.nanoTime();
        longestGapNs = Math.max(longestGapNs, nowNs - lastNs);
        lastNs = nowNs;
        storeNsAtLast = storeNs;
        commands++;
    }

    /** With those of the warm-up. */
    synchronized long commands() {
        return commands;
    }

    /** A call of the store has ended, in the calling thread. */
    synchronized void called(Call call, long tookNs) {
        if (Thread.currentThread() == thread) {
            calls.get(call).recordValue(Math.min(LONGEST_NS, tookNs));
            callNs.merge(call, tookNs, Long::sum);
            storeNs += tookNs;
        }
    }

    /** The keys and values that the store has are longer by so much. */
    synchronized void live(long moreBytes) {
        liveBytes += moreBytes;
    }

    /** Timers were deleted. */
    synchronized void scanDone(long timers, long tookNs) {
        scans++;
        deleted += timers;
        scanNs += tookNs;
        longestScanNs = Math.max(longestScanNs, tookNs);
    }

    /** All of it by now. */
    synchronized RunResultJson result() {
        return RunResultJson.of(
                isMeasuring ? commands - warmup : 0,
                isMeasuring ? lastNs - firstNs : 0,
                longestGapNs,
                storeNsAtLast,
                liveBytes,
                new RunResultJson.Scans(scans, deleted, scanNs, longestScanNs),
                calls,
                callNs);
    }
}

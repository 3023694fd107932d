package io.persist.bench.measure;

import io.persist.bench.latency.LatencyRecorder;
import io.persist.bench.latency.LatencySeries;
import io.persist.bench.load.Journal;
import io.persist.bench.result.RunResult;
import io.persist.error.PersistException;
import io.persist.monitor.Counter;
import io.persist.monitor.LogStatistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What happened in each interval of a run: how many writes were measured, and what the log counted meanwhile.
 *
 * <p><b>Threads:</b> the recorder's until it is closed, then who closed it.
 */
public final class RunIntervals implements LatencyRecorder.Listener {

    /** What a write may have waited for. */
    private static final List<Counter> EVENTS = List.of(Counter.ROLLS, Counter.SYNCS, Counter.STALLS);

    private final Journal journal;
    private final List<RunResult.Interval> intervals = new ArrayList<>();
    private LogStatistics before;

    /** @param journal that is going to be written; stays open until the recorder is closed */
    public RunIntervals(Journal journal) {
        this.journal = journal;
        this.before = journal.statistics();
    }

    @Override
    public void onProgress(long rows) {}

    @Override
    public void onInterval(long endNs, List<LatencySeries> series) {
        LogStatistics now = statistics();
        Map<String, Long> events = new LinkedHashMap<>();
        for (Counter each : EVENTS) {
            long counted = now.get(each) - before.get(each);
            if (counted > 0) {
                events.put(each.label(), counted);
            }
        }
        // Each write has a value in the first series.
        intervals.add(new RunResult.Interval(endNs, series.get(0).interval().getTotalCount(), events));
        before = now;
    }

    /** Whoever writes learns of a log that has failed; the recorder has to go on. */
    private LogStatistics statistics() {
        try {
            return journal.statistics();
        } catch (PersistException e) {
            return before;
        }
    }

    /** All that have ended, in order of time. */
    public List<RunResult.Interval> list() {
        return List.copyOf(intervals);
    }
}

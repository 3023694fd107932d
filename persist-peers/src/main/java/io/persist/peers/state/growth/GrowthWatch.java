package io.persist.peers.state.growth;

import io.persist.bench.result.HistogramLog;
import io.persist.peers.state.workflow.WorkflowRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * Watches the commands of all rounds: the windows of the metrics, each second of the run, and each deletion of timers.
 * All times are ns since the first round began.
 *
 * <p><b>Threads:</b> one.
 */
final class GrowthWatch implements WorkflowRun.Observer, AutoCloseable {

    /** What happened until {@code endNs}, since the second before, and what the live data were in the end. */
    record Second(long endNs, long taskRuns, long longestNs, long timerScans, long liveBytes) {}

    /** A scan that deleted timers. */
    record TimerScan(long endNs, long deleted, long tookNs) {}

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_NS = TimeUnit.HOURS.toNanos(1);

    private final long startNs;
    private final long startMs;
    private final long windowMs;
    private final long[] readyNs;
    private final long[] startedNs;
    private final List<MetricsWindow> windows = new ArrayList<>();
    private final List<Second> seconds = new ArrayList<>();
    private final List<TimerScan> scans = new ArrayList<>();
    private final Histogram second = new Histogram(LONGEST_NS, 2);
    private final HistogramLog log;
    private LongSupplier liveBytes = () -> 0;
    private MetricsWindow window;
    private long windowEndMs;
    private long secondStartNs;
    private long taskRuns;
    private long timerScans;

    /**
     * @param workflows how many there are in a round
     * @param windowMs how long a window is
     * @param startNs when the first round begins, by System.nanoTime()
     * @param startMs the same, ms since 1970
     * @param latencies where the times of the commands are written, a histogram for each second
     */
    GrowthWatch(int workflows, long windowMs, long startNs, long startMs, Path latencies) throws IOException {
        this.startNs = startNs;
        this.startMs = startMs;
        this.windowMs = windowMs;
        this.readyNs = new long[workflows];
        this.startedNs = new long[workflows];
        this.log = new HistogramLog(Files.newOutputStream(latencies), startMs);
    }

    /** Has it know the live data of the round that begins. */
    void begin(LongSupplier live) {
        liveBytes = live;
    }

    @Override
    public void commandDone(WorkflowRun.Kind kind, int workflow, long endNs, long tookNs) {
        second.recordValue(Math.min(LONGEST_NS, tookNs));
        switch (kind) {
            case WORKFLOW_START -> readyNs[workflow] = endNs;
            case TASK_START -> {
                window(endNs).started(ms(endNs - readyNs[workflow]));
                startedNs[workflow] = endNs;
            }
            case TASK_COMPLETION -> {
                window(endNs).completed(ms(endNs - startedNs[workflow]));
                readyNs[workflow] = endNs;
                taskRuns++;
            }
        }
        if (endNs - startNs - secondStartNs >= SECOND_NS) {
            endSecond(endNs - startNs);
        }
    }

    private static double ms(long ns) {
        return ns / 1e6;
    }

    private MetricsWindow window(long nowNs) {
        long nowMs = startMs + TimeUnit.NANOSECONDS.toMillis(nowNs - startNs);
        if (window == null || nowMs >= windowEndMs) {
            window = new MetricsWindow(nowMs / windowMs * windowMs);
            windowEndMs = window.windowStart + windowMs;
            windows.add(window);
        }
        return window;
    }

    private void endSecond(long endNs) {
        second.setStartTimeStamp(startMs + TimeUnit.NANOSECONDS.toMillis(secondStartNs));
        second.setEndTimeStamp(startMs + TimeUnit.NANOSECONDS.toMillis(endNs));
        log.add(second);
        seconds.add(new Second(endNs, taskRuns, second.getMaxValue(), timerScans, liveBytes.getAsLong()));
        second.reset();
        secondStartNs = endNs;
        taskRuns = 0;
        timerScans = 0;
    }

    @Override
    public void timersDeleted(long count, long endNs, long tookNs) {
        timerScans++;
        scans.add(new TimerScan(endNs - startNs, count, tookNs));
    }

    /** All rounds are done: what is left is a last second, if there is anything in it. */
    @Override
    public void close() throws IOException {
        if (second.getTotalCount() > 0 || timerScans > 0) {
            endSecond(System.nanoTime() - startNs);
        }
        log.close();
    }

    List<MetricsWindow> windows() {
        return windows;
    }

    List<Second> seconds() {
        return seconds;
    }

    List<TimerScan> scans() {
        return scans;
    }
}

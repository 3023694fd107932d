package io.persist.bench.measure;

import io.persist.bench.latency.LatencyRecorder;
import io.persist.bench.latency.LatencySeries;
import io.persist.command.Terminal;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * What is seen while the messages are being written: a line per second and series if wanted, else a progress bar, but
 * only on a terminal. Everything happens on the recorder's thread, and on the bar's own.
 */
public final class LiveOutput implements LatencyRecorder.Listener, AutoCloseable {

    private static final int BAR_UPDATE_MS = 500;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final @Nullable SecondLines seconds;
    private final @Nullable ProgressBar bar;
    private long lastStepNs = System.nanoTime();

    private LiveOutput(@Nullable SecondLines seconds, @Nullable ProgressBar bar) {
        this.seconds = seconds;
        this.bar = bar;
    }

    /** Prints the latencies of each second. */
    public static LiveOutput intervals(PrintStream out) {
        return new LiveOutput(new SecondLines(out), null);
    }

    /** Shows how far the program is, if the standard error stream is a terminal. */
    public static LiveOutput progress(String task, long count, PrintStream err) {
        if (err != System.err || !Terminal.showsErrors()) {
            return new LiveOutput(null, null);
        }
        return new LiveOutput(
                null,
                new ProgressBarBuilder()
                        .setTaskName(task)
                        .setInitialMax(count)
                        .setStyle(ProgressBarStyle.ASCII)
                        .setUpdateIntervalMillis(BAR_UPDATE_MS)
                        .clearDisplayOnFinish()
                        .build());
    }

    @Override
    public void onProgress(long rows) {
        long now = System.nanoTime();
        if (bar != null && now - lastStepNs >= STEP_NS) {
            bar.stepTo(rows);
            lastStepNs = now;
        }
    }

    @Override
    public void onInterval(long endNs, List<LatencySeries> series) {
        if (seconds != null) {
            seconds.add(endNs, series);
        }
    }

    @Override
    public void close() {
        if (seconds != null) {
            seconds.end();
        }
        if (bar != null) {
            bar.close();
        }
    }
}

package io.persist.bench.latency;

import io.persist.bench.result.HistogramLog;
import io.persist.bench.result.ResultFile;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

/**
 * The latencies of one kind: their distribution, overall and in the current interval, and their two files if wanted.
 * When a file cannot be written the latencies are counted on without files, and {@link #checkFiles} says why.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class LatencySeries implements AutoCloseable {

    /** Histograms tell values apart by three digits, up to an hour. */
    private static final int DIGITS = 3;

    private static final long MAX_NS = TimeUnit.HOURS.toNanos(1);

    private final String name;
    private final Histogram total = new Histogram(MAX_NS, DIGITS);
    private final Histogram interval = new Histogram(MAX_NS, DIGITS);
    private @Nullable LatencyFile values;
    private @Nullable Path logPath;
    private @Nullable PrintStream logFile;
    private @Nullable HistogramLogWriter log;
    private @Nullable IOException failure;

    private LatencySeries(String name) {
        this.name = name;
    }

    /** A series that only counts. */
    public static LatencySeries inMemory(String name) {
        return new LatencySeries(name);
    }

    /** A series that writes {@code latencies.<name>.bin} and {@code latencies.<name>.hlog} besides. */
    public static LatencySeries withFiles(String name, Path directory) throws IOException {
        LatencySeries series = new LatencySeries(name);
        List<Path> files = files(name, directory);
        series.values = LatencyFile.create(files.get(0));
        series.logPath = files.get(1);
        OutputStream file = ResultFile.create(files.get(1));
        series.logFile = new PrintStream(file, false, StandardCharsets.UTF_8);
        series.log = new HistogramLogWriter(series.logFile);
        return series;
    }

    /** A series that writes its values to {@code values} and nothing else. */
    static LatencySeries withValues(String name, LatencyFile values) {
        LatencySeries series = new LatencySeries(name);
        series.values = values;
        return series;
    }

    public static List<Path> files(String name, Path directory) {
        return List.of(directory.resolve("latencies." + name + ".bin"), directory.resolve(HistogramLog.fileOf(name)));
    }

    /** Says in the histogram log when its intervals begin. */
    void begin(long startMs) {
        if (log != null) {
            log.outputComment(HistogramLog.COMMENT + " of " + name + " in ns; maxima in ms]");
            log.outputLogFormatVersion();
            log.outputBaseTime(startMs);
            log.outputStartTime(startMs);
            log.outputLegend();
        }
    }

    public void record(long latencyNs) {
        interval.recordValue(Math.min(latencyNs, MAX_NS));
        if (values != null) {
            try {
                values.write(latencyNs);
            } catch (IOException e) {
                dropFiles(e);
            }
        }
    }

    /** Adds the interval to the total, and to the histogram log. Times are in seconds since the start. */
    public void endInterval(double start, double end) {
        total.add(interval);
        if (log != null && logFile != null && logPath != null) {
            log.outputIntervalHistogram(start, end, interval);
            if (logFile.checkError()) {
                dropFiles(LatencyFile.notWritten(logPath, "is the disk full?"));
            }
        }
    }

    public void beginInterval() {
        interval.reset();
    }

    public String name() {
        return name;
    }

    /** Everything up to the end of the last interval. */
    Histogram total() {
        return total;
    }

    /** The current interval, until the next one begins. */
    public Histogram interval() {
        return interval;
    }

    private void dropFiles(IOException why) {
        failure = why;
        close();
    }

    /** @throws IOException if a file could not be written: why, for the first one */
    public void checkFiles() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void close() {
        LatencyFile file = values;
        PrintStream stream = logFile;
        values = null;
        log = null;
        logFile = null;
        if (stream != null) {
            stream.close();
        }
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                failure = failure == null ? e : failure;
            }
        }
    }
}

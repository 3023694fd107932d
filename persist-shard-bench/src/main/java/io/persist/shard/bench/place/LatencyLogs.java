package io.persist.shard.bench.place;

import io.persist.bench.result.HistogramLog;
import io.persist.bench.result.ResultFile;
import io.persist.bench.result.RunResult;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Histogram logs of a run, one for each series. They grow with the run, so that an hour of it needs no memory. A series
 * that never has a value has no file.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class LatencyLogs implements Closeable {

    /** The log of one series. */
    private record Log(String file, HistogramLog log) {}

    private final Path directory;
    private final long startMs;
    private final Map<String, Log> logs = new LinkedHashMap<>();

    /** Logs in {@code directory} of a run that began at {@code startedAt}. */
    LatencyLogs(Path directory, Instant startedAt) {
        this.directory = directory;
        this.startMs = startedAt.toEpochMilli();
    }

    /** Writes a histogram of {@code series}, whose times are in ms since the run began; it is not kept. */
    public void add(String series, Histogram histogram) throws IOException {
        if (histogram.getTotalCount() == 0) {
            return;
        }
        Log own = logs.get(series);
        if (own == null) {
            String file = HistogramLog.fileOf(series);
            own = new Log(file, new HistogramLog(ResultFile.create(directory.resolve(file)), startMs));
            logs.put(series, own);
        }
        Histogram shifted = histogram.copy();
        shifted.setStartTimeStamp(startMs + histogram.getStartTimeStamp());
        shifted.setEndTimeStamp(startMs + histogram.getEndTimeStamp());
        own.log().add(shifted);
    }

    /** What has a file by now. */
    List<RunResult.Series> series() {
        return logs.entrySet().stream()
                .map(entry ->
                        new RunResult.Series(entry.getKey(), entry.getValue().file()))
                .toList();
    }

    @Override
    public void close() throws IOException {
        HistogramLog.closeAll(logs.values().stream().map(Log::log).toList());
    }
}

package io.persist.bench.result;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * A log of histograms as the tools of HdrHistogram read it, with its heading.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class HistogramLog implements Closeable {

    /** With which each begins, as a comment: it is known by that. */
    public static final String COMMENT = "[Persist, latencies";

    private final PrintStream stream;
    private final HistogramLogWriter writer;

    /** Writes the heading to {@code target}, which is closed with this; the run began at {@code startMs}. */
    public HistogramLog(OutputStream target, long startMs) {
        this.stream = new PrintStream(target, false, StandardCharsets.US_ASCII);
        this.writer = new HistogramLogWriter(stream);
        writer.outputComment(COMMENT + " in ns; maxima in ms]");
        writer.outputLogFormatVersion();
        writer.outputStartTime(startMs);
        writer.setBaseTime(startMs);
        writer.outputLegend();
    }

    /** What the log of a series is called. */
    public static String fileOf(String series) {
        return "latencies." + series.replace(' ', '-') + ".hlog";
    }

    /** Makes {@code file} the log of a run of which there is one histogram; sets its times. */
    public static void write(Path file, Histogram latencies, Instant startedAt, long elapsedNs) throws IOException {
        long startMs = startedAt.toEpochMilli();
        latencies.setStartTimeStamp(startMs);
        latencies.setEndTimeStamp(startMs + Math.max(1, elapsedNs / 1_000_000));
        try (HistogramLog log = new HistogramLog(ResultFile.create(file), startMs)) {
            log.add(latencies);
        }
    }

    /** Adds what was counted between its two times, which are in ms since 1970. */
    public void add(Histogram histogram) {
        writer.outputIntervalHistogram(histogram);
    }

    /**
     * Closes it.
     *
     * @throws IOException if not all of it could be written: without some lines it would look like a shorter run
     */
    @Override
    public void close() throws IOException {
        boolean isCut = stream.checkError();
        stream.close();
        if (isCut || stream.checkError()) {
            throw new IOException("latencies could not be written to their log, so it lacks some; is the disk full?");
        }
    }

    /** Closes all of them, and then throws what one has thrown. */
    public static void closeAll(Iterable<HistogramLog> logs) throws IOException {
        IOException failure = null;
        for (HistogramLog log : logs) {
            try {
                log.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}

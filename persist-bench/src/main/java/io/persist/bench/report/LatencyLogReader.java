package io.persist.bench.report;

import io.persist.command.Text;
import io.persist.file.disk.FileReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/** Reads a histogram log of latencies in ns. Each tag in it is a series. */
final class LatencyLogReader {

    private static final int DIGITS = 3;

    private final Path file;

    LatencyLogReader(Path file) {
        this.file = file;
    }

    /**
     * Reads all of it.
     *
     * @param name of the series; those with a tag have it behind that
     * @param maxSlices how many slices a series may have at about
     * @throws IOException if that is not possible; the message names the file and what to do
     */
    Content read(String name, int maxSlices) throws IOException {
        Map<String, Histogram> totals = new LinkedHashMap<>();
        Extent extent = new Extent();
        extent.beginAt(forEach(interval -> {
            extent.add(interval);
            add(totals.computeIfAbsent(tag(interval), tag -> new Histogram(DIGITS)), interval);
        }));
        if (totals.isEmpty()) {
            throw new IOException(file + " has no interval: its run has ended before the first one, or it is no"
                    + " histogram log; move it out of the directory");
        }
        Map<String, Slices<Histogram>> slices = new LinkedHashMap<>();
        long minLengthNs = extent.lengthNs() / maxSlices;
        Function<String, Slices<Histogram>> ofTag = tag -> slices.computeIfAbsent(
                tag, added -> new Slices<>(minLengthNs, LatencyLogReader::add, LatencyLogReader::numbers));
        forEach(interval -> ofTag.apply(tag(interval))
                .add(
                        extent.sinceBeginNs(interval.getStartTimeStamp()),
                        extent.sinceBeginNs(interval.getEndTimeStamp()),
                        interval));
        List<SeriesSummary> series = new ArrayList<>();
        totals.forEach((tag, total) -> series.add(SeriesSummary.of(
                tag.isEmpty() ? name : name + " " + tag, total, ofTag.apply(tag).rows())));
        return new Content(extent.startMs, extent.lengthNs(), series);
    }

    private static String tag(Histogram interval) {
        return interval.getTag() == null ? "" : interval.getTag();
    }

    private static void add(Histogram sum, Histogram values) {
        sum.setAutoResize(true);
        sum.add(values);
    }

    private static List<Long> numbers(Histogram values) {
        return List.of(
                values.getTotalCount(),
                values.getValueAtPercentile(50),
                values.getValueAtPercentile(99),
                values.getMaxValue());
    }

    /**
     * Returns when the log says that its run began, ms since 1970; without a word of that, when its first interval did.
     * The reader takes a line that it does not understand for the end, so the lines are counted too.
     */
    private long forEach(Consumer<Histogram> action) throws IOException {
        long read = 0;
        try (HistogramLogReader reader = new HistogramLogReader(Files.newInputStream(file))) {
            long lines = intervals();
            while (read < lines) {
                EncodableHistogram interval = reader.nextIntervalHistogram();
                if (interval == null) {
                    throw damaged(read, "the next line is none");
                }
                if (!(interval instanceof Histogram histogram)) {
                    throw new IOException(file + " holds fractions, not ns; move it out of the directory");
                }
                action.accept(histogram);
                read++;
            }
            return Math.round(reader.getStartTimeSec() * 1e3);
        } catch (UncheckedIOException e) {
            throw damaged(0, "it is not text");
        } catch (IOException e) {
            throw e.getMessage() != null && e.getMessage().startsWith(file + " ")
                    ? e
                    : new IOException(
                            "cannot read " + file + " (" + FileReason.of(e) + "); give it back its rights,"
                                    + " or move its directory away",
                            e);
        } catch (RuntimeException e) {
            // What the reader throws depends on which part of a line is damaged.
            throw damaged(read, String.valueOf(e.getMessage()));
        }
    }

    private IOException damaged(long read, String why) {
        return new IOException(file + " is damaged after " + Text.number(read, "interval") + " ("
                + why.replaceAll("\\s+", " ") + "); cut off the rest, or move it out of the directory");
    }

    private long intervals() throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> !line.isBlank() && !line.startsWith("#") && !line.startsWith("\"Start"))
                    .count();
        }
    }

    /**
     * What is in it.
     *
     * @param startMs when its first interval began, ms since 1970
     * @param lengthNs from then to the end of the last one
     */
    record Content(long startMs, long lengthNs, List<SeriesSummary> series) {}

    /** From when to when there are intervals, and when the run began, whose other series may begin earlier or later. */
    private static final class Extent {

        private long beginMs;
        private long startMs = Long.MAX_VALUE;
        private long endMs = Long.MIN_VALUE;

        void add(Histogram interval) {
            startMs = Math.min(startMs, interval.getStartTimeStamp());
            endMs = Math.max(endMs, interval.getEndTimeStamp());
        }

        void beginAt(long ms) {
            beginMs = Math.min(ms, startMs);
        }

        long lengthNs() {
            return (endMs - startMs) * 1_000_000;
        }

        long sinceBeginNs(long ms) {
            return (ms - beginMs) * 1_000_000;
        }
    }
}

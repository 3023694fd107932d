package io.persist.shard.bench.loop;

import io.persist.bench.result.Percentile;
import io.persist.command.Text;
import io.persist.shard.bench.place.Traffic;
import io.persist.shard.bench.place.Traffic.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** What the loop says about itself. */
final class LoopLines {

    static final String CAVEAT =
            "A write is handed over when the pipeline has taken it, which is what Materialize calls its latency: that"
                    + " tells when the pipeline is full, and not when a record is durable. From due to durable is"
                    + " beside it.";

    private LoopLines() {}

    static String millis(long ns) {
        return String.format(Locale.ROOT, "%.2f ms", ns / 1e6);
    }

    private static String perSecond(double bytes, long ns) {
        return String.format(Locale.ROOT, "%.2f MiB/s", bytes * 1e9 / Math.max(1, ns) / (1 << 20));
    }

    static String writer(LoopWriter writer, long more, long tookNs, Schedule schedule) {
        return after(schedule) + "writer " + writer.index() + " has written " + Text.grouped(writer.records())
                + " records, " + perSecond((double) more * schedule.data().recordBytes(), tookNs) + ", "
                + Text.grouped(writer.behind()) + " batches behind; handed over in "
                + writer.handOver().text() + "; durable after "
                + writer.durable().text();
    }

    static String reader(LoopReader reader, long more, long tookNs, Schedule schedule) {
        return after(schedule) + "reader " + reader.index() + " has read " + Text.grouped(reader.records())
                + " records, " + perSecond((double) more * schedule.data().recordBytes(), tookNs) + ", lag "
                + Text.grouped(reader.lag()) + " records (" + seconds(schedule.seconds(reader.lag())) + "), at most "
                + Text.grouped(reader.maxLag()) + "; read after "
                + reader.latency().text();
    }

    static String place(Bounds.Sample sample, Schedule schedule) {
        return after(schedule) + sample.text();
    }

    static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.2f s", seconds);
    }

    /** What the disk takes bare, and how much of that this was. */
    static List<String> bare(LoopSummary.Bare bare, double records, double written) {
        return List.of(
                "| the disk bare | before MiB/s | after MiB/s | records | all that was written |",
                "|---|---|---|---|---|",
                bareRow(
                        "one file, a sync for each write",
                        bare.before().file(),
                        bare.behind().file(),
                        records,
                        written),
                bareRow(
                        "objects: a file for each, synced, renamed",
                        bare.before().objects(),
                        bare.behind().objects(),
                        records,
                        written));
    }

    private static String bareRow(String way, double before, double behind, double records, double written) {
        double mean = (before + behind) / 2;
        return String.format(
                Locale.ROOT,
                "| %s | %.2f | %.2f | %.1f %% | %.1f %% |",
                way,
                before,
                behind,
                100 * records / mean,
                100 * written / mean);
    }

    private static String after(Schedule schedule) {
        return String.format(Locale.ROOT, "%7.1f s  ", schedule.elapsedNs() / 1e9);
    }

    /** A row for each kind of latency. */
    static List<String> table(Map<String, Histogram> latencies) {
        List<String> lines =
                new ArrayList<>(List.of("| | n | p50 ms | p95 ms | p99 ms | max ms |", "|---|---|---|---|---|---|"));
        latencies.forEach((name, histogram) -> lines.add(String.format(
                Locale.ROOT,
                "| %s | %,d | %s | %s | %s | %.2f |",
                name,
                histogram.getTotalCount(),
                ms(histogram, 50),
                ms(histogram, 95),
                ms(histogram, 99),
                histogram.getMaxValue() / 1e6)));
        if (latencies.values().stream().anyMatch(each -> !Percentile.hasValuesAbove(99, each.getTotalCount()))) {
            lines.addAll(List.of("", Percentile.LEGEND));
        }
        return lines;
    }

    private static String ms(Histogram latencies, double percentile) {
        return String.format(Locale.ROOT, "%.2f", latencies.getValueAtPercentile(percentile) / 1e6)
                + Percentile.mark(percentile, latencies.getTotalCount());
    }

    /** What was written for each byte of the records. */
    static String amplification(Traffic traffic, long bytes) {
        return String.format(
                Locale.ROOT,
                "Written: %s of records, %s into the blob, %s into the consensus: %.2f bytes for each byte.",
                Text.bytes(bytes),
                Text.bytes(traffic.get(Counter.BLOB_SET_BYTES)),
                Text.bytes(traffic.get(Counter.CAS_BYTES)),
                amplificationOf(traffic, bytes));
    }

    static double amplificationOf(Traffic traffic, long bytes) {
        return bytes == 0 ? 0 : (double) traffic.writtenBytes() / bytes;
    }
}

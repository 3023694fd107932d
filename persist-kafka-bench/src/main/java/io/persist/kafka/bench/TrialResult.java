package io.persist.kafka.bench;

import io.persist.bench.host.SpaceWatch;
import io.persist.bench.result.Median;
import io.persist.kafka.bench.server.EngineKind;
import io.persist.kafka.bench.server.RunMeasures.Call;
import io.persist.kafka.bench.server.RunResultJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What was found out about an engine in one round.
 *
 * @param engine which
 * @param round its number, from 1 on
 * @param result what the server has measured
 * @param peakMemory of the server's process, with what it has of mapped files, bytes; -1 if it is not known
 * @param ownMemory of it in the end, without mapped files, bytes; -1 if it is not known
 * @param disk how long the files of the state were
 * @param killed how it came back after it was killed; null if that was not asked for
 * @param restored how its state was restored; null if that was not asked for
 * @param checksum of the state
 */
record TrialResult(
        EngineKind engine,
        int round,
        RunResultJson result,
        long peakMemory,
        long ownMemory,
        List<SpaceWatch.Sample> disk,
        Return killed,
        Return restored,
        long checksum) {

    private static final double PERCENTILE_99 = 99;
    private static final double PERCENTILE_999 = 99.9;

    /**
     * How an instance has come back.
     *
     * @param elapsedNs from its end until it executed commands again, with the start of the JVM
     * @param restoreNs of that, Kafka's listener was told about a restore
     * @param records that were restored
     */
    record Return(long elapsedNs, long restoreNs, long records) {}

    long peakFileBytes() {
        return disk.stream().mapToLong(SpaceWatch.Sample::bytes).max().orElse(0);
    }

    long finalFileBytes() {
        return disk.get(disk.size() - 1).bytes();
    }

    /** All numbers, by name with the unit; those that are not known lack. */
    Map<String, Double> figures() {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("commands/s", result.perSecond());
        figures.put("store's share of the time %", 100 * result.storeShare());
        figures.put("longest pause ms", ms(result.longestGapNs()));
        result.histograms().forEach((call, histogram) -> put(call, histogram, figures));
        RunResultJson.Scans scans = result.scans();
        figures.put("timer scans", (double) scans.count());
        figures.put("timers deleted", (double) scans.deleted());
        figures.put("timer scans s", scans.tookNs() / 1e9);
        figures.put("longest timer scan ms", ms(scans.longestNs()));
        figures.put("live MB", result.liveBytes() / 1e6);
        figures.put("peak files MB", peakFileBytes() / 1e6);
        figures.put("final files MB", finalFileBytes() / 1e6);
        if (result.liveBytes() > 0) {
            figures.put("peak files / live", (double) peakFileBytes() / result.liveBytes());
        }
        if (peakMemory >= 0) {
            figures.put("peak RSS MB", peakMemory / 1e6);
        }
        if (ownMemory >= 0) {
            figures.put("RSS without mapped files MB", ownMemory / 1e6);
        }
        if (killed != null) {
            figures.put("kill -9 to RUNNING ms", ms(killed.elapsedNs));
            figures.put("records restored after kill -9", (double) killed.records);
        }
        if (restored != null) {
            figures.put("restore s", restored.restoreNs / 1e9);
            figures.put(
                    "restored records/s", restored.restoreNs == 0 ? 0 : restored.records * 1e9 / restored.restoreNs);
        }
        return figures;
    }

    private static void put(Call call, Histogram histogram, Map<String, Double> figures) {
        if (histogram.getTotalCount() == 0) {
            return;
        }
        String name = call.id();
        if (call == Call.RANGE || call == Call.COMMIT) { // there are few of them
            figures.put(name + " max ms", ms(histogram.getMaxValue()));
            return;
        }
        figures.put(name + " p50 µs", us(histogram.getValueAtPercentile(50)));
        figures.put(name + " p99 µs", us(histogram.getValueAtPercentile(PERCENTILE_99)));
        figures.put(name + " p99.9 µs", us(histogram.getValueAtPercentile(PERCENTILE_999)));
        figures.put(name + " max ms", ms(histogram.getMaxValue()));
    }

    private static double ms(long ns) {
        return ns / 1e6;
    }

    private static double us(long ns) {
        return ns / 1e3;
    }

    /** The median of each figure that all of them have. */
    static Map<String, Double> medians(List<TrialResult> results) {
        return mediansOf(results.stream().map(TrialResult::figures).toList());
    }

    static Map<String, Double> mediansOf(List<Map<String, Double>> all) {
        Map<String, Double> medians = new LinkedHashMap<>();
        for (String name : all.get(0).keySet()) {
            if (all.stream().allMatch(figures -> figures.containsKey(name))) {
                Median.of(all.stream().mapToDouble(figures -> figures.get(name)))
                        .ifPresent(median -> medians.put(name, median));
            }
        }
        return medians;
    }
}

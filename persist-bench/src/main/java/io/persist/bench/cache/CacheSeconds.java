package io.persist.bench.cache;

import io.persist.bench.result.HistogramLog;
import io.persist.bench.result.ResultFile;
import io.persist.bench.result.RunFiles;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * What happened in each second of a run, and the latencies of all of it.
 *
 * <p><b>Threads:</b> one at a time; those that serve clients record meanwhile.
 */
final class CacheSeconds implements Closeable {

    private static final int DIGITS = 3;

    /** Checkpoints, and the files that RocksDB has in their place. */
    private static final List<String> CHECKPOINTS = List.of("checkpoint-", ".sst");

    /**
     * A second, or what is left of one.
     *
     * @param endNs since the beginning of the run
     * @param checkpointBytes that the files of checkpoints have grown by
     * @param cpuPercent of one CPU that the process has used
     */
    record Second(long endNs, long sets, long gets, long syncs, long checkpointBytes, double cpuPercent) {

        /** What the columns of {@link #line} mean. */
        static final String HEADING = "  second      sets/s      gets/s     syncs/s  checkpoint MB    CPU %";

        /** Of which the one before ended at {@code startNs}. */
        String line(long startNs) {
            double seconds = (endNs - startNs) / 1e9;
            return String.format(
                    Locale.ROOT,
                    "%8.1f %,11.0f %,11.0f %,11.0f %14.1f %8.0f",
                    endNs / 1e9,
                    sets / seconds,
                    gets / seconds,
                    syncs / seconds,
                    checkpointBytes / 1e6,
                    cpuPercent);
        }
    }

    private final CacheEngine engine;
    private final Path data;
    private final List<CacheThread> threads;
    private final long startNs = System.nanoTime();
    private final long startMs = System.currentTimeMillis();
    private final Map<String, Histogram> sums = new LinkedHashMap<>();
    private final Map<String, HistogramLog> logs = new LinkedHashMap<>();
    private final List<Second> seconds = new ArrayList<>();
    private final Map<String, Long> checkpoints = new HashMap<>();
    private long endNs;
    private long syncs;
    private Duration cpu = cpu();

    /** Looks at these; {@code output} is where histogram logs are left, if {@code writes}. */
    CacheSeconds(CacheEngine engine, Path data, List<CacheThread> threads) {
        this.engine = engine;
        this.data = data;
        this.threads = threads;
        this.syncs = engine.syncs();
        checkpointBytes();
        sums.put("set", histogram());
        sums.put("get", histogram());
    }

    static SingleWriterRecorder recorder() {
        return new SingleWriterRecorder(DIGITS);
    }

    static Histogram histogram() {
        return new Histogram(DIGITS);
    }

    /** Leaves a histogram log of sets and of gets in {@code directory}, too, instead of what an earlier run left. */
    void writeTo(Path directory) throws IOException {
        RunFiles.begin(CacheCommand.NAME, directory);
        for (String series : sums.keySet()) {
            OutputStream file = ResultFile.create(directory.resolve(HistogramLog.fileOf(series)));
            logs.put(series, new HistogramLog(file, startMs));
        }
    }

    /** Ends a second. */
    Second next() {
        long beganNs = endNs;
        endNs = System.nanoTime() - startNs;
        Histogram sets = interval("set", beganNs);
        Histogram gets = interval("get", beganNs);
        long nowSyncs = engine.syncs();
        Duration nowCpu = cpu();
        Second second = new Second(
                endNs,
                sets.getTotalCount(),
                gets.getTotalCount(),
                nowSyncs - syncs,
                checkpointBytes(),
                100.0 * nowCpu.minus(cpu).toNanos() / Math.max(1, endNs - beganNs));
        syncs = nowSyncs;
        cpu = nowCpu;
        seconds.add(second);
        return second;
    }

    private Histogram interval(String series, long beganNs) {
        Histogram interval = histogram();
        for (CacheThread thread : threads) {
            SingleWriterRecorder recorder = series.equals("set") ? thread.sets() : thread.gets();
            interval.add(recorder.getIntervalHistogram());
        }
        // Behind the additions, of which each takes the recorder's own times in: they are of before the items were
        // loaded.
        interval.setStartTimeStamp(startMs + beganNs / 1_000_000);
        interval.setEndTimeStamp(startMs + endNs / 1_000_000);
        Histogram sum = sums.get(series);
        HistogramLog log = logs.get(series);
        if (sum != null) {
            sum.add(interval);
        }
        if (log != null && interval.getTotalCount() > 0) {
            log.add(interval);
        }
        return interval;
    }

    /** Bytes by which the files have grown since the last time; one is known by its name until it is deleted. */
    private long checkpointBytes() {
        long grown = 0;
        try (Stream<Path> all = Files.list(data)) {
            for (Path file : all.toList()) {
                String name = String.valueOf(file.getFileName()).replaceFirst("\\.tmp$", "");
                if (CHECKPOINTS.stream().anyMatch(name::contains)) {
                    long length = length(file);
                    long before = checkpoints.getOrDefault(name, 0L);
                    grown += Math.max(0, length - before);
                    checkpoints.put(name, Math.max(length, before));
                }
            }
        } catch (NoSuchFileException e) {
            return grown; // a map has no directory
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return grown;
    }

    private static long length(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException deleted) {
            return 0;
        }
    }

    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    List<Second> all() {
        return List.copyOf(seconds);
    }

    long elapsedNs() {
        return endNs;
    }

    Map<String, Histogram> latencies() {
        return sums;
    }

    @Override
    public void close() throws IOException {
        HistogramLog.closeAll(logs.values());
    }
}

package io.persist.micrometer;

import static io.persist.micrometer.Measure.Kind.BYTES;
import static io.persist.micrometer.Measure.Kind.BYTE_COUNT;
import static io.persist.micrometer.Measure.Kind.COUNT;
import static io.persist.micrometer.Measure.Kind.NUMBER;
import static io.persist.micrometer.Measure.Kind.TIME;
import static io.persist.micrometer.Measure.Kind.TIME_COUNT;
import static io.persist.micrometer.Measure.OfMany.MAXIMUM;
import static io.persist.micrometer.Measure.OfMany.MINIMUM;
import static io.persist.micrometer.Measure.OfMany.NOTHING;

import io.persist.LogMonitor.Extent;
import io.persist.monitor.Counter;
import io.persist.monitor.LogStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * The meters of a log: its counters and its positions.
 *
 * @param statistics of the log
 * @param end where the log ends
 * @param accepted where it will end once the queue is written
 * @param flushed up to where it survives the process
 * @param synced up to where it survives a power cut
 * @param hasFailed whether it takes no more
 * @param directory where the one log is that these measures are for
 */
record LogMeasures<L>(
        Function<L, LogStatistics> statistics,
        ToLongFunction<L> end,
        ToLongFunction<L> accepted,
        ToLongFunction<L> flushed,
        ToLongFunction<L> synced,
        Predicate<L> hasFailed,
        String directory) {

    List<Measure<L>> all() {
        DirectoryMonitor monitor = new DirectoryMonitor(directory);
        List<Measure<L>> all = new ArrayList<>(counters());
        all.add(new Measure<>("sync.age", TIME, "how long the sync under way has taken so far", this::syncAgeNs));
        all.add(new Measure<>(
                "failed", NUMBER, "1 if the log has failed and takes no more", log -> hasFailed.test(log) ? 1 : 0));
        all.add(new Measure<>("position", BYTES, NOTHING, "where the log ends", end::applyAsLong));
        all.add(new Measure<>(
                "unflushed", BYTES, "what a kill of the process would lose", log -> behind(log, flushed)));
        all.add(new Measure<>("unsynced", BYTES, "what a power cut would lose", log -> behind(log, synced)));
        all.add(new Measure<>(
                "cursor.lag",
                BYTES,
                MAXIMUM,
                "what the slowest named cursor has still to read, of what is committed or synced",
                log -> monitor.get().read().slowestCursorLag()));
        all.addAll(extent(new ScrapeReading<>(() -> monitor.get().extent())));
        return all.stream()
                .map(measure -> new Measure<>(
                        "persist.log." + measure.name(),
                        measure.kind(),
                        measure.ofMany(),
                        measure.meaning(),
                        measure.value()))
                .toList();
    }

    private List<Measure<L>> counters() {
        return List.of(
                counter("records", COUNT, Counter.RECORDS),
                counter("payload", BYTE_COUNT, Counter.BYTES),
                counter("commits", COUNT, Counter.COMMITS),
                counter("commits.synced", COUNT, Counter.SYNCED_COMMITS),
                counter("rolls", COUNT, Counter.ROLLS),
                counter("segments.filled", COUNT, Counter.SEGMENTS_FILLED),
                counter("filled", BYTE_COUNT, Counter.FILLED_BYTES),
                counter("stalls", COUNT, Counter.STALLS),
                counter("stall.time", TIME_COUNT, Counter.STALL_NS),
                counter("stall.max", TIME, Counter.STALL_MAX_NS),
                counter("refusals", COUNT, Counter.REFUSALS),
                counter("paces", COUNT, Counter.PACES),
                counter("pace.time", TIME_COUNT, Counter.PACE_NS),
                counter("syncs", COUNT, Counter.SYNCS),
                counter("sync.time", TIME_COUNT, Counter.SYNC_NS),
                counter("sync.max", TIME, Counter.SYNC_MAX_NS),
                counter("queue.capacity", NUMBER, Counter.QUEUE_CAPACITY),
                counter("queue.size", NUMBER, Counter.QUEUE_DEPTH),
                counter("queue.max", NUMBER, Counter.QUEUE_MAX_DEPTH).with(MAXIMUM),
                counter("queue.full", COUNT, Counter.QUEUE_FULL),
                counter("queue.wait.time", TIME_COUNT, Counter.QUEUE_WAIT_NS),
                counter("batches", COUNT, Counter.BATCHES),
                counter("batch.entries", COUNT, Counter.BATCH_ENTRIES),
                counter("batch.max", NUMBER, Counter.BATCH_MAX).with(MAXIMUM));
    }

    private Measure<L> counter(String name, Measure.Kind kind, Counter counter) {
        return new Measure<>(
                name, kind, counter.meaning(), log -> statistics.apply(log).get(counter));
    }

    /** The positions are read one after the other, while the log goes on. */
    private double behind(L log, ToLongFunction<L> position) {
        long reached = position.applyAsLong(log);
        return Math.max(0, Math.max(end.applyAsLong(log), accepted.applyAsLong(log)) - reached);
    }

    private double syncAgeNs(L log) {
        long beganAtMs = statistics.apply(log).syncBeganAtMs();
        return beganAtMs == 0 ? 0 : TimeUnit.MILLISECONDS.toNanos(Math.max(0, System.currentTimeMillis() - beganAtMs));
    }

    /** How large the log is, by its files. */
    List<Measure<L>> extent(ScrapeReading<Extent> extents) {
        return List.of(
                of("first.position", BYTES, "where the log begins", extents, Extent::firstPosition)
                        .with(NOTHING),
                of("size", BYTES, "log from where it begins to where it ends", extents, Extent::bytes),
                of("segments", NUMBER, "files that hold the log", extents, Extent::segments),
                of("files", BYTES, "lengths of all files in the log's directory", extents, Extent::fileBytes),
                of(
                        "oldest.age",
                        TIME,
                        "how long ago the oldest sealed segment was sealed; 0: none was",
                        extents,
                        LogMeasures::oldestAgeNs),
                of(
                                "disk.usable",
                                BYTES,
                                "what can still be written to the log's file system",
                                extents,
                                Extent::usableBytes)
                        .with(MINIMUM));
    }

    private Measure<L> of(
            String name,
            Measure.Kind kind,
            String meaning,
            ScrapeReading<Extent> extents,
            ToLongFunction<Extent> value) {
        return new Measure<>(name, kind, meaning, log -> value.applyAsLong(extents.of(name)));
    }

    private static long oldestAgeNs(Extent extent) {
        return TimeUnit.MILLISECONDS.toNanos(extent.oldestAgeMs(System.currentTimeMillis()));
    }
}

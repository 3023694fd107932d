package io.persist.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.persist.Journal;
import io.persist.StoreLogger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The counters and positions of a logger or store, as meters. Each has the tag {@code log}, the log's directory; or, of
 * many together, none that tells one log from another.
 *
 * <pre>{@code
 * PersistMetrics metrics = PersistMetrics.of(logger, Tag.of("service", "orders"));
 * metrics.bindTo(registry);
 * }</pre>
 *
 * <p>The meters read what the log counts anyway, and only when they are looked at: nothing is added to any call of the
 * logger. Those of cursors are read from the files of the cursors, which readers in other processes move; a named
 * cursor that is new or gone gets or loses its meter when {@code persist.log.cursors} is read. How large the log is,
 * and how much room the disk has, is read from the log's directory, once for a scrape. The other meters of a logger
 * that is closed keep the numbers that were read last, for the first time when they were bound. They hold no logger
 * that nobody else has any more; a log that is opened again and bound again takes their place.
 *
 * <p><b>Threads:</b> any.
 */
public final class PersistMetrics implements MeterBinder, AutoCloseable {

    private static final double NS_PER_S = TimeUnit.SECONDS.toNanos(1);

    private final List<Function<MeterRegistry, Binding>> bindings = new ArrayList<>();
    private final Map<MeterRegistry, List<Binding>> bound = new LinkedHashMap<>();

    private PersistMetrics() {}

    /** The meters {@code persist.log.*} of a logger of messages or packets; {@code tags} besides {@code log}. */
    public static PersistMetrics of(Journal logger, Tag... tags) {
        PersistMetrics metrics = new PersistMetrics();
        String directory = logger.recovery().log();
        Tags all = Tags.of("log", directory).and(tags);
        metrics.add(measures(directory), logger, all);
        metrics.addCursors(directory, all);
        return metrics;
    }

    /** The meters {@code persist.store.*} of a store, and {@code persist.log.*} of its log. */
    public static PersistMetrics of(StoreLogger store, Tag... tags) {
        PersistMetrics metrics = new PersistMetrics();
        String directory = store.logRecovery().log();
        Tags all = Tags.of("log", directory).and(tags);
        metrics.add(storeLogMeasures(directory), store, all);
        metrics.addCursors(directory, all);
        metrics.add(StoreMeasures.all(), store, all);
        return metrics;
    }

    /**
     * The meters {@code persist.logs.*} of many loggers together: one set of meters for all of them, in place of one
     * for each with its tag {@code log}. Most are sums; lags and times are those of the worst log, the room on the disk
     * is the least. What a logger has counted stays in the sums when it leaves the collection, also if its log is then
     * opened again; it is missing if the meters were not read between its joining and its leaving. A later set with the
     * same tags takes the place of this one.
     *
     * @param loggers those that count; they may come and go while the meters are read, by another thread: so a
     *     concurrent collection, such as {@code ConcurrentHashMap.values()}. One that has left is held until the meters
     *     are read the next time
     * @param tags of all meters
     */
    public static PersistMetrics ofAll(Collection<? extends Journal> loggers, Tag... tags) {
        Function<Journal, List<Measure<Journal>>> each =
                logger -> measures(logger.recovery().log());
        return together(new Totals<>(loggers, each, measures("")), tags);
    }

    /**
     * The meters {@code persist.stores.*} of many stores together, and {@code persist.logs.*} of their logs, as {@link
     * #ofAll} says. Give these and those of other logs a tag that tells them apart.
     */
    public static PersistMetrics ofAllStores(Collection<StoreLogger> stores, Tag... tags) {
        Function<StoreLogger, List<Measure<StoreLogger>>> each =
                store -> storeMeasures(store.logRecovery().log());
        return together(new Totals<>(stores, each, storeMeasures("")), tags);
    }

    private static <L> PersistMetrics together(Totals<L> totals, Tag... tags) {
        PersistMetrics metrics = new PersistMetrics();
        metrics.add(totals.measures(), totals, Tags.of(tags));
        return metrics;
    }

    private static List<Measure<StoreLogger>> storeMeasures(String directory) {
        return Stream.of(storeLogMeasures(directory), StoreMeasures.all())
                .flatMap(List::stream)
                .toList();
    }

    /** Those of the log in {@code directory}. */
    static List<Measure<Journal>> measures(String directory) {
        return new LogMeasures<Journal>(
                        Journal::statistics,
                        Journal::position,
                        Journal::acceptedPosition,
                        Journal::flushedPosition,
                        Journal::syncedPosition,
                        Journal::hasFailed,
                        directory)
                .all();
    }

    private static List<Measure<StoreLogger>> storeLogMeasures(String directory) {
        return new LogMeasures<StoreLogger>(
                        StoreLogger::logStatistics,
                        StoreLogger::position,
                        StoreLogger::acceptedPosition,
                        StoreLogger::flushedPosition,
                        StoreLogger::syncedPosition,
                        StoreLogger::hasFailed,
                        directory)
                .all();
    }

    private <L> void add(List<Measure<L>> measures, L log, Tags tags) {
        for (Measure<L> measure : measures) {
            LastValue<L> value = new LastValue<>(log, scaled(measure));
            bindings.add(registry -> {
                value.read(); // so that there is a last number, however soon the log is closed
                return BoundMeter.bind(registry, measure, value::read, tags);
            });
        }
    }

    private void addCursors(String directory, Tags tags) {
        bindings.add(registry -> CursorMeters.bind(registry, Path.of(directory), tags));
    }

    private static <L> ToDoubleFunction<L> scaled(Measure<L> measure) {
        return measure.kind().isTime() ? log -> measure.value().applyAsDouble(log) / NS_PER_S : measure.value();
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        List<Binding> inRegistry = bound.computeIfAbsent(registry, first -> new ArrayList<>());
        for (Function<MeterRegistry, Binding> binding : bindings) {
            inRegistry.add(binding.apply(registry));
        }
    }

    /** Takes the meters out of their registries, but for those that another logger has taken over. */
    @Override
    public synchronized void close() {
        bound.forEach((registry, inRegistry) -> {
            Set<Meter> there = BoundMeter.of(registry);
            inRegistry.forEach(binding -> binding.unbind(there));
        });
        bound.clear();
    }
}

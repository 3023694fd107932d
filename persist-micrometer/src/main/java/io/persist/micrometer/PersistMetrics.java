package io.persist.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.persist.Journal;
import io.persist.StoreLogger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The counters and positions of a logger or store, as meters. Each has the tag {@code log}, the log's directory.
 *
 * <pre>{@code
 * PersistMetrics metrics = PersistMetrics.of(logger, Tag.of("service", "orders"));
 * metrics.bindTo(registry);
 * }</pre>
 *
 * <p>The meters read what the log counts anyway, and only when they are looked at: nothing is added to any call of the
 * logger. {@code persist.log.cursor.lag} is read from the files of the cursors, which readers in other processes move.
 * The others of a logger that is closed keep the numbers that were read last, for the first time when they were bound.
 * They hold no logger that nobody else has any more; a log that is opened again and bound again takes their
 * place.
 *
 * <p><b>Threads:</b> any.
 */
public final class PersistMetrics implements MeterBinder, AutoCloseable {

    private static final double NS_PER_S = TimeUnit.SECONDS.toNanos(1);

    private interface Registration {
        Meter in(MeterRegistry registry);
    }

    private record Bound(MeterRegistry registry, Meter meter) {}

    private final List<Registration> registrations = new ArrayList<>();
    private final List<Bound> bound = new ArrayList<>();

    private PersistMetrics() {}

    /** The meters {@code persist.log.*} of a logger of messages or packets; {@code tags} besides {@code log}. */
    public static PersistMetrics of(Journal logger, Tag... tags) {
        PersistMetrics metrics = new PersistMetrics();
        metrics.add(measures(), logger, Tags.of("log", logger.recovery().log()).and(tags));
        return metrics;
    }

    /** The meters {@code persist.store.*} of a store, and {@code persist.log.*} of its log. */
    public static PersistMetrics of(StoreLogger store, Tag... tags) {
        PersistMetrics metrics = new PersistMetrics();
        Tags all = Tags.of("log", store.logRecovery().log()).and(tags);
        metrics.add(storeLogMeasures(), store, all);
        metrics.add(StoreMeasures.all(), store, all);
        return metrics;
    }

    static List<Measure<Journal>> measures() {
        return new LogMeasures<Journal>(
                        Journal::statistics,
                        Journal::position,
                        Journal::acceptedPosition,
                        Journal::flushedPosition,
                        Journal::syncedPosition,
                        Journal::hasFailed,
                        logger -> logger.recovery().log())
                .all();
    }

    private static List<Measure<StoreLogger>> storeLogMeasures() {
        return new LogMeasures<StoreLogger>(
                        StoreLogger::logStatistics,
                        StoreLogger::position,
                        StoreLogger::acceptedPosition,
                        StoreLogger::flushedPosition,
                        StoreLogger::syncedPosition,
                        StoreLogger::hasFailed,
                        store -> store.logRecovery().log())
                .all();
    }

    private <L> void add(List<Measure<L>> measures, L log, Tags tags) {
        for (Measure<L> measure : measures) {
            LastValue<L> value = new LastValue<>(log, scaled(measure));
            registrations.add(registry -> register(registry, measure, value, tags));
        }
    }

    private static <L> ToDoubleFunction<L> scaled(Measure<L> measure) {
        return measure.kind().isTime() ? log -> measure.value().applyAsDouble(log) / NS_PER_S : measure.value();
    }

    /**
     * Takes the place of the meter of a logger that was closed; else its last numbers would stay for ever. Filters of
     * the registry may have given that one other tags: then the registry returns it when the new one is made.
     */
    private static <L> Meter register(MeterRegistry registry, Measure<L> measure, LastValue<L> value, Tags tags) {
        value.read(); // so that there is a last number, however soon the log is closed
        for (Meter earlier : registry.find(measure.name()).tags(tags).meters()) {
            if (Tags.of(earlier.getId().getTags()).equals(tags)) {
                registry.remove(earlier);
            }
        }
        Set<Meter> before = Collections.newSetFromMap(new IdentityHashMap<>());
        before.addAll(registry.find(measure.name()).meters());
        Meter made = make(registry, measure, value, tags);
        if (!before.contains(made)) {
            return made;
        }
        registry.remove(made);
        return make(registry, measure, value, tags);
    }

    /** A meter has a weak reference to its object; the function holds it too, so that it lives as long as the meter. */
    private static <L> Meter make(MeterRegistry registry, Measure<L> measure, LastValue<L> value, Tags tags) {
        String unit = measure.kind().unit().isEmpty() ? null : measure.kind().unit();
        ToDoubleFunction<LastValue<L>> reading = same -> value.read();
        return measure.kind().isCounter()
                ? FunctionCounter.builder(measure.name(), value, reading)
                        .tags(tags)
                        .baseUnit(unit)
                        .description(measure.meaning())
                        .register(registry)
                : Gauge.builder(measure.name(), value, reading)
                        .tags(tags)
                        .baseUnit(unit)
                        .description(measure.meaning())
                        .register(registry);
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        for (Registration registration : registrations) {
            bound.add(new Bound(registry, registration.in(registry)));
        }
    }

    /** Takes the meters out of their registries, but for those that another logger has taken over. */
    @Override
    public synchronized void close() {
        for (Bound each : bound) {
            Meter own = each.meter;
            boolean isThere =
                    each.registry.find(own.getId().getName()).meters().stream().anyMatch(meter -> meter == own);
            if (isThere) {
                each.registry.remove(own);
            }
        }
        bound.clear();
    }
}

package io.persist.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;

/**
 * One meter in a registry.
 *
 * @param registry where it is
 * @param meter it
 */
record BoundMeter(MeterRegistry registry, Meter meter) implements Binding {

    /**
     * Takes the place of the meter of a logger that was closed; else its last numbers would stay for ever. Filters of
     * the registry may have given that one another name and other tags: then the registry returns it when the new one
     * is made.
     */
    static BoundMeter bind(MeterRegistry registry, Measure<?> measure, DoubleSupplier value, Tags tags) {
        for (Meter earlier : registry.find(measure.name()).tags(tags).meters()) {
            if (Tags.of(earlier.getId().getTags()).equals(tags)) {
                registry.remove(earlier);
            }
        }
        Set<Meter> before = Collections.newSetFromMap(new IdentityHashMap<>());
        before.addAll(registry.getMeters());
        Meter made = make(registry, measure, value, tags);
        if (before.contains(made)) {
            registry.remove(made);
            made = make(registry, measure, value, tags);
        }
        return new BoundMeter(registry, made);
    }

    /**
     * The name and the tags that filters of the registry make of these. Only a meter tells that: one is made and taken
     * out again. If there was one already, that is taken out.
     */
    static Meter.Id idOf(MeterRegistry registry, Measure<?> measure, Tags tags) {
        Meter probe = make(registry, measure, () -> Double.NaN, tags);
        registry.remove(probe);
        return probe.getId();
    }

    /** A meter has a weak reference to its object; the function holds it too, so that it lives as long as the meter. */
    private static Meter make(MeterRegistry registry, Measure<?> measure, DoubleSupplier value, Tags tags) {
        String unit = measure.kind().unit().isEmpty() ? null : measure.kind().unit();
        ToDoubleFunction<DoubleSupplier> reading = same -> value.getAsDouble();
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
    public void close() {
        boolean isThere =
                registry.find(meter.getId().getName()).meters().stream().anyMatch(other -> other == meter);
        if (isThere) {
            registry.remove(meter);
        }
    }
}

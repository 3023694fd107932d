package io.persist.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;

/**
 * One meter in a registry.
 *
 * @param registry where it is
 * @param meter it
 * @param tookOver whether it has the place of one that was there
 */
record BoundMeter(MeterRegistry registry, Meter meter, boolean tookOver) implements Binding {

    /**
     * Takes the place of the meter of a logger that was closed; else its last numbers would stay for ever. If there is
     * one of this name and these tags, as filters of the registry make them, the registry returns that one. It is told
     * by its value, and not looked for: a registry of many logs has tens of thousands of meters.
     */
    static BoundMeter bind(MeterRegistry registry, Measure<?> measure, DoubleSupplier value, Tags tags) {
        AtomicBoolean isAsked = new AtomicBoolean();
        DoubleSupplier noted = () -> {
            isAsked.set(true);
            return value.getAsDouble();
        };
        Meter made = make(registry, measure, noted, tags);
        made.measure().forEach(Measurement::getValue);
        if (isAsked.get()) {
            return new BoundMeter(registry, made, false);
        }
        boolean wasThere = registry.remove(made) != null; // or it is one that a filter keeps out
        return new BoundMeter(registry, make(registry, measure, value, tags), wasThere);
    }

    /** All meters of {@code registry}, as {@link #unbind} wants them. */
    static Set<Meter> of(MeterRegistry registry) {
        Set<Meter> there = Collections.newSetFromMap(new IdentityHashMap<>());
        there.addAll(registry.getMeters());
        return there;
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
    public void unbind(Set<Meter> there) {
        if (there.contains(meter)) {
            registry.remove(meter);
        }
    }
}

package io.persist.micrometer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * What the measures of many logs are together. Logs come and go, in a collection of the application's. What one has
 * counted stays when it goes: a counter that falls would seem to have begun anew, and to have counted since then all
 * that is left.
 *
 * <pre>
 *   each log in the collection ──▶ its numbers ──┐
 *   those that have gone ──▶ what they counted ──┴──▶ a number for each measure, once for a scrape
 * </pre>
 *
 * <p><b>Threads:</b> any. None waits for another one that adds up: it gets what there was before.
 */
final class Totals<L> {

    private final Collection<? extends L> logs;
    private final Function<L, List<Measure<L>>> measuresOf;
    private final List<Measure<L>> measures;
    private final ScrapeReading<double[]> readings = new ScrapeReading<>(this::addUp);
    private final ReentrantLock adding = new ReentrantLock();

    /**
     * The numbers of each log. By identity: one that is opened again is another one, which begins at 0. They hold the
     * log, to ask it once more when it has gone.
     */
    private final Map<L, List<LastValue<L>>> numbers = new IdentityHashMap<>(); // with the lock

    /** What those have counted that have gone; of what is no counter what it is of no log. */
    private final double[] gone; // with the lock

    /** The number of each measure, and of the logs. */
    private volatile double[] last;

    /**
     * Totals of {@code logs}.
     *
     * @param measuresOf the measures of each, all alike
     * @param measures such measures, of no log
     */
    Totals(Collection<? extends L> logs, Function<L, List<Measure<L>>> measuresOf, List<Measure<L>> measures) {
        this.logs = logs;
        this.measuresOf = measuresOf;
        this.measures = measures;
        this.gone = measures.stream()
                .mapToDouble(measure -> measure.ofMany().ofNone())
                .toArray();
        this.last = Arrays.copyOf(gone, gone.length + 1);
    }

    /** The measures of all logs together; these hold this object. */
    List<Measure<Totals<L>>> measures() {
        List<Measure<Totals<L>>> all = new ArrayList<>();
        for (int i = 0; i < measures.size(); i++) {
            Measure<L> measure = measures.get(i);
            if (measure.ofMany() != Measure.OfMany.NOTHING) {
                String name = measure.name().replaceFirst("^persist\\.(log|store)\\.", "persist.$1s.");
                all.add(of(name, measure.kind(), measure.meaning(), i));
            }
        }
        all.add(of("persist.logs.open", Measure.Kind.NUMBER, "logs that the others are of together", measures.size()));
        return all;
    }

    private Measure<Totals<L>> of(String name, Measure.Kind kind, String meaning, int index) {
        return new Measure<>(name, kind, meaning, same -> readings.of(name)[index]);
    }

    private double[] addUp() {
        if (!adding.tryLock()) {
            return last;
        }
        try {
            Set<L> now = Collections.newSetFromMap(new IdentityHashMap<>());
            now.addAll(logs);
            numbers.forEach((log, values) -> {
                if (!now.contains(log)) {
                    keepCounted(values);
                }
            });
            numbers.keySet().retainAll(now);
            double[] totals = Arrays.copyOf(gone, gone.length + 1);
            for (L log : now) {
                add(numbers.computeIfAbsent(log, this::numbersOf), totals);
            }
            totals[gone.length] = now.size();
            last = totals;
            return totals;
        } finally {
            adding.unlock();
        }
    }

    private List<LastValue<L>> numbersOf(L log) {
        return measuresOf.apply(log).stream()
                .map(measure -> new LastValue<>(log, measure.value()))
                .toList();
    }

    /** Once more, since they may have counted after the last time; a log that is closed tells what it had. */
    private void keepCounted(List<LastValue<L>> values) {
        for (int i = 0; i < gone.length; i++) {
            if (measures.get(i).kind().isCounter()) {
                gone[i] += values.get(i).read();
            }
        }
    }

    private void add(List<LastValue<L>> values, double[] totals) {
        for (int i = 0; i < gone.length; i++) {
            totals[i] = measures.get(i).ofMany().of(totals[i], values.get(i).read());
        }
    }
}

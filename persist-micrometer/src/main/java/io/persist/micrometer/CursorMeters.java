package io.persist.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.persist.LogMonitor;
import io.persist.LogMonitor.Reading;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lag of each named cursor of a log, in a registry. Cursors come and go: whenever their number is read, each new
 * one gets a meter and each that is gone loses its own. So no thread is needed for that.
 *
 * <p>A reading is one of all cursors, and serves a whole scrape.
 *
 * <p><b>Threads:</b> any. A reading never waits for another thread: one may read meters with a lock of the registry
 * held, which a change to the registry needs.
 */
final class CursorMeters implements Binding {

    private static final String CURSOR = "cursor";

    /** No cursor has this name. */
    private static final String NO_CURSOR = "none/";

    private static final Measure<Path> COUNT = new Measure<>(
            "persist.log.cursors",
            Measure.Kind.NUMBER,
            Measure.OfMany.NOTHING,
            "named cursors",
            directory -> LogMonitor.open(directory).read().cursors().size());

    private static final Measure<Path> LAG = new Measure<>(
            "persist.log.named.cursor.lag",
            Measure.Kind.BYTES,
            Measure.OfMany.NOTHING,
            "what the named cursor of the tag cursor has still to read, of what is committed or synced",
            directory -> Double.NaN); // there is no number without a name

    /** All that there is in the table of meters. */
    static List<Measure<Path>> all() {
        return List.of(COUNT, LAG);
    }

    private final ReentrantLock changing = new ReentrantLock();
    private final MeterRegistry registry;
    private final Path directory;
    private final Tags tags;
    private final ScrapeReading<Reading> readings;

    /** By the cursor's name. */
    private final Map<String, BoundMeter> lags = new HashMap<>(); // with the lock

    /** Null until it is there. Set with the lock. */
    private volatile @Nullable BoundMeter count;

    private boolean isClosed; // with the lock

    private CursorMeters(MeterRegistry registry, Path directory, Tags tags, ScrapeReading<Reading> readings) {
        this.registry = registry;
        this.directory = directory;
        this.tags = tags;
        this.readings = readings;
    }

    /** Meters of the log in {@code directory}, in place of those of a logger that was closed. */
    static CursorMeters bind(MeterRegistry registry, Path directory, Tags tags) {
        Supplier<Reading> log = () -> LogMonitor.open(directory).read();
        return bind(registry, directory, tags, new ScrapeReading<>(log));
    }

    /** The same with other readings, for tests. */
    static CursorMeters bind(MeterRegistry registry, Path directory, Tags tags, ScrapeReading<Reading> readings) {
        CursorMeters meters = new CursorMeters(registry, directory, tags, readings);
        meters.bind();
        return meters;
    }

    private void bind() {
        LastValue<Path> value = new LastValue<>(directory, log -> countAndRefresh()); // the method holds the directory
        changing.lock();
        try {
            BoundMeter made = BoundMeter.bind(registry, COUNT, value::read, tags);
            if (made.tookOver()) {
                removeEarlierLags();
            }
            count = made;
        } finally {
            changing.unlock();
        }
        value.read();
        readings.forget();
    }

    /** Those of a logger of this log that was bound before. */
    private void removeEarlierLags() {
        removeLags(LAG.name(), tags);
        Meter.Id inRegistry = BoundMeter.idOf(registry, LAG, tags.and(CURSOR, NO_CURSOR));
        removeLags(inRegistry.getName(), withoutCursor(inRegistry));
    }

    private void removeLags(String name, Tags tagsOfLog) {
        for (Meter earlier : registry.find(name).tags(tagsOfLog).meters()) {
            if (withoutCursor(earlier.getId()).equals(tagsOfLog)) {
                registry.remove(earlier);
            }
        }
    }

    private static Tags withoutCursor(Meter.Id id) {
        return Tags.of(id.getTags().stream()
                .filter(tag -> !tag.getKey().equals(CURSOR))
                .toList());
    }

    private double countAndRefresh() {
        if (count == null) {
            return 0; // it is being bound, which is no scrape
        }
        Reading now = readings.anew();
        if (changing.tryLock()) {
            try {
                refresh(now);
            } finally {
                changing.unlock();
            }
        }
        return now.cursors().size();
    }

    private void refresh(Reading now) {
        if (isClosed) {
            return;
        }
        for (Iterator<Map.Entry<String, BoundMeter>> each = lags.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<String, BoundMeter> lag = each.next();
            if (!now.cursors().containsKey(lag.getKey())) {
                lag.getValue().unbind(BoundMeter.of(registry));
                each.remove();
            }
        }
        now.cursors().keySet().forEach(name -> lags.computeIfAbsent(name, this::lagOf));
    }

    private BoundMeter lagOf(String name) {
        LastValue<Path> value = new LastValue<>(directory, log -> lag(name));
        return BoundMeter.bind(registry, LAG, value::read, tags.and(CURSOR, name));
    }

    /** No number once the cursor is gone: its meter goes when their number is read. */
    private double lag(String name) {
        Reading now = readings.of(name);
        @Nullable Long position = now.cursors().get(name);
        return position == null ? Double.NaN : now.behind(position);
    }

    @Override
    public void unbind(Set<Meter> there) {
        changing.lock();
        try {
            isClosed = true;
            if (!lags.isEmpty()) {
                Set<Meter> now = BoundMeter.of(registry); // a scrape may have added some since the look
                lags.values().forEach(lag -> lag.unbind(now));
                lags.clear();
            }
            BoundMeter bound = count;
            if (bound != null) {
                bound.unbind(there);
            }
        } finally {
            changing.unlock();
        }
    }
}

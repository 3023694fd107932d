package io.persist.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What several meters show a part of. One reading serves a whole scrape: each meter once, and only while it is new.
 *
 * <p><b>Threads:</b> any. No thread waits for another one here.
 */
final class ScrapeReading<T> {

    private static final long NEW_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A reading, when it was made, and the meters that had it. */
    private record Taken<T>(T value, long atNs, Set<String> served) {}

    private final Supplier<T> source;
    private final LongSupplier nanoTime;

    private volatile @Nullable Taken<T> last;

    ScrapeReading(Supplier<T> source) {
        this(source, System::nanoTime);
    }

    /** The same with another clock, for tests. */
    ScrapeReading(Supplier<T> source, LongSupplier nanoTime) {
        this.source = source;
        this.nanoTime = nanoTime;
    }

    /** The last reading, if it is new and {@code meter} has not had it; else one more. */
    T of(String meter) {
        Taken<T> taken = last;
        if (taken == null
                || nanoTime.getAsLong() - taken.atNs() > NEW_NS
                || !taken.served().add(meter)) {
            taken = take();
            taken.served().add(meter);
        }
        return taken.value();
    }

    /** One more, which the meters get that are read next. */
    T anew() {
        return take().value();
    }

    /** The last one was no scrape's. */
    void forget() {
        last = null;
    }

    private Taken<T> take() {
        T value = source.get();
        Taken<T> taken = new Taken<>(value, nanoTime.getAsLong(), ConcurrentHashMap.newKeySet());
        last = taken;
        return taken;
    }
}

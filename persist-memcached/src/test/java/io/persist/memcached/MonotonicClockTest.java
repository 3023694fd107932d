package io.persist.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.memcached.cache.Cache;
import io.persist.memcached.cache.Cache.StoreMode;
import io.persist.memcached.cache.Counters;
import io.persist.memcached.cache.HeapItems;
import io.persist.memcached.item.Item;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A step of the wall clock does nothing to a server that runs. */
class MonotonicClockTest {

    private static final long START = 1_800_000_000L;
    private static final byte[] KEY = "key".getBytes(US_ASCII);

    private final AtomicLong wallMs = new AtomicLong(TimeUnit.SECONDS.toMillis(START) + 999);
    private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 1); // it may be anything, and run over
    private final MonotonicClock clock = new MonotonicClock(wallMs::get, nanoTime::get);

    @Test
    void shouldGoOnFromTheTimeAtTheStart() {
        assertThat(clock.getAsLong()).isEqualTo(START);
        nanoTime.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(clock.getAsLong()).isEqualTo(START + 1);
        nanoTime.addAndGet(TimeUnit.DAYS.toNanos(1000));
        assertThat(clock.getAsLong()).isEqualTo(START + 1 + TimeUnit.DAYS.toSeconds(1000));
    }

    @Test
    void shouldKeepItemsWhateverTheWallClockDoes() {
        Cache cache = new Cache(new HeapItems(1 << 20), clock, new Counters());
        byte[] bytes = new byte[Item.HEADER_LENGTH + 1];
        cache.store(StoreMode.SET, KEY, bytes, 0, 10, 0, position -> {});
        cache.flushAll(20, position -> {});
        wallMs.addAndGet(TimeUnit.DAYS.toMillis(2000));
        assertThat(cache.get(KEY)).isNotNull();
        wallMs.set(0);
        nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(10));
        assertThat(cache.get(KEY)).as("it has expired").isNull();
    }
}

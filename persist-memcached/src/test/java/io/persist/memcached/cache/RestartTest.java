package io.persist.memcached.cache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.StoreLogger;
import io.persist.error.LogFullException;
import io.persist.log.LogConfig;
import io.persist.memcached.cache.Cache.StoreMode;
import io.persist.memcached.cache.Cache.Stored;
import io.persist.memcached.cache.StoredItems.Safety;
import io.persist.memcached.item.Item;
import io.persist.store.StoreConfig;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What survives a restart, what a sweep takes away, and what a full disk leaves. */
class RestartTest {

    private static final long NOW = 1_800_000_000L;
    private static final LongConsumer IGNORED = position -> {};

    @TempDir
    Path directory;

    private long now = NOW;

    private StoreConfig config() {
        return StoreConfig.builder(
                        LogConfig.builder(directory).segmentLength(4 << 20).build())
                .build();
    }

    private StoreConfig smallConfig() {
        return StoreConfig.builder(
                        LogConfig.builder(directory).segmentLength(64 << 10).build())
                .build();
    }

    private StoredItems open() {
        return StoredItems.open(config(), Safety.LATER);
    }

    private Cache cache(Items items) {
        return new Cache(items, () -> now, new Counters());
    }

    private static byte[] key(String key) {
        return key.getBytes(ISO_8859_1);
    }

    private static byte[] data(String data) {
        byte[] bytes = new byte[Item.HEADER_LENGTH + data.length()];
        System.arraycopy(key(data), 0, bytes, Item.HEADER_LENGTH, data.length());
        return bytes;
    }

    private static void set(Cache cache, String key, String data, long exptime) {
        cache.store(StoreMode.SET, key(key), data(data), 7, exptime, 0, IGNORED);
    }

    private static List<String> keys(Items items) {
        List<String> keys = new ArrayList<>();
        Items.Walk walk = items.walk();
        boolean more = true;
        while (more) {
            more = walk.step((key, item) -> keys.add(new String(key, ISO_8859_1)));
        }
        return keys;
    }

    @Test
    void shouldKeepFlagsTimesAndCas() {
        long cas;
        try (Items items = open()) {
            Cache cache = cache(items);
            set(cache, "a", "1", 0);
            set(cache, "b", "2", 10);
            cas = cache.get(key("b")).cas();
        }
        try (Items items = open()) {
            Cache cache = cache(items);
            Item item = cache.get(key("b"));
            assertThat(item.flags()).isEqualTo(7);
            assertThat(item.expiresAt()).isEqualTo(NOW + 10);
            assertThat(item.cas()).isEqualTo(cas);
            set(cache, "c", "3", 0);
            assertThat(cache.get(key("c")).cas()).as("never given before").isGreaterThan(cas);
            assertThat(cache.store(StoreMode.CAS, key("b"), data("4"), 0, 0, cas, IGNORED))
                    .isEqualTo(Stored.STORED);
            assertThat(cache.get(key("b")).cas()).isGreaterThan(cas);
            now += 10;
            set(cache, "b", "5", 10);
        }
        now += 10;
        try (Items items = open()) {
            assertThat(cache(items).get(key("b"))).isNull();
            assertThat(cache(items).get(key("a"))).isNotNull();
        }
    }

    @Test
    void shouldNotGiveACasNumberAgainAfterItsLastChangeWasLost() {
        Random random = new Random(1);
        CrashableStorage disk = new CrashableStorage();
        CrashableStorage checkpoints = new CrashableStorage();
        long last = 0;
        for (CrashableStorage.Loss loss : CrashableStorage.Loss.values()) { // each life ends without a close
            StoredItems items = StoredItems.open(config(), Safety.SYNCED, disk, checkpoints);
            Cache cache = cache(items);
            cache.store(
                    StoreMode.SET,
                    key("a"),
                    data("1"),
                    0,
                    0,
                    0,
                    at -> items.whenSafe(at).join());
            long cas = cache.get(key("a")).cas();
            assertThat(cas).as(loss.toString()).isGreaterThan(last);
            last = cas;
            set(cache, "b", "1", 0);
            disk = disk.crash(random, loss);
            checkpoints = checkpoints.crash(random, loss);
        }
    }

    @Test
    void shouldKeepAFlushAndItsDelay() {
        try (Items items = open()) {
            Cache cache = cache(items);
            set(cache, "a", "1", 0);
            cache.flushAll(0, IGNORED);
            set(cache, "b", "2", 0);
            cache.flushAll(10, IGNORED);
        }
        now += 9;
        try (Items items = open()) {
            Cache cache = cache(items);
            assertThat(cache.get(key("a"))).isNull();
            assertThat(cache.get(key("b"))).isNotNull();
        }
        now += 1;
        try (Items items = open()) {
            Cache cache = cache(items);
            set(cache, "c", "3", 0);
            assertThat(cache.get(key("b"))).isNull();
            assertThat(cache.get(key("c"))).isNotNull();
        }
    }

    @Test
    void shouldSweepWhatNobodyAsksFor() {
        try (HeapItems heap = new HeapItems(1 << 20)) {
            sweep(heap);
            assertThat(heap.bytes()).isPositive();
        }
        try (Items items = open()) {
            sweep(items);
        }
    }

    private void sweep(Items items) {
        Cache cache = cache(items);
        set(cache, "stays", "1", 0);
        assertThat(cache.sweep()).as("nothing can be dead").isNull();
        for (int i = 0; i < 1000; i++) {
            set(cache, "late" + i, "1", i < 900 ? 10 : 100);
        }
        sweepWhole(cache);
        assertThat(items.count()).isEqualTo(1001);
        now += 10;
        sweepWhole(cache);
        assertThat(items.count()).isEqualTo(101);
        cache.flushAll(0, IGNORED);
        set(cache, "new", "1", 0);
        sweepWhole(cache);
        assertThat(keys(items)).containsExactly("new");
        assertThat(cache.sweep()).isNull();
        cache.flushAll(10, IGNORED);
        sweepWhole(cache);
        assertThat(cache.sweep()).as("nothing can be dead yet").isNull();
        assertThat(keys(items)).containsExactly("new");
        now += 10;
        sweepWhole(cache);
        assertThat(items.count()).isZero();
        assertThat(cache.sweep()).isNull();
        set(cache, "last", "1", 0);
    }

    private static void sweepWhole(Cache cache) {
        Sweep sweep = cache.sweep();
        boolean more = true;
        while (more) {
            more = sweep.step();
        }
    }

    @Test
    void shouldRemoveWhatIsDeadWhenItIsAskedFor() {
        try (Items items = open()) {
            Cache cache = cache(items);
            set(cache, "a", "1", 1);
            now += 1;
            assertThat(items.count()).isEqualTo(1);
            assertThat(cache.get(key("a"))).isNull();
            assertThat(items.count()).isZero();
        }
    }

    @Test
    void shouldRefuseTheStoreOfAnotherProgram() {
        try (StoreLogger other = StoreLogger.open(config())) {
            other.put(key("theirs"), key("1"));
        }
        assertThatThrownBy(this::open)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another program")
                .hasMessageContaining("directory=");
        try (StoreLogger other = StoreLogger.open(config())) {
            assertThat(other.size()).isEqualTo(1);
        }
    }

    @Test
    void shouldServeGetsOnAFullDisk() {
        FaultyStorage disk = new FaultyStorage(new CrashableStorage()).message("No space left on device");
        try (Items items = StoredItems.open(smallConfig(), Safety.SYNCED, disk, new CrashableStorage())) {
            Cache cache = cache(items);
            set(cache, "a", "1", 0);
            disk.failFrom(Verb.WRITE, 1);
            disk.failFrom(Verb.CREATE, 1);
            int written = 0;
            try {
                while (true) {
                    set(cache, "b" + written, "x".repeat(5000), 0);
                    written++;
                }
            } catch (LogFullException e) {
                assertThat(e).hasMessageContaining("No space left");
            }
            assertThat(cache.get(key("a"))).isNotNull();
            assertThat(cache.get(key("b" + (written - 1))).dataLength()).isEqualTo(5000);
            assertThat(cache.get(key("b" + written))).isNull();
            disk.heal();
            set(cache, "c", "3", 0);
        }
    }

    /** That it is done cannot be written, nor that an item is removed; it is tried again. */
    @Test
    void shouldSweepAfterADelayedFlushWhoseTimeCameOnAFullDisk() {
        FaultyStorage disk = new FaultyStorage(new CrashableStorage()).message("No space left on device");
        try (Items items = StoredItems.open(smallConfig(), Safety.SYNCED, disk, new CrashableStorage())) {
            Cache cache = cache(items);
            set(cache, "a", "1", 0);
            for (int i = 0; i < 2000; i++) {
                set(cache, "tiny" + i, "", 0);
            }
            cache.flushAll(10, IGNORED);
            sweepWhole(cache);
            disk.failFrom(Verb.WRITE, 1);
            disk.failFrom(Verb.CREATE, 1);
            assertThatThrownBy(() -> {
                        while (true) {
                            items.reserveCas(items.firstCas());
                        }
                    })
                    .isInstanceOf(LogFullException.class);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 2000; i++) {
                            items.remove(key("tiny" + i)); // which may use what a reservation may not
                        }
                    })
                    .isInstanceOf(LogFullException.class);
            now += 10;
            Sweep refused = cache.sweep();
            assertThatThrownBy(refused::step).isInstanceOf(LogFullException.class);
            disk.heal();
            sweepWhole(cache);
            assertThat(items.count()).isZero();
        }
    }

    /** Its cas number was never reserved, and is given again: a flush may not let that one go. */
    @Test
    void shouldKeepWhatIsStoredAfterARefusedSetAFlushAndARestart() {
        CrashableStorage checkpoints = new CrashableStorage();
        FaultyStorage disk = new FaultyStorage(new CrashableStorage()).message("No space left on device");
        try (Items items = StoredItems.open(smallConfig(), Safety.SYNCED, disk, checkpoints)) {
            disk.failFrom(Verb.WRITE, 1);
            disk.failFrom(Verb.CREATE, 1);
            assertThatThrownBy(() -> {
                        while (true) {
                            items.reserveCas(items.firstCas()); // until there is no space for a reservation
                        }
                    })
                    .isInstanceOf(LogFullException.class);
            Cache cache = cache(items);
            assertThatThrownBy(() -> set(cache, "a", "1", 0)).isInstanceOf(LogFullException.class);
            disk.heal();
            cache.flushAll(0, IGNORED);
        }
        try (Items items = StoredItems.open(smallConfig(), Safety.SYNCED, disk, checkpoints)) {
            Cache cache = cache(items);
            set(cache, "a", "1", 0);
            assertThat(cache.get(key("a"))).isNotNull();
        }
    }

    @Test
    void shouldKeepTheHeapInItsBounds() {
        Cache cache = cache(new HeapItems(10_000));
        set(cache, "a", "x".repeat(5000), 0);
        assertThatThrownBy(() -> set(cache, "b", "x".repeat(5000), 0)).isInstanceOf(Items.OutOfMemoryException.class);
        set(cache, "a", "1", 0);
        set(cache, "b", "x".repeat(5000), 0);
        cache.delete(key("b"), IGNORED);
        assertThat(cache.items().bytes()).isLessThan(1000);
    }

    @Test
    void shouldTellWhenAChangeIsSafe() throws Exception {
        try (StoredItems items = StoredItems.open(config(), Safety.SYNCED)) {
            long[] position = {0};
            cache(items).store(StoreMode.SET, key("a"), data("1"), 0, 0, 0, changed -> position[0] = changed);
            assertThat(position[0]).isPositive();
            items.whenSafe(position[0]).get(1, TimeUnit.MINUTES);
            assertThat(items.isSafe(position[0])).isTrue();
            assertThat(items.store().syncedPosition()).isGreaterThanOrEqualTo(position[0]);
        }
    }
}

package io.persist.memcached.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.memcached.cache.HeapItems;
import io.persist.memcached.cache.Items;
import io.persist.memcached.cache.Sweeper;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The room of dead items comes back as fast as it is needed. A pause that does not end early is a day here. */
class SweeperTest {

    private static final long SHORT_MS = 1;
    private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);
    private static final String STORED = "STORED\r\n";

    private final AtomicLong now = new AtomicLong(1_800_000_000L);
    private final HeapItems heap = new HeapItems(1 << 20);
    private final Wire wire = new Wire(Wire.service(heap, now::get));

    private String set(String key, long exptime) {
        return wire.send("set " + key + " 0 " + exptime + " 0\r\n\r\n");
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldNotPauseForLongWhereManyAreDead() {
        for (int i = 0; i < 2000; i++) {
            assertThat(set("key" + i, 0)).isEqualTo(STORED);
        }
        wire.send("flush_all\r\n");
        Sweeper sweeper = Sweeper.start(wire.service.cache(), SHORT_MS, DAY_MS);
        try {
            await(() -> heap.count() == 0);
        } finally {
            sweeper.close();
        }
    }

    /** The walk that begins when the flush is asked for finds no dead item. */
    @Test
    void shouldFindWhatADelayedFlushLetsGoWithoutACommand() {
        AtomicInteger walks = new AtomicInteger();
        Wire counted = new Wire(Wire.service(countingWalks(walks), now::get));
        for (int i = 0; i < 1000; i++) {
            assertThat(counted.send("set key" + i + " 0 0 0\r\n\r\n")).isEqualTo(STORED);
        }
        assertThat(counted.send("flush_all 60\r\n")).isEqualTo("OK\r\n");
        Sweeper sweeper = Sweeper.start(counted.service.cache(), SHORT_MS, SHORT_MS);
        try {
            await(() -> walks.get() == 1);
            assertThat(heap.count()).isEqualTo(1000);
            now.addAndGet(60);
            await(() -> heap.count() == 0);
        } finally {
            sweeper.close();
        }
    }

    /** The items of the heap; counts the walks that have ended. */
    private Items countingWalks(AtomicInteger walks) {
        return (Items) Proxy.newProxyInstance(
                Items.class.getClassLoader(), new Class<?>[] {Items.class}, (proxy, method, arguments) -> {
                    Object result = method.invoke(heap, arguments);
                    return result instanceof Items.Walk walk ? counting(walk, walks) : result;
                });
    }

    private static Items.Walk counting(Items.Walk walk, AtomicInteger walks) {
        return visitor -> {
            boolean more = walk.step(visitor);
            if (!more) {
                walks.incrementAndGet();
            }
            return more;
        };
    }

    @Test
    void shouldFindRoomForAChangeThatWasRefused() {
        int filled = 0;
        int dead = 0;
        while (set("%05d".formatted(filled), filled % 10 == 0 ? 10 : 0).equals(STORED)) {
            dead += filled % 10 == 0 ? 1 : 0;
            filled++;
        }
        now.addAndGet(10);
        Sweeper sweeper = Sweeper.start(wire.service.cache(), DAY_MS, DAY_MS);
        try {
            for (int i = 0; i < dead; i++) {
                String key = "x%04d".formatted(i);
                await(() -> set(key, 0).equals(STORED));
            }
        } finally {
            sweeper.close();
        }
        assertThat(heap.count()).isEqualTo(filled);
    }

    @Test
    @Timeout(60)
    void shouldEndAtOnceIfItIsClosedInThePauseOfAWalk() {
        for (int i = 0; i < 2000; i++) {
            assertThat(set("key" + i, i % 10 == 0 ? 10 : 0)).isEqualTo(STORED); // so few dead ones that it pauses
        }
        now.addAndGet(10);
        Sweeper sweeper = Sweeper.start(wire.service.cache(), DAY_MS, DAY_MS);
        wire.service.cache().lacksMemory(); // ends the rest, so that a walk begins
        await(() -> heap.count() < 2000);
        sweeper.close();
        assertThat(sweeper.failure()).isDone();
    }

    @Test
    void shouldSayThatAnErrorHasEndedIt() throws Exception {
        LateItems items = new LateItems();
        items.failWalk(new OutOfMemoryError("of a test"));
        Wire late = new Wire(Wire.service(items, now::get));
        late.send("flush_all\r\n");
        Sweeper sweeper = Sweeper.start(late.service.cache(), SHORT_MS, DAY_MS);
        try {
            assertThat(sweeper.failure().get(1, TimeUnit.MINUTES)).hasMessage("the sweeper has ended");
        } finally {
            sweeper.close();
        }
    }
}

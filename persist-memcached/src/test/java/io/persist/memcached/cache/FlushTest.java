package io.persist.memcached.cache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.memcached.cache.Cache.Direction;
import io.persist.memcached.cache.Cache.StoreMode;
import io.persist.memcached.item.Item;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** What a flush_all finds does not outlive it, whatever other clients do to it at that moment. */
class FlushTest {

    private static final byte[] KEY = "n".getBytes(ISO_8859_1);
    private static final LongConsumer IGNORED = position -> {};

    /** Each makes a new item out of the present one, whose data is 5 and whose cas unique is given. */
    private static final Map<String, BiConsumer<Cache, Long>> COMMANDS = Map.of(
            "incr", (cache, cas) -> cache.count(Direction.UP, KEY, 1, IGNORED),
            "decr", (cache, cas) -> cache.count(Direction.DOWN, KEY, 1, IGNORED),
            "append", (cache, cas) -> store(cache, StoreMode.APPEND, cas),
            "prepend", (cache, cas) -> store(cache, StoreMode.PREPEND, cas),
            "replace", (cache, cas) -> store(cache, StoreMode.REPLACE, cas),
            "cas", (cache, cas) -> store(cache, StoreMode.CAS, cas),
            "touch", (cache, cas) -> cache.touch(KEY, 100, IGNORED));

    private long now = 1_800_000_000L;
    private Runnable inClock = () -> {};
    private Runnable inFlush = () -> {};

    private final Items items =
            (Items) Proxy.newProxyInstance(Items.class.getClassLoader(), new Class<?>[] {Items.class}, this::callItems);
    private final HeapItems heap = new HeapItems(1 << 20);
    private final Cache cache = new Cache(items, this::tellTime, new Counters());

    private Object callItems(Object proxy, Method method, Object[] arguments) throws Exception {
        if (method.getName().equals("putFlushMark")) {
            inFlush.run();
        }
        return method.invoke(heap, arguments);
    }

    private long tellTime() {
        inClock.run();
        return now;
    }

    private static void store(Cache cache, StoreMode mode, long cas) {
        byte[] bytes = new byte[Item.HEADER_LENGTH + 1];
        bytes[Item.HEADER_LENGTH] = '5';
        cache.store(mode, KEY, bytes, 0, 0, cas, IGNORED);
    }

    private long setItem() {
        store(cache, StoreMode.SET, 0);
        return cache.get(KEY).cas();
    }

    private void flush() {
        cache.flushAll(0, IGNORED);
    }

    @Test
    void shouldNotOutliveAFlushInTheMiddleOfACommand() {
        COMMANDS.forEach((name, command) -> {
            for (int call = 1; call <= 4; call++) {
                Thread other = new Thread(this::flush);
                long cas = setItem();
                onClockCall(call, () -> startAndLetRun(other));
                command.accept(cache, cas);
                end(other);
                assertThat(cache.get(KEY))
                        .as(name + ", flushed in call " + call)
                        .isNull();
            }
        });
    }

    @Test
    void shouldNotOutliveADelayedFlushWhoseTimeComesInTheMiddleOfACommand() {
        COMMANDS.forEach((name, command) -> {
            for (int call = 1; call <= 4; call++) {
                long cas = setItem();
                cache.flushAll(10, IGNORED);
                onClockCall(call, () -> now += 10);
                command.accept(cache, cas);
                now += 10;
                assertThat(cache.get(KEY)).as(name + ", due in call " + call).isNull();
            }
        });
    }

    @Test
    void shouldNotOutliveAFlushThatIsBeingWritten() {
        COMMANDS.forEach((name, command) -> {
            long cas = setItem();
            Thread other = new Thread(() -> command.accept(cache, cas));
            inFlush = () -> startAndLetRun(other);
            flush();
            end(other);
            assertThat(cache.get(KEY)).as(name).isNull();
        });
    }

    private void onClockCall(int number, Runnable action) {
        int[] left = {number};
        inClock = () -> {
            if (--left[0] == 0) {
                action.run();
            }
        };
    }

    /** Until it has ended, or waits for this thread. */
    private void startAndLetRun(Thread thread) {
        inClock = () -> {};
        inFlush = () -> {};
        thread.start();
        while (thread.isAlive() && thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    private void end(Thread thread) {
        inClock = () -> {};
        if (thread.getState() == Thread.State.NEW) {
            thread.start(); // the command has not looked at the clock so often
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

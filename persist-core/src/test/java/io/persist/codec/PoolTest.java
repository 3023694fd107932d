package io.persist.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Allocation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PoolTest {

    private final AtomicInteger made = new AtomicInteger();
    private final Pool<Object> pool = new Pool<>(() -> {
        made.incrementAndGet();
        return new Object();
    });

    @Test
    void shouldLendWhatItWasGivenBack() {
        Object first = pool.take();
        assertThat(pool.take()).isNotSameAs(first);
        pool.giveBack(first);
        assertThat(pool.take()).isSameAs(first);
        assertThat(made).hasValue(2);
    }

    /** Whichever threads come: it is for virtual threads, of which there are any number. */
    @Test
    void shouldKeepFewHoweverManyThreadsThereWere() throws InterruptedException {
        for (int i = 0; i < 10 * pool.size(); i++) {
            Thread thread = new Thread(() -> pool.giveBack(pool.take()));
            thread.start();
            thread.join();
        }
        assertThat(made).hasValue(1);
        Set<Object> lent = new HashSet<>();
        for (int i = 0; i < 3 * pool.size(); i++) {
            lent.add(pool.take());
        }
        assertThat(lent).hasSize(3 * pool.size());
        lent.forEach(pool::giveBack);
        made.set(0);
        for (int i = 0; i < 3 * pool.size(); i++) {
            pool.take();
        }
        assertThat(made).hasValue(2 * pool.size());
    }

    @Test
    void shouldLendToOneAtATime() throws InterruptedException {
        Pool<AtomicBoolean> flags = new Pool<>(AtomicBoolean::new);
        Set<String> wrong = ConcurrentHashMap.newKeySet();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> {
                for (int round = 0; round < 20_000; round++) {
                    AtomicBoolean lent = flags.take();
                    if (lent.getAndSet(true)) {
                        wrong.add("lent twice");
                    }
                    lent.set(false);
                    flags.giveBack(lent);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void shouldNotAllocate() {
        Allocation.checkNone(20_000, 20_000, () -> {
            Object first = pool.take();
            Object second = pool.take();
            pool.giveBack(first);
            pool.giveBack(second);
        });
    }
}

package io.persist.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.staged.StagedChanges;
import io.persist.store.transaction.StoreThread;
import io.persist.store.transaction.Transaction;
import io.persist.store.value.SegmentHold;
import io.persist.store.value.ValueReader;
import io.persist.support.Await;
import io.persist.support.InMemory;
import io.persist.support.Reachable;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What threads leave behind that have used a store once: nothing, though they were all there at the same time. */
class ManyThreadsTest {

    private static final int PLATFORM_THREADS = 500;
    private static final int VIRTUAL_THREADS = 20_000;

    /** Those of the pool, and some for the test's own threads. */
    private static final int FEW = WorkspacePool.SLOTS + 10;

    @TempDir(factory = InMemory.class)
    Path directory;

    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    @Test
    void shouldLeaveNothingBehind() throws Exception {
        LogConfig log = LogConfig.builder(directory).segmentLength(4 << 20).build();
        // Stores of other tests may still be reachable in this JVM.
        Map<Class<?>, Integer> left = new LinkedHashMap<>();
        for (Class<?> type : List.of(StoreThread.class, Transaction.class, StagedChanges.class, ValueReader.class)) {
            left.put(type, Reachable.instances(type));
        }
        int holds = Reachable.instances(SegmentHold.class);
        try (StoreLogger store = StoreLogger.open(StoreConfig.builder(log).build())) {
            store.put(Texts.bytes("key"), Texts.bytes("value"));
            int count = useByMany(number -> use(store, number), () -> {});
            left.forEach(ManyThreadsTest::awaitFewMore);
            Await.until("the next thread has found out which are gone", () -> {
                join(started(() -> store.getUntilNext(Texts.bytes("key"))));
                return Reachable.instances(SegmentHold.class) - holds < FEW;
            });
            assertThat(store.size()).isEqualTo(1 + count / 3 + (count % 3 == 0 ? 0 : 1));
        }
    }

    /** Also while they are there. */
    @Test
    void shouldKeepNothingOfThreadsThatReadCopiesAndChangeSingleKeys() throws Exception {
        LogConfig log = LogConfig.builder(directory).segmentLength(4 << 20).build();
        int threadsBefore = Reachable.instances(StoreThread.class);
        int readersBefore = Reachable.instances(ValueReader.class);
        try (StoreLogger store = StoreLogger.open(StoreConfig.builder(log).build())) {
            store.put(Texts.bytes("key"), Texts.bytes("value"));
            useByMany(number -> useSingly(store, number), () -> {
                assertThat(Reachable.instances(StoreThread.class) - threadsBefore)
                        .isNotPositive(); // those of before may go
                assertThat(Reachable.instances(ValueReader.class) - readersBefore)
                        .isLessThan(FEW);
            });
        }
    }

    /** A thread of a pool may never use a store again, and the store that is opened next needs the memory. */
    @Test
    void shouldKeepNothingOfAClosedStoreForAThreadThatLivesOn() {
        int before = Reachable.instances(StoreCore.class);
        openUseAndClose();
        Await.until("nothing refers to the store", () -> Reachable.instances(StoreCore.class) <= before);
    }

    private void openUseAndClose() {
        LogConfig log = LogConfig.builder(directory).segmentLength(4 << 20).build();
        byte[] key = Texts.bytes("key");
        try (StoreLogger store = StoreLogger.open(StoreConfig.builder(log).build())) {
            Transaction transaction = store.begin();
            transaction.put(key, Texts.bytes("value"));
            transaction.commit();
            assertThat(store.getUntilNext(key)).isNotNull();
        }
    }

    private static void useSingly(StoreLogger store, int number) {
        byte[] key = Texts.bytes("key");
        assertThat(Texts.text(store.get(key))).isEqualTo("value");
        assertThat(store.getBytes(key)).isEqualTo(Texts.bytes("value"));
        assertThat(store.<Object>get(key, Texts::text)).isEqualTo("value");
        assertThat(store.contains(key) && store.floorEntry(key) != null).isTrue();
        store.put(Texts.bytes("key-" + number), Texts.bytes("value"));
    }

    /** Has {@code use} called by many threads, and {@code look} while they are all there; returns how many. */
    private int useByMany(IntConsumer use, Runnable look) throws Exception {
        Method startVirtual = startVirtualThread();
        int count = startVirtual == null ? PLATFORM_THREADS : VIRTUAL_THREADS;
        CountDownLatch used = new CountDownLatch(count);
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            Runnable body = () -> run(() -> use.accept(number), used, go);
            threads.add(startVirtual == null ? started(body) : (Thread) startVirtual.invoke(null, body));
        }
        used.await();
        try {
            look.run();
        } finally {
            go.countDown();
        }
        threads.forEach(ManyThreadsTest::join);
        assertThat(failure.get()).isNull();
        return count;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Thread started(Runnable body) {
        Thread thread = new Thread(body);
        thread.start();
        return thread;
    }

    private static @Nullable Method startVirtualThread() {
        try {
            return Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private void run(Runnable body, CountDownLatch used, CountDownLatch go) {
        try {
            body.run();
            used.countDown();
            go.await();
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
            used.countDown();
        }
    }

    /** Some commit, some roll back, some end with their transaction open. */
    private static void use(StoreLogger store, int number) {
        assertThat(Texts.get(store, "key")).isEqualTo("value");
        Transaction transaction = store.begin();
        transaction.put(Texts.bytes("key-" + number), Texts.bytes("value"));
        if (number % 3 == 0) {
            transaction.commit();
        } else if (number % 3 == 1) {
            transaction.rollback();
        }
    }

    private static void awaitFewMore(Class<?> type, int before) {
        Await.until("few more objects of " + type + " can be reached", () -> Reachable.instances(type) - before < FEW);
    }
}

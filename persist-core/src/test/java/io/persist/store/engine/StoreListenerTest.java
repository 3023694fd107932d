package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.transaction.Transaction;
import io.persist.support.InMemory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Listeners that use the store of which they are told, while several threads commit. */
@Timeout(60)
class StoreListenerTest {

    private static final int THREADS = 3;
    private static final int COMMITS = 300;

    @TempDir(factory = InMemory.class)
    Path directory;

    private StoreLogger open(WriteMode mode, boolean isDetached) {
        LogConfig log = LogConfig.builder(directory)
                .segmentLength(1 << 16)
                .writeMode(mode)
                .build();
        StoreConfig config = StoreConfig.builder(log).build();
        return isDetached ? StoreLogger.open(config, DetachedConfig.builder().build()) : StoreLogger.open(config);
    }

    private static void commit(StoreLogger store, int thread, int number) {
        Transaction transaction = store.begin();
        transaction.put(Texts.bytes("key " + thread + " " + number), Texts.bytes("value"));
        transaction.commit(number % 10 == 0 ? Durability.SYNCED : Durability.FLUSHED);
    }

    /** It would come in while the store is half way, and give the lock back under the thread that has it. */
    @ParameterizedTest
    @CsvSource({"MAPPED, false", "FILE, false", "MAPPED, true"})
    void shouldHarmNobody(WriteMode mode, boolean isDetached) throws InterruptedException {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        Queue<IllegalStateException> refused = new ConcurrentLinkedQueue<>();
        try (StoreLogger store = open(mode, isDetached)) {
            store.listen(Durability.FLUSHED, position -> {
                try {
                    store.get(Texts.bytes("key 0 0"));
                } catch (IllegalStateException e) {
                    refused.add(e);
                }
            });
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                threads.add(new Thread(() -> {
                    try {
                        for (int number = 0; number < COMMITS; number++) {
                            commit(store, thread, number);
                        }
                    } catch (Throwable e) {
                        failures.add(e);
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
            assertThat(store.size()).isEqualTo((long) THREADS * COMMITS);
            if (!isDetached) {
                assertThat(refused).isNotEmpty().allSatisfy(e -> assertThat(e).hasMessageContaining("listener"));
            }
        }
    }
}

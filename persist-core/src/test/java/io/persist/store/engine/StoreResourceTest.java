package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.read.ChangeReader;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.Transaction;
import io.persist.support.Await;
import io.persist.support.InMemory;
import io.persist.support.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a store leaves in its process when it is closed: nothing. */
@EnabledOnOs(OS.LINUX)
class StoreResourceTest {

    private static final int LIVES = 10;

    @TempDir(factory = InMemory.class)
    Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveNothingOpenAfterManyLives(boolean isDetached) throws Exception {
        Path real = directory.toRealPath();
        LogConfig log =
                LogConfig.builder(real.resolve("log")).segmentLength(4096).build();
        StoreConfig config = StoreConfig.builder(log)
                .checkpointDirectory(real.resolve("checkpoints"))
                .build();
        for (int life = 0; life < LIVES; life++) {
            try (StoreLogger store = isDetached
                    ? StoreLogger.open(config, DetachedConfig.builder().build())
                    : StoreLogger.open(config)) {
                live(store, life);
            }
            for (String directory : List.of("log", "checkpoints")) {
                assertThat(Resources.of(real.resolve(directory)))
                        .as("life " + life)
                        .isEqualTo(Resources.NONE);
            }
        }
    }

    /** As a thread of a pool does, which lives on when the store is closed. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveTheSegmentOfALivingThreadAtItsNextGet(boolean isInTransaction) throws Exception {
        Path real = directory.toRealPath();
        StoreConfig config = StoreConfig.builder(
                        LogConfig.builder(real).segmentLength(4096).build())
                .build();
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            AtomicReference<Transaction> begun = new AtomicReference<>();
            StoreLogger store = StoreLogger.open(config);
            Texts.put(store, "a", "one");
            Callable<ByteBuffer> get = () ->
                    isInTransaction ? begun.get().getUntilNext(Texts.bytes("a")) : store.getUntilNext(Texts.bytes("a"));
            pool.submit(() -> begun.set(store.begin())).get();
            assertThat(Texts.text(pool.submit(get).get())).isEqualTo("one");
            store.close();
            assertThat(Resources.of(real)).as("of the thread").isNotEqualTo(Resources.NONE);
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> pool.submit(get).get())
                    .withMessageContaining("store is closed");
            assertThat(Resources.of(real)).isEqualTo(Resources.NONE);
        } finally {
            pool.shutdown();
        }
    }

    /** It may never use a store again. What was mapped for it goes when the garbage collector finds it. */
    @Test
    void shouldNotKeepTheSegmentForALivingThreadThatDoesNotComeBack() throws Exception {
        Path real = directory.toRealPath();
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            getInPoolAndClose(pool, real);
            assertThat(Resources.of(real).mappings()).as("of the thread").isNotEmpty();
            Await.until("nothing is mapped", () -> {
                System.gc();
                return mappings(real).isEmpty();
            });
            assertThat(Resources.of(real)).isEqualTo(Resources.NONE);
        } finally {
            pool.shutdown();
        }
    }

    /** Apart, so that nothing refers to the store when it has returned. */
    private static void getInPoolAndClose(ExecutorService pool, Path real) throws Exception {
        StoreConfig config = StoreConfig.builder(
                        LogConfig.builder(real).segmentLength(4096).build())
                .build();
        try (StoreLogger store = StoreLogger.open(config)) {
            Texts.put(store, "a", "one");
            assertThat(pool.submit(() -> Texts.text(store.getUntilNext(Texts.bytes("a"))))
                            .get())
                    .isEqualTo("one");
        }
    }

    private static List<String> mappings(Path real) {
        try {
            return Resources.of(real).mappings();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void live(StoreLogger store, int life) throws InterruptedException {
        Texts.fill(store, 50, 100);
        assertThat(Texts.get(store, "key-7")).endsWith(": 57");
        Thread other = new Thread(() -> Texts.get(store, "key-8"));
        other.start();
        other.join();
        if (life % 3 == 0) {
            store.checkpoint();
        }
        if (life % 10 == 9) {
            store.compact(1 << 20);
        }
        try (StoreSnapshot snapshot = store.snapshot();
                StoreScan scan = snapshot.scan(KeyRange.all(), Direction.BACKWARD);
                StoreScan alone = store.scan(KeyRange.all(), Direction.FORWARD);
                ChangeReader changes = store.changes("reader")) {
            assertThat(scan.next() && alone.next() && changes.next()).isTrue();
            assertThat(scan.value().remaining() + alone.value().remaining()).isPositive();
            while (changes.next()) {
                assertThat(changes.key().remaining()).isPositive();
            }
            changes.store();
        }
        store.begin().put(Texts.bytes("never"), Texts.bytes("committed"));
    }
}

package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.transaction.Transaction;
import io.persist.support.Await;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a store takes of the disk when it is left alone, with the default settings but for short segments. */
class StoreRestTest {

    private static final int SEGMENT_LENGTH = 64 << 10;
    private static final int KEYS = 2_000;
    private static final int VALUE_LENGTH = 1_000;
    private static final int TRANSACTIONS = 800;
    private static final int CHANGES = 10;

    static final Patience NEVER_RESTS = new Patience(Patience.DEFAULT.retryNs(), Long.MAX_VALUE);
    static final Patience RESTS = new Patience(Patience.DEFAULT.retryNs(), 1);

    private final int[] values = new int[KEYS];
    private CrashableStorage storage = new CrashableStorage();
    private int lastValue;

    private StoreEngine open(Patience patience) {
        LogConfig log =
                LogConfig.builder(Path.of("log")).segmentLength(SEGMENT_LENGTH).build();
        return new StoreOpener(
                        StoreConfig.builder(log).compactionStepBytes(4 << 10).build(), null)
                .patience(patience)
                .open(storage, storage);
    }

    private static byte[] key(int number) {
        return Texts.bytes("key/" + number);
    }

    private void overwrite(StoreEngine store, Random random) {
        for (int i = 0; i < TRANSACTIONS; i++) {
            try (Transaction transaction = store.thread().begin()) {
                for (int j = 0; j < CHANGES; j++) {
                    int key = random.nextInt(KEYS);
                    values[key] = ++lastValue;
                    byte[] value = ByteBuffer.allocate(VALUE_LENGTH)
                            .putInt(values[key])
                            .array();
                    transaction.put(key(key), value);
                }
                transaction.commit();
            }
        }
    }

    private void check(StoreEngine store) {
        for (int i = 0; i < KEYS; i++) {
            byte[] value = store.single().getBytes(key(i));
            assertThat(value == null ? 0 : ByteBuffer.wrap(value).getInt())
                    .as("key %d", i)
                    .isEqualTo(values[i]);
        }
    }

    /** Bytes of the log, but for the segment that is being written, and of the checkpoints, per byte that is needed. */
    private double ratio(StoreEngine store) {
        StoreStatistics now = store.statistics();
        return (double) (now.spaceBytes() - SEGMENT_LENGTH + checkpointBytes(storage)) / now.liveBytes();
    }

    private static long checkpointBytes(CrashableStorage storage) {
        synchronized (storage) { // the store's thread deletes none between the list and what is listed
            return storage.list().stream()
                    .filter(name -> name.startsWith(CheckpointName.PREFIX))
                    .mapToLong(name -> storage.content(name).length)
                    .sum();
        }
    }

    private void awaitRest(StoreEngine store) {
        Await.until("the store takes little", () -> ratio(store) < 1.25);
    }

    @Test
    void shouldTakeLittle() {
        Seeds.run(1, seed -> {
            clear();
            Random random = new Random(seed);
            try (StoreEngine store = open(RESTS)) {
                overwrite(store, random);
                awaitRest(store);
                check(store);
                overwrite(store, random);
                awaitRest(store);
                shouldBeAtRest(store);
                check(store);
                store.core().flushes().sync();
            }
            storage = storage.crash(random, Loss.ALL_LOST);
            try (StoreEngine store = open(RESTS)) {
                check(store);
                shouldBeAtRest(store);
            }
        });
    }

    @Test
    void shouldTakeLittle_WhenItWasOpenedAgain() {
        Seeds.run(1, seed -> {
            clear();
            try (StoreEngine store = open(NEVER_RESTS)) {
                overwrite(store, new Random(seed));
                assertThat(ratio(store)).as("while it is used").isGreaterThan(1.4);
            }
            try (StoreEngine store = open(RESTS)) {
                awaitRest(store);
                check(store);
            }
        });
    }

    private void clear() {
        storage = new CrashableStorage();
        Arrays.fill(values, 0);
    }

    /** However often its thread looks, it finds nothing to do. */
    static void shouldBeAtRest(StoreEngine store) {
        look(store); // it may not have ended what it does
        StoreStatistics before = store.statistics();
        long position = store.core().log().position();
        for (int i = 0; i < 3; i++) {
            look(store);
        }
        StoreStatistics after = store.statistics();
        assertThat(after.checkpoint().written()).isEqualTo(before.checkpoint().written());
        assertThat(after.compaction().movedBytes())
                .isEqualTo(before.compaction().movedBytes());
        assertThat(store.core().log().position()).isEqualTo(position);
    }

    /** Has the thread look what is due, and waits until it has done that. */
    static void look(StoreEngine store) {
        store.core().ask(() -> {
            store.upkeep().lookAgain();
            return true;
        });
        Await.until("it has looked", () -> store.core().ask(store.upkeep()::isWaiting));
    }
}

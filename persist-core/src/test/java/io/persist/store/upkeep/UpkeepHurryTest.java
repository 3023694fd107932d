package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that closes the store, or needs memory, does not wait for a rate: here of one byte per second. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UpkeepHurryTest {

    private static final int MIB = 1 << 20;

    /** A checkpoint before the end is worth its time behind 16 MiB. */
    private static final int WORTHWHILE = 17;

    private static final int SEGMENT_LENGTH = 2 * MIB;
    private static final int DEAD_SEGMENTS = 5;
    private static final String BY_HAND = "upkeep by hand";

    private final CrashableStorage storage = new CrashableStorage();

    private StoreConfig.Builder config() {
        LogConfig log =
                LogConfig.builder(Path.of("log")).segmentLength(SEGMENT_LENGTH).build();
        return StoreConfig.builder(log).maxSpaceRatio(0);
    }

    private StoreEngine open(StoreConfig.Builder config) {
        return new StoreOpener(config.build(), null).open(storage, storage);
    }

    private static void overwrite(StoreEngine store, int mebibytes) {
        for (int i = 0; i < mebibytes; i++) {
            store.single().put(Texts.bytes("key"), new byte[MIB], Durability.BUFFERED);
        }
    }

    private static CompletableFuture<Long> inAThread(Supplier<Long> call) {
        return CompletableFuture.supplyAsync(call, task -> {
            Thread thread = new Thread(task, BY_HAND);
            thread.setDaemon(true);
            thread.start();
        });
    }

    private static void awaitCheckpoint(StoreEngine store) {
        Await.until(
                "a checkpoint is being written",
                () -> store.statistics().checkpoint().inProgress());
    }

    private void assertNothingToReplay() {
        try (StoreEngine store = open(config())) {
            assertThat(store.recovery().replay().transactions()).isZero();
        }
    }

    @Test
    void shouldFinishACheckpointByHandWhenItCloses() {
        StoreEngine store = open(config());
        overwrite(store, 1);
        CompletableFuture<Long> byHand = inAThread(() -> store.upkeep().checkpoint(1));
        awaitCheckpoint(store);
        overwrite(store, WORTHWHILE);
        store.close();
        assertThat(byHand.join()).isPositive();
        assertNothingToReplay();
    }

    @Test
    void shouldFinishACheckpointInTheBackgroundWhenItCloses() {
        StoreEngine store = open(config().checkpointPercent(1).checkpointMinLogBytes(MIB));
        store.upkeep().checkpointRate(1);
        overwrite(store, 2);
        awaitCheckpoint(store);
        overwrite(store, WORTHWHILE);
        store.close();
        assertNothingToReplay();
    }

    /** It would never end by itself. */
    @Test
    void shouldFinishACheckpointAtTheRateThatIsSetMeanwhile() {
        try (StoreEngine store = open(config().checkpointPercent(1).checkpointMinLogBytes(MIB))) {
            store.upkeep().checkpointRate(1);
            overwrite(store, 2);
            awaitCheckpoint(store);
            store.tuner().tune(store.tuning().withCheckpointBytesPerSecond(1L << 40));
            Await.until("it is written", () -> store.statistics().checkpoint().written() > 0);
        }
    }

    /** So the first segment stays, and each of the others needs a placeholder. */
    private static void keepOne(StoreEngine store) {
        store.single().put(Texts.bytes("kept"), new byte[1], Durability.BUFFERED);
    }

    /** Compaction is held in the midst of the first segment until the thread that closes waits for it. */
    @Test
    void shouldEndCompactionWhenItCloses() {
        StoreEngine store = open(config());
        keepOne(store);
        overwrite(store, DEAD_SEGMENTS * SEGMENT_LENGTH / MIB);
        CountDownLatch isCompacting = new CountDownLatch(1);
        AtomicInteger vacated = new AtomicInteger();
        Thread closer = Thread.currentThread();
        storage.hook((number, what) -> {
            boolean isSegment = what.startsWith("rename") && what.contains(".log");
            if (isSegment && Thread.currentThread().getName().equals(BY_HAND)) {
                vacated.incrementAndGet();
                isCompacting.countDown();
                Await.until("it is waited for", () -> isWaitingToClose(closer));
            }
        });
        CompletableFuture<Long> compaction = inAThread(() -> store.upkeep().compact(Long.MAX_VALUE));
        Await.latch(isCompacting);
        overwrite(store, WORTHWHILE);
        store.close();
        assertThat(compaction.join()).isEqualTo(SEGMENT_LENGTH);
        assertThat(vacated).hasValue(1);
        assertNothingToReplay();
    }

    /** There is something to give back before the two checkpoints that compaction begins with. */
    @Test
    void shouldBeginNoCheckpointOfCompactionWhenItCloses() {
        StoreEngine store = open(config());
        for (int i = 0; i < DEAD_SEGMENTS * SEGMENT_LENGTH / MIB; i++) {
            store.single().put(Texts.bytes("early/" + i), new byte[MIB], Durability.BUFFERED);
        }
        store.upkeep().compact(0); // so these lie below two checkpoints
        store.single().removeRange(KeyRange.prefix(Texts.bytes("early/")), Durability.BUFFERED);
        CountDownLatch isCompacting = new CountDownLatch(1);
        AtomicInteger checkpoints = new AtomicInteger();
        Thread closer = Thread.currentThread();
        storage.hook((number, what) -> {
            if (Thread.currentThread().getName().equals(BY_HAND)) {
                isCompacting.countDown();
                checkpoints.addAndGet(what.startsWith("create " + CheckpointName.PREFIX) ? 1 : 0);
                Await.until("it is waited for", () -> isWaitingToClose(closer));
            }
        });
        CompletableFuture<Long> compaction = inAThread(() -> store.upkeep().compact(Long.MAX_VALUE));
        Await.latch(isCompacting);
        overwrite(store, WORTHWHILE);
        store.close();
        assertThat(compaction.join()).isLessThanOrEqualTo(SEGMENT_LENGTH);
        assertThat(checkpoints).hasValue(0);
        assertNothingToReplay();
    }

    private static boolean isWaitingToClose(Thread closer) {
        StackTraceElement[] stack = closer.getStackTrace();
        return isCall(stack, "checkpointBeforeClose") && isCall(stack, "park");
    }

    private static boolean isCall(StackTraceElement[] stack, String method) {
        return Arrays.stream(stack).anyMatch(call -> call.getMethodName().equals(method));
    }

    /** A commit that finds none has to wait for the checkpoint that is being written. */
    @Test
    void shouldFinishACheckpointByHandWhenMemoryIsNeeded() {
        StoreEngine store = open(config().checkpointPercent(0).indexMemoryBytes(MIB));
        overwrite(store, 1);
        CompletableFuture<Long> byHand = inAThread(() -> store.upkeep().checkpoint(1));
        awaitCheckpoint(store);
        int keys = 0;
        while (!byHand.isDone()) {
            byte[] key = new byte[100];
            new Random(keys++).nextBytes(key);
            store.single().put(key, new byte[1], Durability.BUFFERED);
        }
        assertThat(byHand.join()).isPositive();
        assertThat(store.statistics().keys()).isEqualTo(keys + 1);
        store.close();
    }
}

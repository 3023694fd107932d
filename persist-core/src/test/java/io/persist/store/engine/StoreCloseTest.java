package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.StoreLogger;
import io.persist.file.Storage;
import io.persist.file.WriterLock;
import io.persist.format.LogFileName;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.support.Await;
import io.persist.support.HeldSyncs;
import io.persist.support.Interposed;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A store that is closed by two threads, or while others use it, or by code that it has called itself. A close that hangs
 * ends for no interrupt.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoreCloseTest {

    private final CrashableStorage storage = new CrashableStorage();

    private static StoreConfig config() {
        LogConfig log = LogConfig.builder(Path.of("store")).segmentLength(4096).build();
        return StoreConfig.builder(log).checkpointPercent(0).maxSpaceRatio(0).build();
    }

    private StoreLogger open() {
        return StoreLogger.open(config(), storage, storage);
    }

    @AfterEach
    void nothingIsLeftOpen() {
        assertThat(storage.openHandles()).isZero();
    }

    /** Its failure would be counted in the control block, which is unmapped: on JDK 17 that ends the JVM. */
    @Test
    void shouldRefuseACheckpointAfterwards() {
        StoreLogger store = open();
        Texts.put(store, "a", "one");
        store.close();
        byte[] control = storage.content(LogFileName.CONTROL);
        assertThatIllegalStateException().isThrownBy(store::checkpoint).withMessageContaining("closed");
        assertThatIllegalStateException().isThrownBy(() -> store.checkpoint(1 << 20));
        assertThatIllegalStateException().isThrownBy(() -> store.compact(1 << 20));
        assertThat(storage.content(LogFileName.CONTROL)).isEqualTo(control);
    }

    /** The thread that began is held at the first thing that it does with the storage. */
    @Test
    void shouldReturnToASecondThreadWhenAllIsClosed() throws InterruptedException {
        StoreLogger store = open();
        Texts.put(store, "a", "one");
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch isReleased = new CountDownLatch(1);
        AtomicInteger handles = new AtomicInteger(-1);
        Thread first = new Thread(store::close);
        Thread second = new Thread(() -> {
            store.close();
            handles.set(storage.openHandles());
        });
        storage.hook((number, what) -> {
            if (Thread.currentThread() == first) {
                isHeld.countDown();
                await(isReleased);
            }
        });
        first.start();
        isHeld.await();
        second.start();
        Await.until("the second waits, or has returned", () -> Await.waitsForTurn(second) || !second.isAlive());
        isReleased.countDown();
        first.join();
        second.join();
        assertThat(handles.get()).as("files that were open when it returned").isZero();
    }

    /** Behind each step that the storage does for it: a thread that is refused keeps nothing. */
    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldCloseWhateverOtherThreadsCallMeanwhile(WriteMode mode) throws InterruptedException {
        LogConfig log = LogConfig.builder(Path.of("store"))
                .segmentLength(64 << 10)
                .writeMode(mode)
                .build();
        StoreLogger store = StoreLogger.open(StoreConfig.builder(log).build(), storage, storage);
        store.put(Texts.bytes("key"), Texts.bytes("value"), Durability.BUFFERED);
        Thread closer = new Thread(store::close, "closer");
        closer.setDaemon(true);
        List<Throwable> refused = new CopyOnWriteArrayList<>();
        storage.hook((number, what) -> {
            if (Thread.currentThread() == closer) {
                callFromAnotherThread(store::size, refused);
                callFromAnotherThread(() -> store.put(Texts.bytes("late"), Texts.bytes("value")), refused);
            }
        });
        closer.start();
        closer.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(closer.isAlive()).as("close hangs").isFalse();
        assertThat(refused).isNotEmpty().allMatch(IllegalStateException.class::isInstance);
    }

    private static void callFromAnotherThread(ThrowingCallable call, List<Throwable> refused) {
        Thread caller = new Thread(() -> refused.add(catchThrowable(call)));
        caller.setDaemon(true);
        caller.start();
        try {
            caller.join(TimeUnit.SECONDS.toMillis(1)); // it may have to wait for what the closer holds
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** At the first moment at which another store can have the log. */
    @Test
    void shouldGiveTheCheckpointsBackNoLaterThanTheLog() {
        List<String> reopened = new ArrayList<>();
        Storage watched = Interposed.after(Storage.class, storage, (call, arguments, result) -> {
            boolean isLog = call.equals("tryLock") && arguments[0].equals(LogFileName.LOCK);
            return isLog ? whenFree((WriterLock) result, () -> reopen(reopened)) : result;
        });
        StoreLogger store = StoreLogger.open(config(), watched, watched);
        Texts.put(store, "a", "one");
        store.close();
        assertThat(reopened).containsExactly("one");
    }

    private void reopen(List<String> values) {
        try (StoreLogger store = open()) {
            values.add(Texts.get(store, "a"));
        }
    }

    private static WriterLock whenFree(WriterLock lock, Runnable then) {
        return Interposed.after(WriterLock.class, lock, (call, arguments, result) -> {
            if (call.equals("close")) {
                then.run();
            }
            return result;
        });
    }

    /** A checkpoint before the end is worth its time behind 16 MiB. */
    @Test
    void shouldCloseWhateverErrorTheLastCheckpointHas() {
        LogConfig log =
                LogConfig.builder(Path.of("store")).segmentLength(2 << 20).build();
        StoreLogger store =
                StoreLogger.open(StoreConfig.builder(log).maxSpaceRatio(0).build(), storage, storage);
        for (int i = 0; i < 17; i++) {
            store.put(Texts.bytes("key"), new byte[1 << 20], Durability.BUFFERED);
        }
        AtomicInteger errors = new AtomicInteger();
        storage.hook((number, what) -> {
            if (what.startsWith("create " + CheckpointName.PREFIX)) {
                errors.incrementAndGet();
                throw new StackOverflowError();
            }
        });
        store.close();
        assertThat(errors).hasValue(1);
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** Else the store were closed, and its log, which waits for that thread, were not. */
    @Test
    void shouldRefuseTheStepOfAFutureInAThreadOfTheLog() {
        HeldSyncs syncs = new HeldSyncs();
        storage.hook(syncs);
        try (StoreLogger store = open()) {
            long end = Texts.put(store, "a", "one");
            syncs.hold();
            CompletableFuture<@Nullable Void> closes =
                    store.reached(end, Durability.SYNCED).thenRun(store::close);
            syncs.awaitHeld();
            syncs.releaseAll();
            Throwable thrown = closes.handle((nothing, e) -> e).join();
            assertThat(thrown)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("close it in another thread");
            Texts.put(store, "b", "two");
            assertThat(store.size()).isEqualTo(2);
        }
    }

    /** What the storage calls here may be any code that the store's sync calls. */
    @Test
    void shouldRefuseCodeThatACheckpointHasCalled() {
        AtomicReference<@Nullable StoreLogger> toClose = new AtomicReference<>();
        AtomicReference<@Nullable Throwable> refused = new AtomicReference<>();
        storage.hook((number, what) -> {
            StoreLogger now = what.startsWith("create " + CheckpointName.PREFIX) ? toClose.getAndSet(null) : null;
            if (now != null) {
                refused.set(
                        assertThatIllegalStateException().isThrownBy(now::close).actual());
            }
        });
        try (StoreLogger store = open()) {
            Texts.put(store, "a", "one");
            toClose.set(store);
            assertThat(store.checkpoint()).isPositive();
            assertThat(refused.get()).hasMessageContaining("close the store in another thread");
            Texts.put(store, "b", "two");
        }
    }
}

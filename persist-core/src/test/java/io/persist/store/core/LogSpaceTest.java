package io.persist.store.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.StoreLogger;
import io.persist.error.LogFullException;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.space.Headroom;
import io.persist.store.Neighbour;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.transaction.Transaction;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commits that wait for space in the log, because the device hangs, hold no other thread up. */
@ParameterizedClass
@EnumSource
@Timeout(100) // what waits for the device here waits for ever
class LogSpaceTest {

    /** How the log is written. */
    enum Way {
        MAPPED,
        FILE,
        DETACHED
    }

    private static final long MAX_UNSYNCED = (long) LogConfig.MIN_UNSYNCED_SEGMENTS * Texts.SEGMENT_LENGTH;
    private static final int COMMITS = 200;
    private static final String VALUE = "a value of some length".repeat(4);

    @Parameter
    Way way;

    private final CrashableStorage storage = new CrashableStorage();

    /** While it has a registered party beside the thread that waits for it, no sync of the log begins. */
    private final Phaser device = new Phaser(1);

    private final TreeMap<String, String> expected = new TreeMap<>();
    private final AtomicReference<Thread> committer = new AtomicReference<>();
    private StoreLogger store;

    @BeforeEach
    void open() {
        LogConfig log = LogConfig.builder(Path.of("memory"))
                .segmentLength(Texts.SEGMENT_LENGTH)
                .writeBufferLength(512)
                .writeMode(way == Way.FILE ? WriteMode.FILE : WriteMode.MAPPED)
                .maxUnsyncedBytes(MAX_UNSYNCED)
                .build();
        StoreConfig config = StoreConfig.builder(log).maxSpaceRatio(0).build();
        DetachedConfig queue = DetachedConfig.builder().queueDepth(4).build();
        store = way == Way.DETACHED
                ? StoreLogger.open(config, queue, storage, storage)
                : StoreLogger.open(config, storage, storage);
        put("first");
        store.sync();
        storage.hook((number, what) -> {
            if (Thread.currentThread().getName().startsWith("sync ")) {
                device.awaitAdvance(0);
            }
        });
    }

    @AfterEach
    void close() {
        device.forceTermination();
        store.close();
        assertThat(storage.openHandles()).isZero();
    }

    private void put(String key) {
        Texts.put(store, key, VALUE);
        expected.put(key, VALUE);
    }

    /** Commits more than there is space for, {@code changes} at a time, in another thread. */
    private CompletableFuture<Void> commitMore(int changes) {
        return CompletableFuture.runAsync(
                () -> {
                    committer.set(Thread.currentThread());
                    for (int i = 0; i < COMMITS; i++) {
                        try (Transaction transaction = store.begin()) {
                            for (int j = 0; j < changes; j++) {
                                transaction.put(Texts.bytes("key-" + i + "/" + j), Texts.bytes(VALUE));
                            }
                            transaction.commit();
                        }
                    }
                },
                LogSpaceTest::inThreadOfItsOwn);
    }

    /** On two processors the common pool may have one thread, behind which a close would wait for a commit. */
    private static void inThreadOfItsOwn(Runnable work) {
        Thread thread = new Thread(work, "works beside the test");
        thread.setDaemon(true);
        thread.start();
    }

    private void expectMore(int changes) {
        for (int i = 0; i < COMMITS; i++) {
            for (int j = 0; j < changes; j++) {
                expected.put("key-" + i + "/" + j, VALUE);
            }
        }
    }

    /** Until a commit waits for space, and not for a segment or for the writer thread at the beginning. */
    private void awaitWait() {
        Await.until("as much is appended as may wait for the device", this::isAtTheBound);
        Await.until("a commit waits for space", () -> isWithin(committer.get(), LogSpace.class));
    }

    private boolean isStalled() {
        return way != Way.DETACHED
                || Thread.getAllStackTraces().keySet().stream().anyMatch(thread -> isWithin(thread, Headroom.class));
    }

    private boolean isAtTheBound() {
        return isStalled() && store.position() - store.syncedPosition() > MAX_UNSYNCED / 2;
    }

    private static boolean isWithin(@Nullable Thread thread, Class<?> code) {
        return thread != null
                && Arrays.stream(thread.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(code.getName()));
    }

    /** With eight changes it is large in a log of such short segments. */
    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void shouldLetOthersReadMeanwhile(int changes) {
        CompletableFuture<Void> commits = commitMore(changes);
        awaitWait();

        assertThat(store.statistics().keys()).isPositive();
        assertThat(store.position()).isPositive();
        assertThat(store.size()).isPositive();
        assertThat(Texts.get(store, "first")).isEqualTo(VALUE);
        assertThat(store.neighbour(Texts.bytes("a"), Neighbour.HIGHER)).isNotNull();
        if (way != Way.DETACHED) { // what is in the queue cannot be read yet
            assertThat(Texts.state(store)).containsAllEntriesOf(expected);
        }

        device.arrive();
        commits.join();
        expectMore(changes);
        assertThat(Texts.state(store)).isEqualTo(expected);
        assertThat(
                        way == Way.DETACHED
                                ? store.logStatistics().queueFull()
                                : store.logStatistics().stalls())
                .isPositive();
    }

    /** A scan, a get or a neighbour of a value in the queue waits for the device, and nobody for it. */
    @Test
    void shouldLetOthersInWhileAReaderWaitsForTheQueue() {
        CompletableFuture<Void> commits = commitMore(1);
        awaitWait();
        String newest = "key-" + (store.size() - 2) + "/0"; // beside "first"
        CompletableFuture<Map<String, String>> scan =
                CompletableFuture.supplyAsync(() -> Texts.state(store), LogSpaceTest::inThreadOfItsOwn);
        CompletableFuture<String> get =
                CompletableFuture.supplyAsync(() -> Texts.get(store, newest), LogSpaceTest::inThreadOfItsOwn);
        CompletableFuture<Object> neighbour = CompletableFuture.supplyAsync(
                () -> store.neighbour(Texts.bytes(newest), Neighbour.FLOOR).value(), LogSpaceTest::inThreadOfItsOwn);
        Await.until(
                "the scan has its snapshot, or even its end",
                () -> store.statistics().openSnapshots() == 1 || scan.isDone());
        assertThat(store.statistics().keys()).isPositive();

        device.arrive();
        commits.join();
        assertThat(scan.join()).containsKey(newest);
        assertThat(get.join()).isEqualTo(VALUE);
        assertThat(neighbour.join()).isNotNull();
    }

    /** What waits for the queue and then for the device waits without the lock. */
    @ParameterizedTest
    @EnumSource
    void shouldLetOthersInWhileAThreadWaitsForTheDevice(Wait wait) throws InterruptedException {
        CompletableFuture<Void> commits = commitMore(1);
        awaitWait();
        Thread waiting = new Thread(() -> wait.call.accept(store));
        waiting.start();
        Await.until("it waits, or has ended", () -> switch (waiting.getState()) {
            case WAITING, TIMED_WAITING, TERMINATED -> true;
            default -> false;
        });
        assertThat(store.statistics().keys()).isPositive();
        assertThat(store.position()).isPositive();
        device.arrive();
        commits.join();
        waiting.join();
    }

    /** A call that waits. */
    enum Wait {
        FLUSH(StoreLogger::flush),
        SYNC(StoreLogger::sync),
        CHECKPOINT(StoreLogger::checkpoint);

        private final Consumer<StoreLogger> call;

        Wait(Consumer<StoreLogger> call) {
            this.call = call;
        }
    }

    /** Attached, the thread that waits may lead the sync, and waits for its end. */
    @Test
    void shouldWaitForAPositionNoLongerThanWanted() throws InterruptedException {
        long synced = store.syncedPosition();
        CompletableFuture<Void> commits = commitMore(1);
        awaitWait();
        assertThat(store.await(synced, Durability.SYNCED, Duration.ZERO)).isTrue();
        if (way == Way.DETACHED) {
            long end = store.position();
            assertThat(store.await(end, Durability.SYNCED, Duration.ZERO)).isFalse();
            assertThat(store.reached(end, Durability.SYNCED)).isNotDone();
        }
        device.arrive();
        commits.join();
    }

    /** Nor while the disk does not even say that it is full. */
    @Test
    void shouldLetOthersInWhileTheDiskIsAsked() {
        storage.hook((number, what) -> {
            String thread = Thread.currentThread().getName();
            if (thread.startsWith("make ") || thread.startsWith("fill ")) {
                device.awaitAdvance(0);
            }
        });
        CompletableFuture<Void> commits = commitMore(1);
        Await.until("a commit waits for space", () -> isWithin(committer.get(), LogSpace.class) && isStalled());
        storage.fillUp();
        assertThat(store.statistics().keys()).isPositive();
        assertThat(store.position()).isPositive();
        device.arrive();
        assertThat(catchThrowable(commits::join)).hasCauseInstanceOf(LogFullException.class);
        storage.capacityBytes(Long.MAX_VALUE);
    }

    /** Those that come later wait behind the first, and all of them end. */
    @Test
    void shouldLetSeveralWait() {
        CompletableFuture<Void> commits = commitMore(1);
        awaitWait();
        CompletableFuture<?>[] others = new CompletableFuture<?>[4];
        for (int i = 0; i < others.length; i++) {
            String key = "other-" + i;
            others[i] = CompletableFuture.runAsync(() -> Texts.put(store, key, VALUE), LogSpaceTest::inThreadOfItsOwn);
            expected.put(key, VALUE);
        }
        assertThat(store.statistics().keys()).isPositive();
        device.arrive();
        commits.join();
        CompletableFuture.allOf(others).join();
        expectMore(1);
        assertThat(Texts.state(store)).isEqualTo(expected);
    }

    /** It need not wait for the commit, whose transaction is refused then. */
    @Test
    void shouldEndTheWaitWhenTheStoreIsClosed() {
        CompletableFuture<Void> commits = commitMore(1);
        awaitWait();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(store::close, LogSpaceTest::inThreadOfItsOwn);
        Await.until("the commit has ended", commits::isDone);
        device.forceTermination();
        closed.join();
        assertThatIllegalStateException()
                .isThrownBy(() -> {
                    try {
                        commits.join();
                    } catch (CompletionException e) {
                        throw e.getCause();
                    }
                })
                .withMessageContaining("closed");
    }
}

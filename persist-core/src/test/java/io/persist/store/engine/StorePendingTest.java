package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.error.PersistException;
import io.persist.event.OpeningProgress;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.log.segment.LogFiles;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.Texts;
import io.persist.store.checkpoint.Checkpoints;
import io.persist.store.checkpoint.StoreLoader;
import io.persist.store.transaction.Transaction;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A store that was killed long after its checkpoint: it is open before its index has the end of the log. */
class StorePendingTest {

    private static final int KEYS = 3000;
    private static final int KEYS_PER_COMMIT = 500;
    private static final int CHANGED = 1000;
    private static final StoreConfig CONFIG = StoreConfig.builder(
                    LogConfig.builder(Path.of("store")).segmentLength(64 << 10).build())
            .checkpointPercent(0)
            .maxSpaceRatio(0)
            .build();

    private final TreeMap<String, String> model = new TreeMap<>();
    private final Random random = new Random(7);
    private CrashableStorage storage = new CrashableStorage();

    private StoreLogger open() {
        return StoreLogger.open(CONFIG, storage, storage);
    }

    private void put(Transaction transaction, int number) {
        String key = "key-" + (10_000 + number);
        String value = "a value that is put as one of " + random.nextInt();
        transaction.put(Texts.bytes(key), Texts.bytes(value));
        model.put(key, value);
    }

    /** A checkpoint of all keys, and behind it one commit for each key that has changed. */
    private void write() {
        StoreLogger store = open();
        for (int i = 0; i < KEYS; i += KEYS_PER_COMMIT) {
            Transaction some = store.begin();
            for (int j = i; j < i + KEYS_PER_COMMIT; j++) {
                put(some, j);
            }
            some.commit();
        }
        store.checkpoint();
        change(store, CHANGED);
        kill(store);
    }

    private void kill(StoreLogger store) {
        storage = storage.afterKill();
        assertThat(catchThrowable(store::close)).isInstanceOfAny(PersistException.class, PowerCut.class);
    }

    private void change(StoreLogger store, int count) {
        for (int i = 0; i < count; i++) {
            Transaction transaction = store.begin();
            put(transaction, (int) (i * 997L % KEYS));
            transaction.commit(Durability.BUFFERED);
        }
    }

    private StoreLoader.Loaded load(boolean leaves) throws IOException {
        try (Tailer tailer =
                Tailer.open(storage, TailerConfig.builder().anyContent().build())) {
            tailer.toEnd();
            StoreLoader loader = new StoreLoader(
                    storage, new Checkpoints(storage), 1 << 24, OpeningProgress.unsaid(), damaged -> {});
            return (leaves ? loader.forWriter() : loader)
                    .load(tailer, LogFiles.headers(storage).get(0).logId(), tailer.nextPosition());
        }
    }

    /** It is this that makes the time to open independent of where the changed keys are. */
    @Test
    void shouldNotReadTheIndexBeforeItIsOpen() throws IOException {
        write();
        StoreLoader.Loaded loaded = load(true);
        assertThat(loaded.recovery().replay().pending()).isEqualTo(CHANGED);
        assertThat(loaded.recovery().replay().changes()).isEqualTo(CHANGED);
        assertThat(loaded.recovery().keys()).isEqualTo(KEYS);
        assertThat(loaded.recovery().describe()).contains("which has yet to get 1000 changes");
        assertThat(loaded.state().index().budget().nodesRead())
                .as("cursors stand on the first leaf")
                .isLessThanOrEqualTo(2);
        loaded.state().close();
    }

    /** An opening that needs all at once reads each node once, and in order. */
    @Test
    void shouldReadEachNodeOnce() throws IOException {
        write();
        StoreLoader.Loaded loaded = load(false);
        assertThat(loaded.recovery().replay().pending()).isZero();
        assertThat(loaded.state().isSettled()).isTrue();
        assertThat(loaded.state().index().budget().nodesRead())
                .isBetween(1L, loaded.state().index().budget().use().all());
        loaded.state().close();
    }

    @Test
    void shouldHaveAllChangesFromTheFirstMoment() {
        write();
        for (int life = 0; life < 4; life++) {
            StoreLogger store = open();
            assertThat(store.recovery().replay().pending()).isEqualTo(CHANGED);
            if (life == 0) {
                model.forEach((key, value) -> assertThat(Texts.get(store, key)).isEqualTo(value));
            } else if (life == 1) {
                change(store, 30);
            }
            assertThat(Texts.state(store)).isEqualTo(model);
            assertThat(store.size()).isEqualTo(KEYS);
            if (life == 2) {
                awaitSettled(store);
            } else if (life == 3) {
                assertThat(store.checkpoint()).isPositive();
            }
            kill(store);
        }
        try (StoreLogger store = open()) {
            assertThat(store.recovery().replay().changes()).isZero();
            assertThat(store.recovery().keys()).isEqualTo(KEYS);
            assertThat(Texts.state(store)).isEqualTo(model);
        }
    }

    private static StoreStatistics awaitSettled(StoreLogger store) {
        Await.until(
                "the index has all changes", () -> store.statistics().index().pendingChanges() == 0);
        return store.statistics();
    }

    @Test
    void shouldBringThemIntoTheIndexByItself() {
        write();
        try (StoreLogger store = open()) {
            StoreStatistics settled = awaitSettled(store);
            assertThat(settled.keys()).isEqualTo(KEYS);
            assertThat(settled.compaction().lastFailure()).isEmpty();
            assertThat(settled.index().changedNodes()).isPositive();
            assertThat(Texts.state(store)).isEqualTo(model);
        }
    }

    /**
     * A damaged node keeps the changes from the index, and so checkpoints and compaction from all that they are for,
     * and the log grows. Nobody may ever ask for a key of that node.
     */
    @Test
    void shouldSayThatItCannotBringThemIntoTheIndex() throws IOException {
        write();
        String checkpoint = CheckpointName.of(new Checkpoints(storage).list().get(0));
        byte[] content = storage.content(checkpoint);
        content[(int) CheckpointDirectory.nodeOffset(1) + 100] ^= 1; // the second leaf
        storage.replace(checkpoint, content);
        StoreConfig config = StoreConfig.builder(CONFIG.log())
                .checkpointMinLogBytes(100)
                .maxSpaceRatio(2)
                .build();
        try (StoreLogger store = StoreLogger.open(config, storage, storage)) {
            Await.until(
                    "it is said why nothing is done",
                    () -> !store.statistics().compaction().lastFailure().isEmpty());
            assertThat(store.statistics().compaction().lastFailure())
                    .contains(checkpoint)
                    .contains("closed and opened again");
            Await.until(
                    "a checkpoint that was due is counted",
                    () -> store.statistics().checkpoint().failures() > 0);
            assertThat(store.statistics().checkpoint().lastFailure()).contains(checkpoint);
            assertThat(store.statistics().index().pendingChanges()).isPositive();
        }
        try (StoreLogger store = StoreLogger.open(config, storage, storage)) {
            assertThat(awaitSettled(store).keys()).isEqualTo(KEYS);
            assertThat(store.checkpoint()).isPositive();
            assertThat(Texts.state(store)).isEqualTo(model);
        }
    }

    /** Of the segments that hold values of the checkpoint. */
    private SegmentHeader second() throws IOException {
        return LogFiles.headers(storage).get(1);
    }

    /** What has a placeholder had nothing any more that was needed; if it had, the store finds out and ends. */
    @Test
    void shouldEnd_WhenItTurnsOutThatValuesAreGone() throws IOException {
        write();
        long base = second().basePosition();
        try (Log log = Log.open(CONFIG.log(), LogContent.TRANSACTIONS, storage)) {
            assertThat(log.vacate(base)).isTrue();
        }
        StoreLogger store = open();
        assertThat(store.recovery().replay().pending()).isEqualTo(CHANGED);
        Await.until("the store has failed", () -> failure(store) != null);
        assertThat(failure(store)).rootCause().hasMessageContaining("bytes of values lie in segments that are gone");
        assertThat(catchThrowable(store::close)).isInstanceOf(PersistException.class);
        assertThatExceptionOfType(CorruptLogException.class).isThrownBy(() -> load(false));
    }

    private static Throwable failure(StoreLogger store) {
        return catchThrowable(() -> store.get(Texts.bytes("no key")));
    }

    /** Without a placeholder it is not opened at all. */
    @Test
    void shouldNotBeOpened_WhenASegmentIsGone() throws IOException {
        write();
        storage.delete(LogFileName.segment(LogFiles.headers(storage).get(0).basePosition()));
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(this::open)
                .withMessageContaining("bytes of values lie in segments that are gone");
        assertThat(storage.openHandles()).isZero();
    }
}

package io.persist.store.engine;

import static io.persist.store.Texts.bytes;
import static io.persist.store.Texts.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.persist.StoreLogger;
import io.persist.error.LogFullException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.segment.LogFiles;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.Texts;
import io.persist.store.read.ChangeReader;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.Transaction;
import io.persist.store.upkeep.Patience;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A full disk costs what does not fit on it, and nothing once there is space again. */
class StoreDiskFullTest {

    private static final long LIMIT = 60_000;
    private static final int SEGMENT_LENGTH = 4096;
    private static final String VALUE = "v".repeat(500);

    private final CrashableStorage log = new CrashableStorage();
    private final CrashableStorage disk = new CrashableStorage();
    private final FaultyStorage checkpoints = new FaultyStorage(disk).message("No space left on device");

    private static StoreConfig config(WriteMode mode) {
        return StoreConfig.builder(LogConfig.builder(Path.of("store"))
                        .segmentLength(SEGMENT_LENGTH)
                        .writeMode(mode)
                        .build())
                .maxSpaceRatio(0)
                .build();
    }

    private static List<String> checkpointFiles(CrashableStorage of) {
        return of.list().stream()
                .filter(name -> CheckpointName.isTemporary(name)
                        || CheckpointName.position(name).isPresent())
                .toList();
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldKeepTheTransactionThatDoesNotFit(WriteMode mode) {
        log.capacityBytes(LIMIT);
        TreeMap<String, String> model = new TreeMap<>();
        try (StoreLogger store = StoreLogger.open(config(mode), log, disk)) {
            @Nullable LogFullException full = null;
            for (int i = 0; full == null; i++) {
                String key = "key-" + i;
                Transaction transaction = store.begin();
                transaction.put(bytes(key), bytes(VALUE));
                transaction.put(bytes("newest"), bytes(key));
                full = catchThrowableOfType(LogFullException.class, transaction::commit);
                if (full == null) {
                    model.put(key, VALUE);
                    model.put("newest", key);
                }
            }
            assertThat(full)
                    .as("what a store allows")
                    .hasMessageContaining("free disk space, or close scans, snapshots and readers of changes")
                    .hasMessageContaining("maxSpaceRatio")
                    .hasMessageNotContaining("retire");
            assertThat(model.size()).isGreaterThan(50);
            assertThat(Texts.state(store)).isEqualTo(model);
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(store::begin);
            store.checkpoint();
            try (StoreSnapshot snapshot = store.snapshot()) {
                assertThat(snapshot.size()).isEqualTo(model.size());
            }
            store.sync();
        }
        try (StoreLogger store = StoreLogger.open(config(mode), log.capacityBytes(1 << 30), disk)) {
            assertThat(Texts.state(store)).isEqualTo(model);
            put(store, "more", "fits");
        }
        assertThat(log.openHandles()).isZero();
    }

    @Test
    void shouldCommitTheSameTransactionOnceThereIsSpace() {
        log.capacityBytes(LIMIT);
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), log, disk)) {
            Transaction transaction = untilFull(store);
            assertThat(transaction.isOpen()).isTrue();
            long size = store.size();
            log.capacityBytes(1 << 30);
            Await.until("there is space", () -> commits(transaction));
            assertThat(transaction.isOpen()).isFalse();
            assertThat(store.size()).isEqualTo(size + 1);
            put(store, "more", "fits");
        }
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), log, disk)) {
            assertThat(store.get(bytes("more"))).isNotNull();
        }
    }

    private static Transaction untilFull(StoreLogger store) {
        for (int i = 0; ; i++) {
            Transaction transaction = store.begin();
            transaction.put(bytes("key-" + i), bytes(VALUE));
            if (!commits(transaction)) {
                return transaction;
            }
        }
    }

    private static boolean commits(Transaction transaction) {
        try {
            transaction.commit();
            return true;
        } catch (LogFullException e) {
            assertThat(e).hasMessageContaining("full");
            return false;
        }
    }

    /** What the queue has taken is written when there is space; nothing is committed twice. */
    @Test
    void shouldWriteWhatWasAcceptedOnceThereIsSpace() {
        log.capacityBytes(LIMIT);
        DetachedConfig detached = DetachedConfig.builder().queueDepth(64).build();
        TreeMap<String, String> model = new TreeMap<>();
        int refused = 0;
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), detached, log, disk)) {
            for (int i = 0; refused < 20; i++) {
                Transaction transaction = store.begin();
                transaction.put(bytes("key-" + i), bytes(VALUE));
                try {
                    transaction.commit(i % 2 == 0 ? Durability.BUFFERED : Durability.SYNCED);
                } catch (LogFullException e) {
                    refused++;
                }
                if (transaction.isOpen()) {
                    transaction.rollback();
                } else {
                    model.put("key-" + i, VALUE);
                }
            }
            log.capacityBytes(1 << 30);
            Await.until("there is space", () -> {
                try {
                    store.sync();
                    return true;
                } catch (LogFullException e) {
                    return false;
                }
            });
            assertThat(Texts.state(store)).isEqualTo(model);
            try (ChangeReader changes = store.changes(0)) {
                List<String> keys = new ArrayList<>();
                while (changes.next()) {
                    keys.add(String.valueOf(Texts.text(changes.key())));
                }
                assertThat(keys).doesNotHaveDuplicates().hasSize(model.size());
            }
        }
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), log, disk)) {
            assertThat(Texts.state(store)).isEqualTo(model);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Verb.class,
            names = {"CREATE", "WRITE", "SYNC", "RENAME", "SYNC_DIRECTORY", "LIST"})
    void shouldKeepTheOlderCheckpointsWhenOneCannotBeWritten(Verb verb) {
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), log, checkpoints)) {
            put(store, "a", "one");
            store.checkpoint();
            List<String> files = checkpointFiles(disk);
            put(store, "b", "two");
            checkpoints.fail(verb, 1);
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(store::checkpoint)
                    .withMessageContaining("No space left on device");
            assertThat(checkpointFiles(disk)).containsAll(files).noneMatch(CheckpointName::isTemporary);
            StoreStatistics.Checkpoint numbers = store.statistics().checkpoint();
            assertThat(numbers.failures()).isEqualTo(1);
            assertThat(numbers.written()).isEqualTo(1);
            assertThat(numbers.inProgress()).isFalse();
            assertThat(numbers.lastFailure()).contains("No space left on device");
            assertThat(store.statistics().compaction().lastFailure()).isEmpty();
            put(store, "c", "three");
            assertThat(store.checkpoint()).isPositive();
            assertThat(store.statistics().checkpoint().written()).isEqualTo(2);
        }
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), log, disk)) {
            assertThat(store.recovery().checkpoint().keys()).isEqualTo(3);
            assertThat(store.recovery().replay().transactions()).isZero();
        }
        assertThat(disk.openHandles()).isZero();
    }

    @Test
    void shouldCountACheckpointAsWrittenWhenOnlyTheOldOnesCannotBeDeleted() {
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), log, checkpoints)) {
            for (int i = 0; i < 3; i++) {
                put(store, "key-" + i, "value");
                checkpoints.fail(Verb.DELETE, 1);
                store.checkpoint();
            }
            StoreStatistics.Checkpoint numbers = store.statistics().checkpoint();
            assertThat(numbers.written()).isEqualTo(3);
            assertThat(numbers.failures()).isZero();
            assertThat(numbers.lastFailure()).contains("cannot be deleted");
            assertThat(checkpointFiles(disk)).hasSize(3);
            checkpoints.heal();
            put(store, "key-4", "value");
            store.checkpoint();
            assertThat(checkpointFiles(disk)).hasSize(2);
        }
    }

    /** In the background a checkpoint that failed is counted, and tried again. */
    @Test
    void shouldTryACheckpointAgainInTheBackground() {
        StoreConfig config = StoreConfig.builder(LogConfig.builder(Path.of("store"))
                        .segmentLength(64 << 10)
                        .build())
                .checkpointMinLogBytes(100)
                .maxSpaceRatio(0)
                .build();
        checkpoints.fail(Verb.SYNC, 1);
        try (StoreEngine store = new StoreOpener(config, null)
                .patience(new Patience(1_000_000, Long.MAX_VALUE))
                .open(log, checkpoints)) {
            store.single().put(bytes("key"), bytes("value"), Durability.BUFFERED);
            Await.until("a checkpoint is written", () -> {
                for (int i = 0; i < 100; i++) {
                    store.single().put(bytes("key-" + i), bytes(VALUE), Durability.BUFFERED);
                }
                return store.statistics().checkpoint().written() > 0;
            });
            assertThat(store.statistics().checkpoint().failures()).isEqualTo(1);
            assertThat(store.statistics().checkpoint().lastFailure()).contains("No space left on device");
        }
        assertThat(checkpointFiles(disk)).isNotEmpty().noneMatch(CheckpointName::isTemporary);
        assertThat(disk.openHandles()).isZero();
    }

    /** Segments of which nothing is needed, and behind the fallback nothing but that. */
    private static void emptySegments(StoreLogger store) {
        overwrite(store, 200);
        store.checkpoint();
        put(store, "another", "value");
        store.checkpoint();
        overwrite(store, 1); // only now the last segment of those is empty
    }

    private void overwriteUntilFull(StoreLogger store) {
        emptySegments(store);
        log.fillUp();
        for (int refused = 0; refused < 3; ) {
            try {
                overwrite(store, 1);
            } catch (LogFullException e) {
                refused++;
            }
        }
    }

    private static void overwrite(StoreLogger store, int times) {
        for (int i = 0; i < times; i++) {
            store.put(bytes("key"), bytes(VALUE), Durability.BUFFERED);
        }
    }

    /** There is no block for a placeholder. */
    @Test
    void shouldGiveBackTheOldestSegmentsWithoutSpace() {
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), log, disk)) {
            overwriteUntilFull(store);
            long spaceBytes = store.statistics().spaceBytes();
            catchThrowableOfType(PersistException.class, () -> store.compact(1 << 20));
            assertThat(store.statistics().spaceBytes()).isLessThan(spaceBytes / 2);
            assertThat(store.statistics().compaction().waitingSegments()).isZero();
            log.capacityBytes(1 << 30);
            assertThat(Texts.get(store, "key")).isEqualTo(VALUE);
        }
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), log, disk)) {
            assertThat(Texts.get(store, "key")).isEqualTo(VALUE);
        }
        assertThat(log.openHandles()).isZero();
    }

    /** The queue waits for the very space that is given back. */
    @Test
    void shouldWriteWhatWasAcceptedIntoTheSpaceOfEmptySegments() {
        DetachedConfig detached = DetachedConfig.builder().queueDepth(64).build();
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), detached, log, disk)) {
            emptySegments(store);
            fillQueue(store);
            assertThatExceptionOfType(LogFullException.class).isThrownBy(store::sync);
            log.hook((number, what) -> {});
            catchThrowableOfType(
                    LogFullException.class, () -> store.compact(1 << 20)); // it may be known to be full yet
            Await.until("all is written", () -> isSynced(store));
        }
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), log, disk)) {
            assertThat(Texts.get(store, "key")).isEqualTo(VALUE);
        }
    }

    /** The disk is full, but is found to be so only when the queue has records for which there is no space. */
    private void fillQueue(StoreLogger store) {
        CountDownLatch isQueued = new CountDownLatch(1);
        log.hook((number, what) -> {
            if (what.startsWith("create")) {
                Await.latch(isQueued);
                throw new IOException("No space left on device");
            }
        });
        Await.until("the queue has records for which there is no space", () -> {
            overwrite(store, 1);
            return store.position() > LogFiles.of(log.list()).basePositions().last() + SEGMENT_LENGTH;
        });
        isQueued.countDown();
        log.fillUp();
    }

    /** Whoever would read it is told so, and need not wait for space. */
    @Test
    void shouldReadAllButWhatWaitsInTheQueue() {
        DetachedConfig detached = DetachedConfig.builder().queueDepth(64).build();
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), detached, log, disk)) {
            put(store, "older", "value");
            put(store, "key", "replaced");
            try (StoreSnapshot before = store.snapshot()) {
                fillQueue(store);
                assertThatExceptionOfType(LogFullException.class).isThrownBy(() -> Texts.get(store, "key"));
                assertThatExceptionOfType(LogFullException.class).isThrownBy(store::snapshot);
                assertThatExceptionOfType(LogFullException.class).isThrownBy(() -> Texts.state(store));
                assertThat(store.contains(bytes("key"))).isTrue();
                assertThat(Texts.get(store, "older")).isEqualTo("value");
                assertThat(Texts.text(before.get(bytes("key")))).isEqualTo("replaced");
            }
            log.hook((number, what) -> {});
            log.capacityBytes(1 << 30);
            Await.until("all is written", () -> isSynced(store));
            assertThat(Texts.state(store)).isEqualTo(new TreeMap<>(Map.of("older", "value", "key", VALUE)));
        }
    }

    private static boolean isSynced(StoreLogger store) {
        try {
            store.sync();
            return true;
        } catch (LogFullException e) {
            return false;
        }
    }

    /** Of the values that are replaced some of the new ones are not synced, and some are in the queue. */
    @Test
    void shouldKeepWhatOnlyTheQueueReplaces() {
        DetachedConfig detached = DetachedConfig.builder().queueDepth(64).build();
        StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), detached, log, disk);
        int keys = 300;
        for (int i = 0; i < keys; i++) {
            put(store, "key-" + i, VALUE);
        }
        store.compact(0); // which writes two checkpoints
        log.fillUp();
        int replaced = 0;
        for (boolean isFull = false; !isFull; replaced++) {
            Transaction transaction = store.begin();
            transaction.put(bytes("key-" + replaced), bytes(VALUE));
            isFull = !commits(transaction);
            transaction.close();
        }
        assertThat(replaced).isLessThan(keys);
        leaveNoSpaceToOtherThreads();
        catchThrowable(() -> store.compact(1 << 20));
        assertThat(store.statistics().compaction().vacatedSegments()).isPositive();
        CrashableStorage crashed = log.crash(new Random(1), Loss.ALL_LOST);
        catchThrowable(store::close);
        try (StoreLogger again = StoreLogger.open(config(WriteMode.MAPPED), crashed, disk)) {
            for (int i = 0; i < keys; i++) {
                assertThat(Texts.get(again, "key-" + i)).as("key-" + i).isEqualTo(VALUE);
            }
        }
    }

    /** Also when segments have been deleted. */
    private void leaveNoSpaceToOtherThreads() {
        Thread own = Thread.currentThread();
        log.hook((number, what) -> {
            if (Thread.currentThread() != own && what.startsWith("create")) {
                throw new IOException("No space left on device");
            }
        });
    }

    /** Each operation of a compaction in turn finds no space: nothing is lost, and the next compaction goes on. */
    @ParameterizedTest
    @ValueSource(strings = {"CREATE", "WRITE", "SYNC", "RENAME", "SYNC_DIRECTORY", "MAP", "LIST", "OPEN", "DELETE"})
    void shouldLoseNothingWhenCompactionFindsNoSpace(Verb verb) {
        CrashableStorage past = new CrashableStorage();
        TreeMap<String, String> model;
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), past, past)) {
            Texts.fill(store, 20, 400);
            model = Texts.state(store);
        }
        boolean isOver = false;
        for (int n = 1; !isOver; n++) {
            CrashableStorage now = past.afterKill();
            FaultyStorage faulty = new FaultyStorage(now).message("No space left on device");
            StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), faulty, faulty);
            faulty.fail(verb, n);
            catchThrowableOfType(PersistException.class, () -> store.compact(1 << 20));
            faulty.heal();
            PersistException failed = catchThrowableOfType(PersistException.class, store::flush);
            if (failed == null) {
                assertThat(Texts.state(store)).as(verb + " " + n).isEqualTo(model);
                store.compact(1 << 20);
                assertThat(store.statistics().spaceBytes()).as(verb + " " + n).isLessThan(40_000);
                assertThat(Texts.state(store)).as(verb + " " + n).isEqualTo(model);
                store.close();
            } else {
                assertThatExceptionOfType(LogIOException.class).isThrownBy(store::close);
            }
            try (StoreLogger again = StoreLogger.open(config(WriteMode.MAPPED), now, now)) {
                assertThat(Texts.state(again)).as(verb + " " + n).isEqualTo(model);
            }
            assertThat(now.openHandles()).as(verb + " " + n).isZero();
            isOver = faulty.injected() == 0;
        }
    }
}

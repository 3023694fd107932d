package io.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.OptimisticTransaction;
import io.persist.store.transaction.Transaction;
import io.persist.store.transaction.WriteBatch;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A call that lacks a level, a time or a configuration throws before it changes anything. */
class NoLevelTest {

    private static final byte[] KEY = {1};
    private static final byte[] OLD = {2};
    private static final byte[] NEW = {3};

    private static final LogConfig LOG =
            LogConfig.builder(Path.of("memory")).segmentLength(1 << 16).build();

    private enum Way {
        ATTACHED,
        DETACHED
    }

    private static MessageLogger openLogger(Way way) {
        CrashableStorage storage = new CrashableStorage();
        return way == Way.ATTACHED
                ? MessageLogger.open(LOG, storage)
                : MessageLogger.open(LOG, DetachedConfig.builder().build(), storage);
    }

    private static StoreLogger openStore(Way way) {
        StoreConfig config = StoreConfig.builder(LOG).build();
        CrashableStorage log = new CrashableStorage();
        CrashableStorage checkpoints = new CrashableStorage();
        return way == Way.ATTACHED
                ? StoreLogger.open(config, log, checkpoints)
                : StoreLogger.open(config, DetachedConfig.builder().build(), log, checkpoints);
    }

    private static void refused(Map<String, ThrowingCallable> calls, ThrowingCallable unchanged) {
        calls.forEach((missing, call) -> {
            assertThatNullPointerException()
                    .as(missing)
                    .isThrownBy(call)
                    .withMessage(missing.substring(0, missing.indexOf(' ')));
            try {
                unchanged.call();
            } catch (Throwable e) {
                throw new AssertionError(missing, e);
            }
        });
    }

    /** An attached log or store would be another thing than what the caller asked for. */
    @Test
    void shouldOpenNothingWithoutTheConfigurationOfTheQueue(@TempDir Path directory) {
        LogConfig onDisk = LogConfig.builder(directory.resolve("disk")).build();
        CrashableStorage storage = new CrashableStorage();
        StoreConfig store = StoreConfig.builder(LOG).build();
        Map<String, ThrowingCallable> calls = Map.of(
                "detached of messages", () -> MessageLogger.open(onDisk, (DetachedConfig) null),
                "detached of messages in memory", () -> MessageLogger.open(LOG, null, storage),
                "detached of packets", () -> PacketLogger.open(onDisk, (DetachedConfig) null),
                "detached of packets in memory", () -> PacketLogger.open(LOG, null, storage),
                "detached of a store",
                        () -> StoreLogger.open(StoreConfig.builder(onDisk).build(), null),
                "detached of a store in memory", () -> StoreLogger.open(store, null, storage, storage));
        refused(calls, () -> {
            assertThat(onDisk.directory()).doesNotExist();
            assertThat(storage.openHandles()).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndNoCommitOfALog(Way way) {
        try (MessageLogger logger = openLogger(way)) {
            long end = logger.append(KEY);
            Map<String, ThrowingCallable> calls = new TreeMap<>(Map.of(
                    "level of commit", () -> logger.commit((Durability) null),
                    "level of commit in time", () -> logger.commit(null, Duration.ZERO),
                    "timeout of commit", () -> logger.commit(Durability.SYNCED, null),
                    "maxDelay of commitWithin", () -> logger.commitWithin(null),
                    "level of await", () -> logger.await(0, null, Duration.ZERO),
                    "timeout of await", () -> logger.await(0, Durability.SYNCED, null),
                    "level of reached", () -> logger.reached(Long.MAX_VALUE, null),
                    "level of listen", () -> logger.listen(null, position -> {}),
                    "listener of listen", () -> logger.listen(Durability.SYNCED, null),
                    "rule of planRetention", () -> logger.planRetention(null)));
            refused(calls, () -> {
                logger.flush(); // detached: a commit that was ended before is ended on the log then
                assertThat(logger.committedPosition()).isLessThan(end);
            });
            assertThat(logger.commit(Durability.SYNCED)).isEqualTo(end);
        }
    }

    /** Detached it is not so as soon as append returns. */
    @ParameterizedTest
    @EnumSource
    void shouldSayWhyNobodyIsToldOfTheLowestLevel(Way way) {
        try (MessageLogger logger = openLogger(way)) {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> logger.listen(Durability.BUFFERED, position -> {}),
                    () -> logger.reached(0, Durability.BUFFERED))) {
                assertThatIllegalArgumentException()
                        .isThrownBy(call)
                        .withMessageContaining("detached await(position, BUFFERED, ...)");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldChangeNoKeyOfAStore(Way way) {
        try (StoreLogger store = openStore(way)) {
            store.put(KEY, OLD);
            Map<String, ThrowingCallable> calls = new TreeMap<>(Map.of(
                    "level of put", () -> store.put(KEY, NEW, (Durability) null),
                    "level of remove", () -> store.remove(KEY, null),
                    "level of remove of none", () -> store.remove(NEW, null),
                    "level of getAndPut", () -> store.getAndPut(KEY, NEW, null),
                    "level of getAndRemove", () -> store.getAndRemove(KEY, null),
                    "level of removeRange", () -> store.removeRange(KeyRange.all(), null),
                    "level of compareAndSet", () -> store.compareAndSet(KEY, OLD, NEW, null),
                    "level of await", () -> store.await(0, null, Duration.ZERO),
                    "timeout of await", () -> store.await(0, Durability.SYNCED, null),
                    "level of reached", () -> store.reached(Long.MAX_VALUE, null)));
            WriteBatch batch = new WriteBatch();
            batch.put(KEY, NEW);
            calls.put("level of write", () -> store.write(batch, null));
            refused(calls, () -> assertThat(store.getBytes(KEY)).isEqualTo(OLD));
            store.sync();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveATransactionOpen(Way way) {
        try (StoreLogger store = openStore(way)) {
            Transaction transaction = store.begin();
            transaction.put(KEY, NEW);
            Map<String, ThrowingCallable> calls = Map.of(
                    "level of commit", () -> transaction.commit((Durability) null),
                    "level of commit in time", () -> transaction.commit(null, Duration.ZERO),
                    "timeout of commit", () -> transaction.commit(Durability.SYNCED, null),
                    "maxDelay of commitWithin", () -> transaction.commitWithin(null));
            refused(calls, () -> {
                assertThat(transaction.isOpen()).isTrue();
                assertThat(store.contains(KEY)).isFalse();
            });
            transaction.commit(Durability.SYNCED);

            OptimisticTransaction optimistic = store.beginOptimistic();
            optimistic.remove(KEY);
            calls = Map.of(
                    "level of tryCommit", () -> optimistic.tryCommit((Durability) null),
                    "level of tryCommit in time", () -> optimistic.tryCommit(null, Duration.ZERO),
                    "timeout of tryCommit", () -> optimistic.tryCommit(Durability.SYNCED, null),
                    "maxDelay of tryCommitWithin", () -> optimistic.tryCommitWithin(null));
            refused(calls, () -> {
                assertThat(optimistic.isOpen()).isTrue();
                assertThat(store.contains(KEY)).isTrue();
            });
            assertThat(optimistic.tryCommit(Durability.SYNCED)).isTrue();
        }
    }
}

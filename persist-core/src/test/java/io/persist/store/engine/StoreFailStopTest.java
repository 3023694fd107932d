package io.persist.store.engine;

import static io.persist.store.Texts.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.persist.StoreLogger;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.Transaction;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The n-th operation on the storage fails, in the middle of commits, checkpoints and compaction: afterwards the store
 * goes on rightly, or it has failed. What is opened again is its state after some commit, none that was acknowledged
 * before the fault being lost.
 */
class StoreFailStopTest {

    private static final int COMMITS = 90;
    private static final String NEWEST = "newest";

    /** How many of the operations are made to fail in an ordinary build: another one each time. */
    private static final int STRIDE = 29;

    enum Kind {
        MAPPED(WriteMode.MAPPED, null),
        FILE(WriteMode.FILE, null),
        DETACHED(WriteMode.MAPPED, DetachedConfig.builder().queueDepth(16).build());

        final StoreConfig config;
        final @Nullable DetachedConfig detached;

        Kind(WriteMode mode, @Nullable DetachedConfig detached) {
            LogConfig log = LogConfig.builder(Path.of("store"))
                    .segmentLength(4096)
                    .writeMode(mode)
                    .writeBufferLength(8192)
                    .build();
            this.config = StoreConfig.builder(log).maxSpaceRatio(0).build();
            this.detached = detached;
        }

        StoreLogger open(CrashableStorage disk) {
            return detached == null
                    ? StoreLogger.open(config, disk, disk)
                    : StoreLogger.open(config, detached, disk, disk);
        }
    }

    /** One life of a store, and what it was told. */
    private static final class Run {

        final CrashableStorage disk = new CrashableStorage();
        final Kind kind;

        /** After each commit; the first is the empty store. */
        final List<TreeMap<String, String>> states = new ArrayList<>(List.of(new TreeMap<>()));

        /** The last commit that is in the log or on its way there; one that is not may still be, if the log failed. */
        int accepted;

        int flushed;
        int synced;
        boolean hasFailed;

        Run(Kind kind) {
            this.kind = kind;
        }

        void run() {
            StoreLogger store;
            try {
                store = kind.open(disk);
            } catch (PersistException refused) {
                return;
            }
            for (int i = 1; i <= COMMITS && !hasFailed; i++) {
                try {
                    commit(store, i);
                    if (i % 20 == 15) {
                        store.checkpoint();
                    }
                    if (i % 30 == 25) {
                        store.compact(1 << 20);
                    }
                } catch (PersistException e) {
                    look(store);
                }
            }
            LogIOException atClose = catchThrowableOfType(LogIOException.class, store::close);
            if (atClose == null) {
                synced = states.size() - 1;
                flushed = synced;
            }
            assertThat(disk.openHandles()).isZero();
        }

        private void commit(StoreLogger store, int i) {
            TreeMap<String, String> next = new TreeMap<>(states.get(states.size() - 1));
            try (Transaction transaction = store.begin()) {
                put(transaction, next, NEWEST, String.valueOf(states.size()));
                put(transaction, next, "key-" + i % 7, "x".repeat(100 + i) + i);
                if (i % 3 == 0) {
                    transaction.remove(bytes("key-" + i % 5));
                    next.remove("key-" + i % 5);
                }
                Durability level = Durability.values()[i % 3];
                states.add(next);
                try {
                    transaction.commit(level);
                } finally {
                    accepted = transaction.isOpen() ? accepted : states.size() - 1;
                }
                flushed = level == Durability.BUFFERED ? flushed : states.size() - 1;
                synced = level == Durability.SYNCED ? states.size() - 1 : synced;
            }
        }

        private static void put(Transaction transaction, TreeMap<String, String> next, String key, String value) {
            transaction.put(bytes(key), bytes(value));
            next.put(key, value);
        }

        /** After an error: has the store failed for good, with one cause for every call, or does it go on? */
        private void look(StoreLogger store) {
            PersistException first = catchThrowableOfType(
                    PersistException.class, () -> store.begin().rollback());
            hasFailed = first != null;
            if (first == null) {
                states.subList(accepted + 1, states.size()).clear();
                return;
            }
            assertThat(first).isInstanceOf(LogIOException.class);
            List<ThrowingCallable> calls = List.of(
                    store::begin,
                    () -> store.get(bytes(NEWEST)),
                    store::size,
                    store::snapshot,
                    () -> store.scan(KeyRange.all(), Direction.FORWARD),
                    () -> store.changes(0),
                    store::flush,
                    store::sync,
                    store::checkpoint,
                    () -> store.compact(1));
            for (ThrowingCallable call : calls) {
                assertThat(catchThrowable(call)).isSameAs(first);
            }
            assertThat(store.statistics().keys()).isNotNegative();
        }

        void check(String fault) {
            try {
                check(disk.afterKill(), flushed);
                check(disk.crash(new Random(1), Loss.ALL_LOST), synced);
                check(disk.crash(new Random(2), Loss.RANDOM), synced);
            } catch (Throwable e) {
                throw new AssertionError(kind + " after " + fault + ": " + e, e);
            }
        }

        private void check(CrashableStorage after, int acknowledged) {
            TreeMap<String, String> found;
            try (StoreLogger store = kind.open(after)) {
                found = Texts.state(store);
                int point = Integer.parseInt(found.getOrDefault(NEWEST, "0"));
                assertThat(point).isBetween(acknowledged, states.size() - 1);
                assertThat(found).isEqualTo(states.get(point));
                Texts.put(store, "after", "it goes on");
                store.checkpoint();
            }
            found.put("after", "it goes on");
            try (StoreLogger store = kind.open(after)) {
                assertThat(Texts.state(store)).isEqualTo(found);
            }
            assertThat(after.openHandles()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldGoOnOrStopWhenTheNthOperationFails(Kind kind) {
        failing(kind, (number, n) -> number == n);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldStopWhenAllOperationsFailFromTheNthOn(Kind kind) {
        failing(kind, (number, n) -> number >= n);
    }

    private interface Fault {
        boolean is(int number, int n);
    }

    private static void failing(Kind kind, Fault fault) {
        int stride = Seeds.isNightly() ? 1 : STRIDE;
        Seeds.run(1, seed -> {
            boolean hit = true;
            for (int n = 1 + (int) (seed % stride); hit; n += stride) {
                int target = n;
                String[] what = {null};
                Run run = new Run(kind);
                run.disk.hook((number, operation) -> {
                    if (fault.is(number, target)) {
                        what[0] = what[0] == null ? operation : what[0];
                        throw new IOException("Input/output error (injected: " + number + " " + operation + ")");
                    }
                });
                run.run();
                run.check("operation " + n + ": " + what[0]);
                hit = what[0] != null;
            }
        });
    }

    /** A sync that failed is not tried again: the kernel has marked the pages clean, and would say yes. */
    @Test
    void shouldNotTakeAFailedSyncForOneThatCanBeTriedAgain() {
        Run run = new Run(Kind.MAPPED);
        StoreLogger store = Kind.MAPPED.open(run.disk);
        Texts.put(store, "a", "one");
        store.sync();
        StoreSnapshot before = store.snapshot();
        run.disk.hook((number, what) -> {
            if (what.matches("force \\d+\\.log")) {
                throw new IOException("Input/output error");
            }
        });
        Transaction transaction = store.begin();
        transaction.put(bytes("a"), bytes("two"));
        PersistException first =
                catchThrowableOfType(PersistException.class, () -> transaction.commit(Durability.SYNCED));
        assertThat(first).isInstanceOf(LogIOException.class).hasMessageContaining("Input/output error");
        assertThat(transaction.isOpen()).isFalse();
        run.disk.hook((number, what) -> {});
        assertThat(catchThrowable(store::sync)).isSameAs(first);
        assertThat(catchThrowable(store::begin)).isSameAs(first);
        assertThat(catchThrowable(() -> store.get(bytes("a")))).isSameAs(first);
        assertThat(Texts.text(before.get(bytes("a"))))
                .as("what was open can be read on")
                .isEqualTo("one");
        before.close();
        assertThat(catchThrowable(store::close))
                .isInstanceOf(LogIOException.class)
                .hasRootCauseMessage("Input/output error");
        assertThat(run.disk.openHandles()).isZero();
        try (StoreLogger again = Kind.MAPPED.open(run.disk.crash(new Random(1), Loss.ALL_LOST))) {
            assertThat(Texts.get(again, "a")).isEqualTo("one");
        }
    }
}

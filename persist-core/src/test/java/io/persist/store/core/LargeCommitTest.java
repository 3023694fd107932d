package io.persist.store.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.IndexFullException;
import io.persist.error.PersistException;
import io.persist.format.TransactionLayout;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.TailerConfig;
import io.persist.store.ChangeType;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Neighbour;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.StoreEntry;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.read.ChangeReader;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.staged.StagedChanges;
import io.persist.store.state.StoreState;
import io.persist.store.transaction.Transaction;
import io.persist.support.Allocation;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A transaction of many changes holds up others for a step's work only, and is seen as a whole. */
class LargeCommitTest {

    private static final int KEYS = 5_000;
    private static final int FEW = 1_500;
    private static final int ROUNDS = Seeds.isNightly() ? 40 : 8;

    /** Index memory that is enough for the changes of a large transaction, and not for copies of nodes as well. */
    private static final long SCARCE = 12 << 20;

    private CrashableStorage storage = new CrashableStorage();
    private @Nullable StoreEngine open;

    private StoreEngine open(OldValues oldValues, long indexMemoryBytes) {
        LogConfig log =
                LogConfig.builder(Path.of("store")).segmentLength(8 << 20).build();
        StoreConfig config = StoreConfig.builder(log)
                .oldValues(oldValues)
                .indexMemoryBytes(indexMemoryBytes)
                .build();
        open = new StoreOpener(config, null).open(storage, storage);
        return open;
    }

    @AfterEach
    void close() {
        if (open != null) {
            open.close();
        }
    }

    private static byte[] key(int number) {
        return Texts.bytes("key/" + (1_000_000 + number));
    }

    private static byte[] value(int number) {
        return ByteBuffer.allocate(8).putInt(number).array();
    }

    private static void putAll(StoreEngine store, int value) {
        Transaction transaction = store.thread().begin();
        for (int i = 0; i < KEYS; i++) {
            transaction.put(key(i), value(value));
        }
        transaction.commit();
    }

    private static int mostOf(StoreEngine store) {
        return store.core().state().step().most();
    }

    @Test
    void shouldHoldTheLockForAStep() {
        StoreEngine store = open(OldValues.OMIT, 0);
        putAll(store, 1);
        putAll(store, 2);
        assertThat(mostOf(store)).as("puts").isEqualTo(StoreState.CHANGES_PER_STEP);
        assertThat(store.lookups().size()).isEqualTo(KEYS);
        Transaction transaction = store.thread().begin();
        for (int i = 0; i < KEYS; i += 2) {
            transaction.remove(key(i));
        }
        transaction.removeRange(KeyRange.from(key(KEYS - 1000)));
        transaction.commit();
        assertThat(mostOf(store)).as("removes").isEqualTo(StoreState.CHANGES_PER_STEP);
        assertThat(store.lookups().size()).isEqualTo(KEYS / 2 - 500);
        store.single().put(key(0), value(0), Durability.BUFFERED);
        for (int i = 0; i < StoreCommits.MOST_AT_ONCE; i++) {
            transaction = i == 0 ? store.thread().begin() : transaction;
            transaction.put(key(i), value(0));
        }
        transaction.commit();
        assertThat(mostOf(store)).as("at once").isEqualTo(StoreCommits.MOST_AT_ONCE);
    }

    /** Also to find out what the changes replace, and to read what the index has not in memory. */
    @Test
    void shouldHoldTheLockForAStepWithOldValuesAndAnIndexThatWasNotRead() {
        StoreEngine store = open(OldValues.RECORD, 0);
        putAll(store, 1);
        store.upkeep().checkpoint();
        store.close();
        store = open(OldValues.RECORD, 0);
        assertThat(store.core().state().index().unloadedNodes()).isPositive();
        long before = store.lookups().end();
        putAll(store, 2);
        assertThat(mostOf(store)).isEqualTo(StoreState.CHANGES_PER_STEP);
        try (ChangeReader changes =
                store.changes().open(before, TailerConfig.builder().build())) {
            for (int i = 0; i < KEYS; i++) {
                assertThat(changes.next()).isTrue();
                assertThat(changes.oldValueBytes()).isEqualTo(value(1));
            }
            assertThat(changes.next()).isFalse();
        }
    }

    /** The object of its changes goes to another thread, which changes it without the lock. */
    @Test
    void shouldNotWatchItsKeysAnyMoreOnceItIsAccepted() {
        StoreEngine store = open(OldValues.RECORD, 0);
        StagedChanges large = new StagedChanges(store.core().log().layout().maxPayload(), OldValues.RECORD);
        large.clear();
        for (int i = 0; i < KEYS; i++) {
            large.put(key(i), value(1), 0, 8);
        }
        AtomicReference<@Nullable Boolean> touched = new AtomicReference<>();
        Committer handsOn = new Committer() {
            @Override
            public boolean mayCommit(StoreState state) {
                return true;
            }

            @Override
            public void accepted() {
                large.put(key(0), value(2), 0, 8);
                large.enterNew();
                touched.set(isTouchedByAPut(store, large));
            }
        };
        store.core().commits().commit(large, handsOn, Durability.BUFFERED, null);
        assertThat(touched.get()).isFalse();
        assertThat(store.lookups().size()).isEqualTo(KEYS);
        assertThat(store.single().getBytes(key(0))).isEqualTo(value(3));
    }

    /** Whether one of a key that {@code other} has looks as if it touched what is to come. Under the lock. */
    private static boolean isTouchedByAPut(StoreEngine store, StagedChanges other) {
        StoreState state = store.core().state();
        StagedChanges small = new StagedChanges(other.maxLength(), OldValues.RECORD);
        small.clear();
        small.put(key(0), value(3), 0, 8);
        state.prepare(small);
        state.recordPrevious(small);
        small.seal(TransactionLayout.TYPE_CHANGES);
        store.core().appendPrepared(small);
        return state.expected().isTouched();
    }

    /** The transaction and what becomes of it take turns with the same memory. */
    @Test
    void shouldAllocateNoMemoryForEachTransaction() {
        StoreEngine store = open(OldValues.OMIT, 0);
        byte[][] keys = new byte[FEW][];
        for (int i = 0; i < FEW; i++) {
            keys[i] = key(i);
        }
        Runnable commit = () -> {
            Transaction transaction = store.thread().begin();
            for (byte[] key : keys) {
                transaction.put(key, key);
            }
            transaction.commit(Durability.BUFFERED);
        };
        Allocation.in(200, commit);
        assertThat(Allocation.in(100, commit) / 100).as("bytes for each").isLessThan(FEW * 8);
    }

    /** Appends a transaction that puts all keys, and leaves to others to bring it into the index. */
    private static HeldSettler publish(StoreEngine store, int value) {
        HeldSettler settler = new HeldSettler(store);
        settler.publish(staged -> {
            for (int i = 0; i < KEYS; i++) {
                staged.put(key(i), value(value), 0, 8);
            }
        });
        return settler;
    }

    @Test
    void shouldBeSeenBeforeTheIndexHasIt() {
        StoreEngine store = open(OldValues.OMIT, 0);
        store.single().put(key(1), value(1), Durability.BUFFERED);
        HeldSettler settler = publish(store, 2);
        assertThat(store.core().state().index().size()).isEqualTo(1);
        assertThat(store.single().getBytes(key(1))).isEqualTo(value(2));
        assertThat(store.single().contains(key(KEYS - 1))).isTrue();
        assertThat(store.single().remove(key(2), Durability.BUFFERED)).isTrue();
        assertThat(store.single().remove(key(2), Durability.BUFFERED)).isFalse();
        assertThat(store.single().compareAndSet(key(3), value(2), value(3), Durability.BUFFERED))
                .isTrue();
        assertThat(count(store)).isEqualTo(KEYS - 1);
        assertThat(settler.isSettled()).isFalse();
        settler.settle(Integer.MAX_VALUE);
        assertThat(store.single().getBytes(key(3))).isEqualTo(value(3));
        assertThat(store.single().contains(key(2))).isFalse();
        assertThat(count(store)).isEqualTo(KEYS - 1);
    }

    private static int count(StoreEngine store) {
        int count = 0;
        try (StoreScan scan = store.snapshots().scan(KeyRange.all(), Direction.FORWARD)) {
            while (scan.next()) {
                count++;
            }
        }
        return count;
    }

    /** Nobody who goes through the keys waits for the index, or works for it, as long as there is memory. */
    @Test
    void shouldHoldUpNoScanSnapshotNeighbourOrSize() {
        StoreEngine store = open(OldValues.OMIT, 0);
        putAll(store, 1);
        HeldSettler settler = publish(store, 2);
        settler.settle(KEYS / 2);
        try (StoreSnapshot snapshot = store.snapshots().open()) {
            assertThat(store.lookups().size()).isEqualTo(KEYS);
            assertThat(snapshot.size()).isEqualTo(KEYS);
            assertThat(count(store)).isEqualTo(KEYS);
            assertThat(snapshot.position()).isEqualTo(store.lookups().end());
            StoreEntry last = store.single().neighbour(key(KEYS), Neighbour.LOWER);
            StoreEntry first = store.single().neighbour(key(0), Neighbour.CEILING);
            assertThat(last.key()).isEqualTo(key(KEYS - 1));
            assertThat(first.value()).isEqualTo(value(2));
            assertThat(settler.isSettled()).isFalse();
            store.single().put(key(KEYS - 1), value(3), Durability.BUFFERED);
            settler.settle(Integer.MAX_VALUE);
            store.single().remove(key(0), Durability.BUFFERED);
            assertThat(snapshot.getBytes(key(0))).isEqualTo(value(2));
            assertThat(snapshot.getBytes(key(KEYS - 1))).isEqualTo(value(2));
        }
        assertThat(store.single().getBytes(key(KEYS - 1))).isEqualTo(value(3));
        assertThat(store.lookups().size()).isEqualTo(KEYS - 1);
    }

    /** Copies of nodes for a snapshot could take what the index needs to get the rest. */
    @Test
    void shouldHaveAScanWaitForTheIndexWhereMemoryIsScarce() {
        StoreEngine store = open(OldValues.OMIT, SCARCE);
        HeldSettler settler = publish(store, 1);
        settler.settle(KEYS / 5);
        assertThat(store.core().ask(store.core().state()::maySnapshot)).isFalse();
        assertThat(count(store)).isEqualTo(KEYS);
        assertThat(settler.isSettled()).isTrue();
    }

    /** A checkpoint brings it to an end first; a crash leaves the record. */
    @Test
    void shouldSurviveACrashAndACheckpoint() {
        StoreEngine store = open(OldValues.OMIT, 0);
        publish(store, 1);
        CrashableStorage crashed = storage.crash(new Random(1), Loss.ALL_KEPT);
        assertThatExceptionOfType(PersistException.class).isThrownBy(store::close);
        storage = crashed;
        store = open(OldValues.OMIT, 0);
        assertThat(store.lookups().size()).isEqualTo(KEYS);
        publish(store, 2);
        store.upkeep().checkpoint();
        assertThat(store.core().state().isSettled()).isTrue();
        store.close();
        store = open(OldValues.OMIT, 0);
        assertThat(store.single().getBytes(key(KEYS / 2))).isEqualTo(value(2));
        assertThat(store.recovery().replay().transactions()).isZero();
    }

    /** What was there stays, the transaction is still open, and nobody has waited for long. */
    @Test
    void shouldLeaveAllAsItWasWithoutMemory() {
        StoreEngine store = open(OldValues.OMIT, 1 << 20);
        store.single().put(key(0), value(7), Durability.BUFFERED);
        long before = store.lookups().end();
        Transaction transaction = store.thread().begin();
        for (int i = 0; i < KEYS; i++) {
            transaction.put(key(i), value(1));
        }
        assertThatExceptionOfType(IndexFullException.class).isThrownBy(transaction::commit);
        assertThat(transaction.isOpen()).isTrue();
        assertThat(transaction.changes()).isEqualTo(KEYS);
        assertThat(transaction.getBytes(key(KEYS - 1))).isEqualTo(value(1));
        assertThat(store.lookups().end()).isEqualTo(before);
        assertThat(mostOf(store)).isLessThanOrEqualTo(StoreState.CHANGES_PER_STEP);
        transaction.rollback();
        assertThat(store.lookups().size()).isEqualTo(1);
        Transaction small = store.thread().begin();
        for (int i = 0; i < 10; i++) {
            small.put(key(i), value(2));
        }
        small.commit();
        assertThat(store.lookups().size()).isEqualTo(10);
    }

    /** Threads that read, and that change single keys of it, see each transaction as a whole and in its place. */
    @Test
    void shouldBeSeenAsAWholeByOtherThreads() throws InterruptedException {
        StoreEngine store = open(OldValues.RECORD, 0);
        putAll(store, 0);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        Thread reader = new Thread(() -> repeat(over, failure, () -> read(store)));
        Thread scanner = new Thread(() -> repeat(over, failure, () -> scan(store)));
        Thread writer = new Thread(() -> repeat(over, failure, () -> change(store)));
        long before = store.lookups().end();
        reader.start();
        scanner.start();
        writer.start();
        for (int round = 1; round <= ROUNDS && failure.get() == null; round++) {
            putAll(store, round);
        }
        over.set(true);
        reader.join();
        scanner.join();
        writer.join();
        assertThat(failure.get()).isNull();
        checkChanges(store, before);
    }

    private static void repeat(AtomicBoolean over, AtomicReference<@Nullable Throwable> failure, Runnable work) {
        try {
            while (!over.get()) {
                work.run();
            }
        } catch (Throwable e) {
            failure.set(e);
        }
    }

    private static int number(byte @Nullable [] value) {
        assertThat(value).isNotNull();
        return ByteBuffer.wrap(value).getInt();
    }

    /** A key that is read later has no older value. */
    private static void read(StoreEngine store) {
        Random random = new Random(1);
        int newest = 0;
        for (int i = 0; i < 1000; i++) {
            int next = number(store.single().getBytes(key(1 + random.nextInt(KEYS - 1))));
            assertThat(next).isGreaterThanOrEqualTo(newest);
            newest = next;
        }
    }

    /** All keys have the value of one transaction, in whatever way they are gone through. */
    private static void scan(StoreEngine store) {
        try (StoreSnapshot snapshot = store.snapshots().open()) {
            int expected = number(snapshot.getBytes(key(KEYS - 1)));
            int count = 0;
            try (StoreScan scan = snapshot.scan(KeyRange.all(), Direction.values()[expected % 2])) {
                for (; scan.next(); count++) {
                    if (number(scan.valueBytes()) != expected) {
                        throw new AssertionError("half of a transaction: " + Texts.text(scan.key()));
                    }
                }
            }
            assertThat(count).isEqualTo(KEYS);
            assertThat(snapshot.size()).isEqualTo(KEYS);
            assertThat(store.lookups().size()).isEqualTo(KEYS);
            StoreEntry next = snapshot.neighbour(key(expected), Neighbour.HIGHER);
            assertThat(number(next.value())).isEqualTo(expected);
        }
    }

    /** The value of the last large transaction and how often it was changed since. */
    private static void change(StoreEngine store) {
        byte[] before = store.single().getBytes(key(0));
        byte[] after = ByteBuffer.wrap(before.clone())
                .putInt(4, ByteBuffer.wrap(before).getInt(4) + 1)
                .array();
        if (store.single().compareAndSet(key(0), before, after, Durability.BUFFERED)) {
            assertThat(number(store.single().getBytes(key(0)))).isGreaterThanOrEqualTo(number(before));
        }
    }

    /** Each change of the key that two threads change has replaced the one before it on the log. */
    private static void checkChanges(StoreEngine store, long from) {
        byte[] last = value(0);
        try (ChangeReader changes =
                store.changes().open(from, TailerConfig.builder().build())) {
            while (changes.next()) {
                assertThat(changes.type()).isEqualTo(ChangeType.PUT);
                if (Arrays.equals(changes.keyBytes(), key(0))) {
                    assertThat(changes.oldValueBytes()).isEqualTo(last);
                    last = changes.valueBytes();
                }
            }
        }
    }
}

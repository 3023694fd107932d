package io.persist.store.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.error.IndexFullException;
import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.log.LogConfig;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.layer.ChangeOrder;
import io.persist.store.staged.StagedChanges;
import io.persist.store.state.ExpectedChanges;
import io.persist.store.state.StoreState;
import io.persist.store.transaction.Transaction;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Large transactions whose nodes the index has not the memory for, all at once. On the log they could not be brought
 * into the index, and the store would refuse everything: so they are refused before.
 */
class LargeCommitMemoryTest {

    /** Of keys of this length a leaf has four. */
    private static final int KEY_LENGTH = 1_000;

    /** So many keys have more leaves than there is memory for. */
    private static final int MANY = 1_400;

    /** With so many keys the index has all nodes in memory, and little beside. */
    private static final int MOST = 960;

    private static final int NEW = 20;
    private static final int OF_ANOTHER = 20;

    private final CrashableStorage storage = new CrashableStorage();
    private final StoreConfig config = StoreConfig.builder(
                    LogConfig.builder(Path.of("store")).segmentLength(4 << 20).build())
            .checkpointPercent(0)
            .indexMemoryBytes(1 << 20)
            .build();
    private final StagedChanges large = new StagedChanges(4 << 20, OldValues.OMIT);
    private final StagedChanges other = new StagedChanges(1 << 20, OldValues.OMIT);
    private StoreEngine store;
    private StoreState state;

    private void open(int keys) {
        try (StoreLogger filled = StoreLogger.open(config, storage, storage)) {
            for (int i = 0; i < keys; i += OF_ANOTHER) {
                Transaction transaction = filled.begin();
                for (int number = i; number < i + OF_ANOTHER; number++) {
                    transaction.put(key(number), new byte[1]);
                }
                transaction.commit();
            }
            filled.checkpoint();
        }
        store = new StoreOpener(config, null).open(storage, storage);
        store.core().lock();
        state = store.core().state();
    }

    @AfterEach
    void close() {
        state.expected().end();
        store.core().unlock();
        store.close();
    }

    /** In the order of their numbers, and with little in common. */
    private static byte[] key(int number) {
        byte[] key = new byte[KEY_LENGTH];
        new Random(number).nextBytes(key);
        ByteBuffer.wrap(key).putInt(number);
        return key;
    }

    /** Begins the large transaction of keys that are so far apart; returns how many it has. */
    private int begin(int keys, int step) {
        for (int i = 0; i < keys; i += step) {
            large.put(key(i), new byte[1], 0, 1);
        }
        ChangeOrder order = ChangeOrder.ofAll(large.buffer(), large.length(), large.count());
        state.expected().begin(large, order);
        return order.count();
    }

    /** Looks keys up, from that of number {@code first} on; returns the number of the next one, {@code end} or more. */
    private int lookUp(int first, int end) {
        int next = first;
        while (next < end) {
            next = state.expected().lookUpSome(next);
        }
        return next;
    }

    /** Looks most keys up, until another transaction needs the memory; returns the number of the next one. */
    private int lookUpAndYield() {
        int next = lookUp(0, MANY / 10);
        other.clear();
        for (int i = MANY - OF_ANOTHER; i < MANY; i++) {
            other.put(key(i), new byte[1], 0, 1);
        }
        state.prepare(other);
        state.unpin();
        return next;
    }

    private void ensureMemory() {
        while (!state.expected().ensureSomeMemory()) {
            // goes on
        }
        state.expected().ensureMemory();
    }

    private void openWithAllInMemory() {
        open(MOST);
        for (int i = 0; i < MOST; i++) {
            state.index().get(new KeyBuffer().set(key(i), 0, KEY_LENGTH), new Location());
        }
        assertThat(state.index().unloadedNodes()).isZero();
    }

    private void publish() {
        ensureMemory();
        large.enterNew();
        large.seal(TransactionLayout.TYPE_CHANGES);
        store.core().appendExpected(large);
    }

    private void commit(byte[]... keys) {
        other.clear();
        for (byte[] key : keys) {
            other.put(key, new byte[1], 0, 1);
        }
        try {
            state.prepare(other);
            other.seal(TransactionLayout.TYPE_CHANGES);
            store.core().appendPrepared(other);
        } finally {
            state.unpin();
        }
    }

    private void checkpoint() {
        store.core().unlock();
        store.upkeep().checkpoint();
        store.core().lock();
    }

    @Test
    void shouldBeRefusedIfAnotherOneHasTakenItsMemory() {
        open(MANY);
        large.clear();
        int count = begin(MANY, 4);
        int next = lookUpAndYield();
        ExpectedChanges expected = state.expected();
        assertThat(expected.lookUpSome(next)).as("there is no point in more").isEqualTo(count);
        assertThat(expected.ensureSomeMemory()).as("nor in memory").isTrue();
        assertThat(expected.hasMemory()).as("what was read for it is gone").isFalse();
        assertThatExceptionOfType(IndexFullException.class).isThrownBy(expected::ensureMemory);

        large.clear();
        lookUp(0, begin(MANY / 4, 4));
        ensureMemory();
        assertThat(expected.hasMemory()).as("it has begun anew").isTrue();
    }

    /** The index would have to give memory of nodes that it changes to those that it adds. */
    @Test
    void shouldBeRefusedIfAllNodesAreInMemoryAndTheNewOnesDoNotFit() {
        openWithAllInMemory();
        large.clear();
        for (int i = 0; i < NEW; i++) {
            large.put(key(MOST + i), new byte[1], 0, 1);
        }
        lookUp(0, begin(MOST, 4));
        assertThatExceptionOfType(IndexFullException.class).isThrownBy(this::ensureMemory);
    }

    /** Until the index has all of it, nobody can be given its memory: not for what a refused commit has read, either. */
    @Test
    void shouldComeIntoTheIndexWhateverIsRefusedBesideIt() {
        open(MANY);
        large.clear();
        for (int i = 0; i < NEW; i++) {
            large.put(key(MANY + i), new byte[1], 0, 1);
        }
        lookUp(0, begin(MANY / 4, 4));
        publish();

        other.clear();
        for (int i = MANY / 4; i < MANY; i += 4) {
            other.put(key(i), new byte[1], 0, 1);
        }
        assertThatExceptionOfType(IndexFullException.class).isThrownBy(() -> state.prepare(other));
        state.unpin();
        assertThat(state.settle(Integer.MAX_VALUE)).isTrue();
    }

    /** After the checkpoint the halves could be read again, but others get memory until there is none for that. */
    @Test
    void shouldComeIntoTheIndexAlthoughOthersHaveSplitItsLeaves() {
        open(MANY);
        large.clear();
        lookUp(0, begin(MANY / 5, 2));
        for (int i = 0; i < MANY / 5; i += 4) {
            commit(keyBehind(i, 1), keyBehind(i, 2));
        }
        checkpoint();
        publish();

        assertThatExceptionOfType(IndexFullException.class).isThrownBy(() -> {
            for (int i = MANY - 4; i > MANY / 4; i -= 4) {
                commit(key(i));
            }
        });
        assertThat(state.settle(Integer.MAX_VALUE)).isTrue();
    }

    /** It has to read nothing as long as that is so. */
    @Test
    void shouldKeepAllNodesInMemoryIfItHasLookedNoKeysUp() {
        openWithAllInMemory();
        large.clear();
        begin(1, 1);
        assertThat(state.expected().lookUpSome(0)).isEqualTo(1);
        publish();
        assertThatExceptionOfType(IndexFullException.class).isThrownBy(() -> {
            for (int i = 0; i < MOST; i += 4) {
                commit(keyBehind(i, 1), keyBehind(i, 2));
            }
        });
        assertThat(state.index().budget().use().evicted()).isZero();
        assertThat(state.settle(Integer.MAX_VALUE)).isTrue();
        commit(keyBehind(0, 1), keyBehind(0, 2));
    }

    /** Between the key of this number and the next one. */
    private static byte[] keyBehind(int number, int part) {
        byte[] key = key(number);
        key[Integer.BYTES] = (byte) 0xFF;
        key[Integer.BYTES + 1] = (byte) part;
        return key;
    }
}

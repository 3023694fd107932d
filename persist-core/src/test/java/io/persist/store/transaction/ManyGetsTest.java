package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.index.KeyIndex;
import io.persist.index.node.KeyBuffer;
import io.persist.index.node.NodeSource;
import io.persist.index.read.Location;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.core.HeldSettler;
import io.persist.store.core.StoreCore;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.read.StoreScan;
import io.persist.store.staged.ChangedKeys;
import io.persist.store.staged.ScannedRange;
import io.persist.store.staged.StagedChanges;
import io.persist.store.state.StoreState;
import io.persist.support.Allocation;
import io.persist.support.HeldSyncs;
import io.persist.support.Interposed;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A commit looks many gets up in steps, and takes nothing from others but the lock for each of these. */
class ManyGetsTest {

    private static final int KEYS = 3_000;
    private static final int GETS = 75;

    /** So long that each get has a leaf of its own. */
    private static final String PADDING = "x".repeat(200);

    private static final KeyRange FEW = KeyRange.between(key(10), key(20));

    private final CrashableStorage storage = new CrashableStorage();
    private final ReadSet read = new ReadSet();
    private StoreEngine store;
    private StoreCore core;
    private StoreState state;

    @BeforeEach
    void fill() {
        open();
        for (int i = 0; i < KEYS; i++) {
            put(key(i));
        }
    }

    private void open() {
        LogConfig log =
                LogConfig.builder(Path.of("store")).segmentLength(1 << 20).build();
        StoreConfig config =
                StoreConfig.builder(log).checkpointPercent(0).maxSpaceRatio(0).build();
        store = new StoreOpener(config, null).open(storage, storage);
        core = store.core();
        state = core.state();
    }

    @AfterEach
    void shouldLeaveNothingOpen() {
        read.endCommit(core);
        assertThat(watches()).isZero();
        assertThat(state.index().openSnapshots()).isZero();
        store.close();
        assertThat(storage.openHandles()).isZero();
    }

    private static byte[] key(int number) {
        return Texts.bytes("key/" + (100_000 + number) + PADDING);
    }

    private void put(byte[] key) {
        store.single().put(key, new byte[8], Durability.BUFFERED);
    }

    private int watches() {
        return core.readAnyway(() -> state.recent().watches());
    }

    private boolean areUnchanged() {
        return core.ask(() -> read.areUnchanged(state));
    }

    /** Of keys all over the store. */
    private void get() {
        KeyBuffer key = new KeyBuffer();
        Location found = new Location();
        for (int i = 0; i < GETS; i++) {
            byte[] there = key(i * (KEYS / GETS));
            long end = core.shown().get();
            assertThat(core.ask(() -> state.get(key.set(there, 0, there.length), found)))
                    .isTrue();
            read.add(there, found.position(), end);
        }
    }

    private void scanFew() {
        scan(FEW);
    }

    private void scanAll() {
        scan(KeyRange.all());
        scan(KeyRange.all());
    }

    private void scan(KeyRange range) {
        StagedChanges none = new StagedChanges(1 << 10, OldValues.OMIT);
        none.clear();
        ChangedKeys changed = ChangedKeys.of(none, range);
        ScannedRange scanned = read.scan(range, Direction.FORWARD, changed);
        try (StoreScan scan = store.snapshots().scan(range, Direction.FORWARD, changed.layer(), scanned, () -> {})) {
            while (scan.next()) {
                assertThat(range.contains(scan.keyBytes())).isTrue();
            }
        }
    }

    /** How many snapshots the index has had. */
    private long snapshots() {
        return core.read(() -> state.index().version());
    }

    /** A snapshot has others copy what they change: transactions that fit the index's memory would be refused. */
    @Test
    void shouldTakeNoSnapshot() {
        get();
        scanFew();
        long before = snapshots();
        assertThat(read.beginCommit(core)).isTrue();
        assertThat(watches()).isEqualTo(1);
        assertThat(areUnchanged()).isTrue();
        assertThat(snapshots()).isEqualTo(before);
    }

    /** Others do not wait until all were looked up. */
    @Test
    void shouldLookAtSomeInEachStep() {
        get();
        core.locked(state.step()::restart);
        assertThat(read.beginCommit(core)).isTrue();
        assertThat(state.step().most()).isEqualTo(StoreState.CHANGES_PER_STEP);
    }

    /** A few scanned keys are counted by the commit itself: nothing of others has to be taken for a change. */
    @Test
    void shouldCountAFewKeysUnderTheLock() {
        get();
        scanFew();
        assertThat(read.beginCommit(core)).isTrue();
        HeldSettler settler = new HeldSettler(store);
        settler.publish(staged -> {
            for (int i = 0; i < 2_000; i++) {
                staged.put(Texts.bytes("other/" + i), new byte[8], 0, 8);
            }
        });
        settler.settle(Integer.MAX_VALUE);
        assertThat(areUnchanged()).isTrue();
        put(key(19));
        assertThat(areUnchanged()).isFalse();
    }

    /** The reads of nodes take longest. */
    @Test
    void shouldLookAtFewerWhereNodesAreRead() {
        get();
        KeyIndex index = reopen();
        long before = index.budget().nodesRead();
        core.locked(state.step()::restart);
        assertThat(read.beginCommit(core)).isTrue();
        assertThat(index.budget().nodesRead() - before).isGreaterThanOrEqualTo(GETS);
        assertThat(state.step().most()).isBetween(1, StoreState.CHANGES_PER_STEP / StoreState.CHANGES_PER_READ);
    }

    /** The same keys lie where they lay. */
    private KeyIndex reopen() {
        store.upkeep().checkpoint();
        store.close();
        open();
        return state.index();
    }

    @Test
    void shouldStopWhenOneIsChanged() {
        get();
        KeyIndex index = reopen();
        StagedChanges ofAnother = new StagedChanges(1 << 10, OldValues.OMIT);
        ofAnother.clear();
        ofAnother.put(key(0), new byte[8], 0, 8);
        core.locked(() -> index.source(Interposed.after(NodeSource.class, index.source(), (call, arguments, result) -> {
            if (call.equals("read")) {
                state.recent().note(ofAnother, 0, 0);
            }
            return result;
        })));
        long before = index.budget().nodesRead();
        assertThat(read.beginCommit(core)).isFalse();
        assertThat(index.budget().nodesRead() - before)
                .isBetween(1L, 2L * StoreState.CHANGES_PER_STEP / StoreState.CHANGES_PER_READ);
    }

    /** The error that has ended the commit may be one for want of memory; the watch must not stay. */
    @Test
    void shouldEndTheWatchesWithoutMemory() {
        get();
        scanAll();
        Runnable end = () -> read.endCommit(core);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < Allocation.TRIES; i++) { // at first classes are loaded
            assertThat(read.beginCommit(core)).isTrue();
            assertThat(watches()).isEqualTo(2);
            least = Math.min(least, Allocation.in(1, end));
            assertThat(watches()).isZero();
        }
        assertThat(least).as("bytes allocated").isZero();
    }

    /** Each commit of others asks each watch about each of its changes. */
    @Test
    void shouldWatchNothingWhileItWaitsForTheDevice() throws InterruptedException {
        HeldSyncs syncs = new HeldSyncs();
        storage.hook(syncs);
        syncs.hold();
        AtomicBoolean isCommitted = new AtomicBoolean();
        Thread committing = new Thread(() -> isCommitted.set(commitSynced()));
        committing.start();
        syncs.awaitHeld();
        try {
            assertThat(store.single().contains(Texts.bytes("own"))).isTrue();
            assertThat(watches()).isZero();
            assertThat(isCommitted).isFalse();
        } finally {
            syncs.releaseAll();
            committing.join();
        }
        assertThat(isCommitted).isTrue();
    }

    /** Of so much that it watches keys and ranges. */
    private boolean commitSynced() {
        try (OptimisticTransaction transaction = store.thread().beginOptimistic()) {
            for (int i = 0; i < GETS; i++) {
                assertThat(transaction.contains(key(i))).isTrue();
            }
            for (Direction direction : Direction.values()) {
                try (StoreScan scan = transaction.scan(KeyRange.all(), direction)) {
                    while (scan.next()) {
                        assertThat(scan.valueBytes()).hasSize(8);
                    }
                }
            }
            transaction.put(Texts.bytes("own"), new byte[8]);
            return transaction.tryCommit(Durability.SYNCED);
        }
    }
}

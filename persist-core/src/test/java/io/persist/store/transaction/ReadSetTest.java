package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.index.node.KeyBuffer;
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
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where a commit looks at what was scanned: under the store's lock only if that takes neither long nor a read. */
class ReadSetTest {

    private static final int KEYS = ReadSet.MOST_UNDER_LOCK + 1_000;
    private static final KeyRange ALL = KeyRange.prefix(Texts.bytes("key/"));
    private static final KeyRange FEW = KeyRange.between(key(1_000), key(1_010));

    private final CrashableStorage storage = new CrashableStorage();
    private final ReadSet read = new ReadSet();
    private StoreEngine store;
    private StoreCore core;

    @BeforeEach
    void open() {
        LogConfig log =
                LogConfig.builder(Path.of("store")).segmentLength(1 << 20).build();
        StoreConfig config =
                StoreConfig.builder(log).checkpointPercent(0).maxSpaceRatio(0).build();
        store = new StoreOpener(config, null).open(storage, storage);
        core = store.core();
    }

    private void fill() {
        for (int i = 0; i < KEYS; i++) {
            put(key(i));
        }
    }

    @AfterEach
    void shouldLeaveNothingOpen() {
        read.endCommit(core);
        assertThat(watches()).isZero();
        assertThat(core.state().index().openSnapshots()).isZero();
        store.close();
        assertThat(storage.openHandles()).isZero();
    }

    private static byte[] key(int number) {
        return Texts.bytes("key/" + (100_000 + number));
    }

    private void put(byte[] key) {
        store.single().put(key, new byte[8], Durability.BUFFERED);
    }

    private int watches() {
        return core.readAnyway(() -> core.state().recent().watches());
    }

    /** Scans to the end; returns how many keys there were. */
    private int scan(KeyRange range) {
        StagedChanges none = new StagedChanges(1 << 10, OldValues.OMIT);
        none.clear();
        try (StoreScan scan = open(range, ChangedKeys.of(none, range))) {
            int keys = 0;
            while (scan.next()) {
                keys++;
            }
            return keys;
        }
    }

    private StoreScan open(KeyRange range, ChangedKeys changed) {
        ScannedRange scanned = read.scan(range, Direction.FORWARD, changed);
        return store.snapshots().scan(range, Direction.FORWARD, changed.layer(), scanned, () -> {});
    }

    /** Else each of many would keep all changes of the transaction that are in its range. */
    @Test
    void shouldKeepOfAScanThatIsClosedOnlyWhatItHasGonePast() {
        put(key(1));
        StagedChanges staged = new StagedChanges(1 << 10, OldValues.OMIT);
        staged.clear();
        staged.put(key(2), new byte[0], 0, 0);
        WeakReference<ChangedKeys> changed = scanOne(staged);
        assertThat(scan(ALL)).isEqualTo(1);
        Await.collected("it is collected", changed);
        assertThat(areUnchanged()).isTrue();
    }

    private WeakReference<ChangedKeys> scanOne(StagedChanges staged) {
        ChangedKeys changed = ChangedKeys.of(staged, ALL);
        try (StoreScan scan = open(ALL, changed)) {
            assertThat(scan.next()).isTrue();
            assertThat(scan.keyBytes()).isEqualTo(key(1));
        }
        return new WeakReference<>(changed);
    }

    private boolean areUnchanged() {
        return core.ask(() -> read.areUnchanged(core.state()));
    }

    private long nodesRead() {
        return core.read(() -> core.state().index().budget().nodesRead());
    }

    @Test
    void shouldLookUnderTheLockAtAFew() {
        fill();
        assertThat(scan(FEW)).isEqualTo(10);
        assertThat(read.beginCommit(core)).isTrue();
        assertThat(watches()).isZero();
        assertThat(areUnchanged()).isTrue();
        put(key(999));
        put(key(1_010));
        assertThat(areUnchanged()).isTrue();
        put(key(1_000));
        assertThat(areUnchanged()).isFalse();
        assertThat(read.lookIfWanted(core)).as("it knows").isFalse();
    }

    /** What comes while it looks, and afterwards, touches the watch. */
    @Test
    void shouldLookWithoutTheLockAtMany() {
        fill();
        assertThat(scan(ALL)).isEqualTo(KEYS);
        assertThat(read.beginCommit(core)).isTrue();
        assertThat(watches()).isEqualTo(1);
        put(Texts.bytes("key"));
        put(Texts.bytes("key0"));
        assertThat(areUnchanged()).isTrue();
        store.single().remove(key(KEYS - 1), Durability.BUFFERED);
        assertThat(areUnchanged()).isFalse();
        assertThat(read.lookIfWanted(core)).as("it knows").isFalse();
        read.endCommit(core);
        read.endCommit(core);
        assertThat(watches()).isZero();
        assertThat(read.beginCommit(core)).as("it sees that at once now").isFalse();
    }

    @Test
    void shouldNotTryWhatHasChangedBefore() {
        fill();
        scan(ALL);
        put(key(KEYS));
        assertThat(read.beginCommit(core)).isFalse();
    }

    /** A large transaction is seen by all from its commit on; the index may be behind for long. */
    @Test
    void shouldNotWaitForALargeTransaction() {
        fill();
        assertThat(scan(FEW)).isEqualTo(10);
        HeldSettler settler = new HeldSettler(store);
        settler.publish(staged -> {
            for (int i = 0; i < 2_000; i++) {
                staged.put(key(i + 1_010), new byte[8], 0, 8);
            }
            staged.removeRange(KeyRange.below(key(1_000)));
        });
        shouldWantALook(true);
        assertThat(settler.isSettled()).isFalse();
        settler.settle(Integer.MAX_VALUE);
    }

    @Test
    void shouldSeeWhatALargeTransactionHasPut() {
        fill();
        assertThat(scan(FEW)).isEqualTo(10);
        HeldSettler settler = new HeldSettler(store);
        settler.publish(staged -> staged.put(key(1_009), new byte[8], 0, 8));
        shouldWantALook(false);
        settler.settle(Integer.MAX_VALUE);
    }

    @Test
    void shouldSeeThatARangeIsRemovedWhoseKeysAreStillInTheIndex() {
        fill();
        assertThat(scan(FEW)).isEqualTo(10);
        HeldSettler settler = new HeldSettler(store);
        settler.publish(staged -> staged.removeRange(KeyRange.from(key(1_009))));
        shouldWantALook(false);
        settler.settle(Integer.MAX_VALUE);
    }

    private void shouldWantALook(boolean isUnchanged) {
        assertThat(read.beginCommit(core)).isTrue();
        assertThat(areUnchanged()).as("it cannot say").isFalse();
        assertThat(read.lookIfWanted(core)).isEqualTo(isUnchanged);
        if (isUnchanged) { // else it is not asked any more
            assertThat(areUnchanged()).isTrue();
        }
    }

    /** Other threads wait for the lock: not for the device. */
    @Test
    void shouldNotReadTheIndexUnderTheLock() {
        fill();
        store.upkeep().checkpoint();
        store.close();
        open();
        assertThat(scan(FEW)).isEqualTo(10);
        long before = nodesRead();
        assertThat(core.state().index().unloadedNodes()).isPositive();
        shouldWantALook(true);
        assertThat(nodesRead()).isEqualTo(before);
        put(key(1_005));
        assertThat(areUnchanged()).isFalse();
    }

    /** Gets of keys that are there, and of as many that are not. */
    private void get(int keys) {
        Location found = new Location();
        KeyBuffer key = new KeyBuffer();
        long end = core.shown().get();
        for (int i = 0; i < keys; i++) {
            byte[] there = key(i);
            assertThat(core.ask(() -> core.state().get(key.set(there, 0, there.length), found)))
                    .isTrue();
            read.add(there, found.position(), end);
            read.add(Texts.bytes("none/" + i), ReadKeys.ABSENT, end);
        }
    }

    @Test
    void shouldGetAFewUnderTheLock() {
        fill();
        get(32);
        assertThat(read.beginCommit(core)).isTrue();
        assertThat(watches()).isZero();
        assertThat(areUnchanged()).isTrue();
        put(key(31));
        assertThat(areUnchanged()).isFalse();
    }

    /** However many there are, nobody waits until all of them were looked up. */
    @Test
    void shouldGetManyBeforeTheCommit() {
        fill();
        get(33);
        assertThat(read.beginCommit(core)).isTrue();
        assertThat(watches()).isEqualTo(1);
        put(key(33));
        put(Texts.bytes("none/33"));
        assertThat(areUnchanged()).isTrue();
        try (StoreState empty = new StoreState()) {
            assertThat(read.areUnchanged(empty)).as("it is not looked up again").isTrue();
        }
        put(Texts.bytes("none/32"));
        assertThat(areUnchanged()).isFalse();
        read.endCommit(core);
        assertThat(read.beginCommit(core)).as("it sees that at once now").isFalse();
    }

    @Test
    void shouldNotTryWhatWasChangedOrRemovedSinceTheGet() {
        fill();
        get(33);
        store.single().remove(key(32), Durability.BUFFERED);
        assertThat(read.beginCommit(core)).isFalse();
    }

    /** It has too many changes to look at them, and is no reason to refuse a commit. */
    @Test
    void shouldGetOnceMoreUnderTheLockBehindALargeTransaction() {
        fill();
        get(33);
        assertThat(read.beginCommit(core)).isTrue();
        HeldSettler settler = new HeldSettler(store);
        settler.publish(staged -> {
            for (int i = 0; i < 2_000; i++) {
                staged.put(key(i + 33), new byte[8], 0, 8);
            }
        });
        assertThat(areUnchanged()).isTrue();
        settler.settle(Integer.MAX_VALUE);
        assertThat(areUnchanged()).isTrue();
        store.single().removeRange(KeyRange.from(Texts.bytes("none/")), Durability.BUFFERED);
        assertThat(areUnchanged()).as("there was none").isTrue();
        store.single().removeRange(KeyRange.from(key(32)), Durability.BUFFERED);
        assertThat(areUnchanged()).isFalse();
    }

    /** What scans have gone past would take too long to count. */
    @Test
    void shouldNotScanOnceMoreUnderTheLockBehindALargeTransaction() {
        fill();
        scan(ALL);
        get(33);
        assertThat(read.beginCommit(core)).isTrue();
        HeldSettler settler = new HeldSettler(store);
        settler.publish(staged -> {
            for (int i = 0; i < 2_000; i++) {
                staged.put(Texts.bytes("other/" + i), new byte[8], 0, 8);
            }
        });
        assertThat(areUnchanged()).isFalse();
        assertThat(read.lookIfWanted(core)).isFalse();
        settler.settle(Integer.MAX_VALUE);
    }

    @Test
    void shouldNotMistakeTheRemovalOfAnotherRangeForAChange() {
        fill();
        scan(ALL);
        get(33);
        assertThat(read.beginCommit(core)).isTrue();
        store.single().removeRange(KeyRange.below(Texts.bytes("key")), Durability.BUFFERED);
        put(Texts.bytes("another"));
        store.single().removeRange(KeyRange.below(Texts.bytes("key")), Durability.BUFFERED);
        assertThat(areUnchanged()).isTrue();
        store.single().removeRange(KeyRange.from(key(KEYS - 1)), Durability.BUFFERED);
        assertThat(areUnchanged()).isFalse();
    }
}

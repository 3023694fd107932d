package io.persist.store.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.IndexCursor;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.Location;
import io.persist.log.LogConfig;
import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.layer.RemovedRange;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.staged.StagedChanges;
import io.persist.store.transaction.StoreThreadsTest.Kind;
import io.persist.store.transaction.Transaction;
import io.persist.support.Allocation;
import io.persist.support.InMemory;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A range of keys is removed at once, however long the index takes for it. The model has the rest. */
class RangeRemovalTest {

    private static final int KEYS = 900;
    private static final int ROUNDS = 100;
    private static final int MANY = 5000;

    @TempDir(factory = InMemory.class)
    Path directory;

    private final StoreState state = new StoreState();
    private final StagedChanges staged = new StagedChanges(1 << 16, OldValues.OMIT);
    private final Location found = new Location();

    private static KeyBuffer key(int number) {
        byte[] bytes = bytes(number);
        return new KeyBuffer().set(bytes, 0, bytes.length);
    }

    private static byte[] bytes(int number) {
        return Texts.bytes("key-" + (10_000 + number));
    }

    private void put(int number, long frame) {
        staged.clear();
        staged.put(bytes(number), new byte[] {1}, 0, 1);
        staged.seal(TransactionLayout.TYPE_CHANGES);
        state.apply(staged, frame);
    }

    @Test
    void shouldLeaveOutWhatTheIndexStillHas() {
        state.live().addSegment(0, 1 << 20);
        for (int i = 0; i < 100; i++) {
            put(i, 1000 * i);
        }
        long all = state.live().total();
        staged.clear();
        staged.removeRange(bytes(10), bytes(90));
        state.apply(staged, 200_000);
        put(50, 300_000); // after the removal
        assertThat(state.index().size()).isEqualTo(100);
        for (int rounds = 0; !state.settle(7); rounds++) {
            checkKeys();
            assertThat(rounds).isLessThan(20);
        }
        checkKeys();
        assertThat(state.isSettled()).isTrue();
        assertThat(state.index().size()).isEqualTo(21);
        assertThat(state.live().total()).isEqualTo(all / 100 * 21);
        state.close();
    }

    /** Also those that the same transaction has put before, and with other changes behind. */
    @Test
    void shouldRemoveSeveralRangesOfOneTransaction() {
        state.live().addSegment(0, 1 << 20);
        for (int i = 0; i < 80; i++) {
            put(i, 1000 * i);
        }
        staged.clear();
        staged.removeRange(bytes(10), bytes(40));
        for (int i = 80; i < 100; i++) {
            staged.put(bytes(i), new byte[] {1}, 0, 1);
        }
        staged.removeRange(bytes(30), bytes(90));
        staged.put(bytes(50), new byte[] {1}, 0, 1);
        staged.seal(TransactionLayout.TYPE_CHANGES);
        state.apply(staged, 200_000);
        checkKeys();
        while (!state.settle(7)) {
            checkKeys();
        }
        checkKeys();
        assertThat(state.index().size()).isEqualTo(21);
        state.close();
    }

    /** Leaves that have removed keys only go at once; each snapshot has them, and the sum of live bytes is exact. */
    @Test
    void shouldTakeWholeLeavesOut() {
        Seeds.run(3, seed -> {
            Random random = new Random(seed);
            TreeMap<Integer, Long> model = new TreeMap<>();
            try (StoreState many = new StoreState()) {
                many.live().addSegment(0, 1L << 40);
                long at = 8;
                for (int round = 0; round < 12; round++) {
                    int from = random.nextInt(MANY);
                    int below = from + random.nextInt(MANY - from) + 1;
                    for (int i = 0; i < MANY; i++, at += 1000) {
                        if (random.nextInt(round % 3 + 1) == 0) {
                            many.put(key(i), at, i % 50);
                            model.put(i, at);
                        }
                    }
                    staged.clear();
                    staged.removeRange(bytes(from), bytes(below));
                    many.apply(staged, at += 1000);
                    model.subMap(from, below).clear();
                    for (int i = 0; i < round % 4; i++) {
                        int put = random.nextInt(MANY);
                        many.put(key(put), at += 1000, 1);
                        model.put(put, at);
                    }
                    long size = many.index().size();
                    IndexSnapshot snapshot = random.nextBoolean() ? many.index().snapshot() : null;
                    int steps = settle(many);
                    if (below - from > 2000 && round % 4 < 2) {
                        assertThat(steps).as("for %s keys", below - from).isLessThan((below - from) / 2);
                    }
                    checkSame(many, model);
                    if (snapshot != null) {
                        checkSize(snapshot, size);
                        snapshot.close();
                    }
                }
            }
        });
    }

    private static int settle(StoreState in) {
        int steps = 1;
        while (!in.settle(1)) {
            steps++;
        }
        return steps;
    }

    private void checkSame(StoreState in, TreeMap<Integer, Long> model) {
        assertThat(in.index().size()).isEqualTo(model.size());
        long bytes = 0;
        for (int i = 0; i < MANY; i++) {
            Long position = model.get(i);
            assertThat(in.index().get(key(i), found)).isEqualTo(position != null);
            if (position != null) {
                assertThat(found.position()).isEqualTo(position);
                bytes += TransactionLayout.entryLength(key(i).length(), found.length());
            }
        }
        assertThat(in.live().total()).isEqualTo(bytes);
    }

    private static void checkSize(IndexSnapshot snapshot, long size) {
        IndexCursor cursor = snapshot.cursor();
        long count = 0;
        while (cursor.next()) {
            count++;
        }
        assertThat(count).isEqualTo(size);
    }

    /** The keys of a removal that ran out of memory are not forgotten. */
    @Test
    void shouldLookAtAKeyAgainThatCouldNotBeRemoved() {
        put(11, 1000);
        put(12, 2000);
        staged.clear();
        staged.removeRange(bytes(10), bytes(90));
        RangeRemovals removals = new RangeRemovals(state.live());
        RemovedRange range = staged.removedRange(TransactionLayout.HEADER_LENGTH);
        range.appendedAt(100_000);
        removals.add(range);
        IndexCursor cursor = state.index().cursor();
        for (int i = 0; i < 2; i++) {
            assertThat(removals.next(cursor)).isTrue();
            assertThat(cursor.key()).isEqualByComparingTo(key(11));
        }
        removals.pass(key(11));
        assertThat(removals.next(cursor)).isTrue();
        assertThat(cursor.key()).isEqualByComparingTo(key(12));
        removals.pass(key(12));
        assertThat(removals.next(cursor)).isFalse();
        state.close();
    }

    /** One of another transaction that comes meanwhile waits for it. */
    @Test
    void shouldGoOnWithARemovalThatHasBegun() {
        state.live().addSegment(0, 1 << 20);
        for (int i = 0; i < 100; i++) {
            put(i, 1000 * i);
        }
        staged.clear();
        staged.removeRange(bytes(10), bytes(60));
        state.apply(staged, 200_000);
        put(50, 300_000);
        assertThat(state.settle(7)).isFalse();
        staged.clear();
        staged.removeRange(bytes(20), bytes(50));
        staged.removeRange(bytes(60), bytes(90));
        state.apply(staged, 400_000);
        while (!state.settle(7)) {
            checkKeys();
        }
        checkKeys();
        assertThat(state.index().size()).isEqualTo(21);
        state.close();
    }

    private void checkKeys() {
        for (int i = 0; i < 100; i++) {
            assertThat(state.get(key(i), found)).as("key %s", i).isEqualTo(i < 10 || i >= 90 || i == 50);
        }
    }

    /** There can be as many as fit into a transaction, and they stay until the index has no key of them. */
    @ParameterizedTest
    @ValueSource(ints = {1000, MANY})
    void shouldTakeLittleOfTheHeap(int ranges) {
        LogConfig log =
                LogConfig.builder(Path.of("store")).segmentLength(4 << 20).build();
        CrashableStorage storage = new CrashableStorage();
        try (StoreLogger store = StoreLogger.open(StoreConfig.builder(log).build(), storage, storage)) {
            Texts.fill(store, 10, 10);
            bytesOfCommit(store, ranges); // makes room for what comes
            assertThat(bytesOfCommit(store, ranges) / ranges).isLessThan(200);
        }
    }

    private static long bytesOfCommit(StoreLogger store, int ranges) {
        Transaction transaction = store.begin();
        for (int i = 0; i < ranges; i++) {
            transaction.removeRange(KeyRange.prefix(bytes(i)));
        }
        return Allocation.in(1, transaction::commit);
    }

    @Test
    void shouldTakeOneShortRecord() {
        CrashableStorage storage = new CrashableStorage();
        try (StoreLogger store = Texts.open(storage)) {
            Texts.fill(store, 500, 500);
            long before = store.position();
            assertThat(store.removeRange(KeyRange.prefix(Texts.bytes("key-")))).isTrue();
            assertThat(store.position() - before).isLessThan(200);
            assertThat(store.size()).isZero();
            assertThat(store.statistics().liveBytes()).isZero();
            before = store.position();
            assertThat(store.removeRange(KeyRange.all())).isFalse();
            assertThat(store.removeRange(KeyRange.below(new byte[0]))).isFalse();
            assertThat(store.position()).isEqualTo(before);
        }
        try (StoreLogger store = Texts.open(storage)) {
            assertThat(store.size()).isZero();
        }
    }

    /** Readers see all of the keys or none, and what is put meanwhile stays. */
    @Test
    void shouldBeSeenAsAWhole() throws InterruptedException {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        try (StoreLogger store = Kind.MAPPED.open(directory)) {
            Thread reader = new Thread(() -> {
                try {
                    while (!over.get()) {
                        look(store);
                    }
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            reader.start();
            for (int round = 0; round < ROUNDS && failure.get() == null; round++) {
                Transaction transaction = store.begin();
                for (int i = 0; i < KEYS; i++) {
                    transaction.put(bytes(i), Texts.bytes("round " + round));
                }
                transaction.commit();
                assertThat(store.removeRange(KeyRange.prefix(Texts.bytes("key-"))))
                        .isTrue();
                store.put(bytes(KEYS / 2), Texts.bytes("stays"));
                assertThat(store.size()).isEqualTo(1);
            }
            over.set(true);
            reader.join();
            assertThat(failure.get()).isNull();
        }
        try (StoreLogger store = Kind.MAPPED.open(directory)) { // compaction has moved nothing that was gone
            assertThat(store.size()).isEqualTo(1);
        }
    }

    private static void look(StoreLogger store) {
        boolean wasFirstThere = store.contains(bytes(0));
        boolean wasThere = wasFirstThere && store.firstEntry() != null;
        try (StoreSnapshot snapshot = store.snapshot()) {
            if (snapshot.size() > 1 && snapshot.size() != KEYS) {
                throw new AssertionError("a part of the range: " + snapshot.size() + ", first one " + wasThere);
            }
        }
    }
}

package io.persist.store.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.format.TransactionLayout;
import io.persist.index.IndexCursor;
import io.persist.index.Location;
import io.persist.index.node.KeyBuffer;
import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.store.Texts;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.StoreThreadsTest.Kind;
import io.persist.store.transaction.Transaction;
import io.persist.support.InMemory;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A range of keys is removed at once, however long the index takes for it. The model has the rest. */
class RangeRemovalTest {

    private static final int KEYS = 900;
    private static final int ROUNDS = 100;

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

    /** The keys of a removal that ran out of memory are not forgotten. */
    @Test
    void shouldLookAtAKeyAgainThatCouldNotBeRemoved() {
        put(11, 1000);
        put(12, 2000);
        staged.clear();
        staged.removeRange(bytes(10), bytes(90));
        RangeRemoval removal = new RangeRemoval(staged.span(TransactionLayout.HEADER_LENGTH), 100_000);
        IndexCursor cursor = state.index().cursor();
        for (int i = 0; i < 2; i++) {
            assertThat(removal.next(cursor)).isTrue();
            assertThat(cursor.key()).isEqualByComparingTo(key(11));
        }
        removal.pass(key(11));
        assertThat(removal.next(cursor)).isTrue();
        assertThat(cursor.key()).isEqualByComparingTo(key(12));
        removal.pass(key(12));
        assertThat(removal.next(cursor)).isFalse();
        state.close();
    }

    private void checkKeys() {
        for (int i = 0; i < 100; i++) {
            assertThat(state.get(key(i), found)).as("key %s", i).isEqualTo(i < 10 || i >= 90 || i == 50);
        }
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

package io.persist.store.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.IndexFullException;
import io.persist.event.OpeningProgress;
import io.persist.format.Frame;
import io.persist.format.TransactionLayout;
import io.persist.index.KeyIndex;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.KeyCursor;
import io.persist.index.read.Location;
import io.persist.store.OldValues;
import io.persist.store.Texts;
import io.persist.store.layer.LayeredSnapshot;
import io.persist.store.staged.StagedChanges;
import io.persist.support.Seeds;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The log that is read back makes the state that a sorted map has, in one batch or in many, at once or later. */
class ReplayTest {

    private static final int KEYS = 700;
    private static final int ALL = 1 << 20;

    private StoreState state = newState(Long.MAX_VALUE);
    private final StagedChanges staged = new StagedChanges(1 << 20, OldValues.OMIT);
    private final EntryCursor entries = new EntryCursor();
    private final Location found = new Location();
    private final KeyBuffer key = new KeyBuffer();

    /** Where the value of each key lies. */
    private final TreeMap<Integer, Long> model = new TreeMap<>();

    private long frame;

    private static StoreState newState(long maxMemoryBytes) {
        StoreState state = new StoreState(new KeyIndex(maxMemoryBytes));
        state.live().addSegment(0, 1L << 40);
        return state;
    }

    @AfterEach
    void close() {
        state.close();
    }

    private void begin(long maxMemoryBytes) {
        state.close();
        state = newState(maxMemoryBytes);
        model.clear();
        frame = 0;
    }

    private static byte[] bytes(int number) {
        return Texts.bytes("key-" + (10_000 + number));
    }

    private KeyBuffer key(int number) {
        byte[] bytes = bytes(number);
        return key.set(bytes, 0, bytes.length);
    }

    /** The value of a key is as long as its number says, so that what is found can be told from others. */
    private void put(int number) {
        model.put(number, frame + 4096 + Frame.HEADER_LENGTH + staged.length());
        staged.put(bytes(number), new byte[number % 50], 0, number % 50);
    }

    private void remove(int number) {
        staged.remove(bytes(number));
        model.remove(number);
    }

    private void removeRange(int from, int to) {
        staged.removeRange(bytes(from), bytes(to));
        model.subMap(from, to).clear();
    }

    /** A few changes, mostly of keys that come in no order. */
    private void stage(Random random, boolean hasRanges) {
        staged.clear();
        int first = random.nextInt(KEYS);
        boolean isInOrder = random.nextInt(4) == 0;
        for (int i = random.nextInt(12); i >= 0; i--) {
            int number = isInOrder ? (first + i) % KEYS : random.nextInt(KEYS);
            switch (random.nextInt(hasRanges ? 30 : 29)) {
                case 0, 1, 2, 3, 4, 5 -> remove(number);
                case 29 -> removeRange(number, number + 1 + random.nextInt(100));
                default -> put(number);
            }
        }
        frame += 4096;
    }

    private void replay(Random random, Replay replay, int transactions, boolean hasRanges) {
        for (int i = 0; i < transactions; i++) {
            stage(random, hasRanges);
            staged.seal(random.nextInt(5) == 0 ? TransactionLayout.TYPE_MOVES : TransactionLayout.TYPE_CHANGES);
            ByteBuffer record =
                    staged.buffer().duplicate().order(staged.buffer().order());
            replay.apply(entries.wrap(record.limit(staged.length()), frame));
        }
    }

    private void commit(Random random) {
        stage(random, true);
        staged.seal(TransactionLayout.TYPE_CHANGES);
        state.prepare(staged);
        state.apply(staged, frame);
        state.unpin();
    }

    private void checkLookups(String how) {
        for (int number = 0; number < KEYS; number++) {
            Long expected = model.get(number);
            boolean isThere = state.get(key(number), found);
            if (isThere != (expected != null)
                    || isThere && (found.position() != expected || found.length() != number % 50)) {
                throw new AssertionError(how + ", key=" + number + ", found=" + (isThere ? found.position() : -1)
                        + ", expected=" + expected);
            }
        }
    }

    private static void checkSnapshot(String how, LayeredSnapshot snapshot, TreeMap<Integer, Long> model) {
        KeyCursor cursor = snapshot.cursor();
        for (Map.Entry<Integer, Long> expected : model.entrySet()) {
            assertThat(cursor.next()).as(how).isTrue();
            byte[] itsKey = bytes(expected.getKey());
            assertThat(cursor.key().isAt(itsKey, 0) && cursor.key().length() == itsKey.length)
                    .as(how + ", key=" + expected.getKey())
                    .isTrue();
            assertThat(cursor.position()).as(how).isEqualTo(expected.getValue());
        }
        assertThat(cursor.next()).as(how).isFalse();
        assertThat(snapshot.size()).as(how).isEqualTo(model.size());
    }

    private void checkSettled(String how) {
        checkLookups(how);
        long bytes = model.keySet().stream()
                .mapToLong(number -> TransactionLayout.entryLength(bytes(number).length, number % 50))
                .sum();
        assertThat(state.isSettled()).as(how).isTrue();
        assertThat(state.left()).as(how).isZero();
        assertThat(state.index().size()).as(how).isEqualTo(model.size());
        assertThat(state.live().total()).as(how).isEqualTo(bytes);
        assertThat(state.live().lost()).as(how).isZero();
    }

    @Test
    void shouldHaveWhatAMapHas() {
        Seeds.run(30, seed -> {
            Random random = new Random(seed);
            begin(Long.MAX_VALUE);
            Replay replay =
                    new Replay(state, OpeningProgress.unsaid(), random.nextBoolean() ? ALL : 1 + random.nextInt(5000));
            replay(random, replay, random.nextInt(random.nextInt(300) + 1), random.nextBoolean());
            replay.settle();
            checkSettled("at once");
            assertThat(replay.transactions()).isEqualTo(frame / 4096);
        });
    }

    /** What is left is seen all the same, in all that others do meanwhile. */
    @Test
    void shouldHaveItToo_WhenSomeIsLeft() {
        Seeds.run(30, seed -> {
            Random random = new Random(seed);
            begin(Long.MAX_VALUE);
            Replay replay = new Replay(
                    state, OpeningProgress.unsaid(), random.nextInt(3) > 0 ? ALL : 1 + random.nextInt(50_000));
            replay(random, replay, 20 + random.nextInt(200), random.nextBoolean());
            int left = replay.settleLater();
            assertThat(state.isSettled()).isEqualTo(left == 0);
            checkLookups("left");
            LayeredSnapshot before = state.snapshot();
            TreeMap<Integer, Long> then = new TreeMap<>(model);
            for (boolean isSettled = false; !isSettled; isSettled = state.settle(1 + random.nextInt(200))) {
                commit(random);
                checkLookups("commits between steps");
                try (LayeredSnapshot now = state.snapshot()) {
                    checkSnapshot("between steps", now, model);
                }
            }
            checkSnapshot("of the beginning", before, then);
            before.close();
            checkSettled("later");
        });
    }

    /** Each key goes to the index once, however often it was changed, and not before the end. */
    @Test
    void shouldLeaveOfEachKeyTheLastChange() {
        Replay replay = new Replay(state, OpeningProgress.unsaid(), ALL);
        for (int i = 0; i < 10; i++) {
            staged.clear();
            for (int number = 0; number <= StoreState.CHANGES_PER_STEP; number++) {
                put((number * 37 + i) % (StoreState.CHANGES_PER_STEP + 1));
            }
            frame += 4096;
            staged.seal(TransactionLayout.TYPE_CHANGES);
            replay.apply(entries.wrap(staged.buffer().limit(staged.length()), frame));
            staged.buffer().clear();
        }
        assertThat(replay.changes()).isEqualTo(10L * (StoreState.CHANGES_PER_STEP + 1));
        assertThat(replay.settleLater()).isEqualTo(StoreState.CHANGES_PER_STEP + 1);
        assertThat(state.index().size()).isZero();
        checkLookups("left");
        assertThat(state.settle(StoreState.CHANGES_PER_STEP)).isFalse();
        assertThat(state.left()).isEqualTo(1);
        assertThat(state.settle(2)).isTrue();
        checkSettled("later");
    }

    /** So many that other threads put parts of them in order. */
    @Test
    void shouldHaveTheLastChangeOfEachKeyAmongMany() {
        Random random = new Random(3);
        Replay replay = new Replay(state, OpeningProgress.unsaid(), ALL << 3);
        while (replay.changes() < 150_000) {
            staged.clear();
            for (int i = 0; i < 1000; i++) {
                put(random.nextInt(KEYS));
            }
            frame += 4096; // as far as positions go these overlap, which nobody looks at
            staged.seal(TransactionLayout.TYPE_CHANGES);
            replay.apply(entries.wrap(staged.buffer().limit(staged.length()), frame));
            staged.buffer().clear();
        }
        assertThat(replay.settleLater()).isEqualTo(KEYS);
        checkLookups("left");
        replay.settle();
        checkSettled("later");
    }

    /** What takes no longer than one step of it is not left. */
    @Test
    void shouldNotLeaveAFewChanges() {
        Replay replay = new Replay(state, OpeningProgress.unsaid(), ALL);
        staged.clear();
        for (int number = 0; number < StoreState.CHANGES_PER_STEP; number++) {
            put(number);
        }
        frame += 4096;
        staged.seal(TransactionLayout.TYPE_CHANGES);
        replay.apply(entries.wrap(staged.buffer().limit(staged.length()), frame));
        assertThat(replay.settleLater()).isZero();
        checkSettled("at once");
    }

    /** Else commits could take the memory away that the changes need, and no checkpoint could give it back. */
    @Test
    void shouldNotLeaveChanges_WhenThereMayBeNoMemoryForThem() {
        assertThat(leave(2000)).isPositive();
        checkLookups("left");
        assertThat(leave(6000)).isZero();
        assertThat(state.index().size()).isEqualTo(6000);
    }

    /** Of so many keys in a megabyte. */
    private int leave(int keys) {
        begin(1 << 20);
        Replay replay = new Replay(state, OpeningProgress.unsaid(), ALL);
        for (int number = 0; number < keys; number++) {
            staged.clear();
            put(number);
            frame += 4096;
            staged.seal(TransactionLayout.TYPE_CHANGES);
            replay.apply(entries.wrap(staged.buffer().limit(staged.length()), frame));
            staged.buffer().clear();
        }
        return replay.settleLater();
    }

    @Test
    void shouldKeepMemoryForChangesThatAreLeft() {
        assertThat(leave(2000)).isEqualTo(2000);
        staged.clear();
        for (int number = 0; number < 60; number++) {
            put(number);
        }
        assertThat(state.index().budget().isReady(1)).isFalse();
        assertThatExceptionOfType(IndexFullException.class).isThrownBy(() -> state.prepare(staged));
        while (!state.settle(StoreState.CHANGES_PER_STEP)) {
            // goes on
        }
        state.prepare(staged);
    }
}

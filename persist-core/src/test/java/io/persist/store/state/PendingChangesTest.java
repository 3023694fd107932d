package io.persist.store.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.IndexFullException;
import io.persist.format.Frame;
import io.persist.format.TransactionLayout;
import io.persist.index.KeyIndex;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.KeyCursor;
import io.persist.index.read.Location;
import io.persist.store.Neighbour;
import io.persist.store.OldValues;
import io.persist.store.Texts;
import io.persist.store.layer.ChangeOrder;
import io.persist.store.layer.LayeredSnapshot;
import io.persist.store.layer.Neighbours;
import io.persist.store.staged.StagedChanges;
import io.persist.support.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A large transaction is seen as a whole, however far the index is with it, and whatever comes in between: all orders
 * of a few steps and other transactions.
 */
class PendingChangesTest {

    private static final int KEYS = 4;
    private static final int MANY = 1500;
    private static final int STEP = 0;
    private static final int REMOVE_RANGE = 1 + 2 * KEYS;
    private static final int ACTIONS = REMOVE_RANGE + 1;
    private static final int LENGTH = Seeds.isNightly() ? 4 : 3;
    private static final int FREEZE_ONE_IN = 3;
    private static final KeyBuffer[] KEY = {key(0), key(1), key(2), key(3)};

    private final StoreState state = new StoreState();
    private final StagedChanges staged = new StagedChanges(1 << 16, OldValues.OMIT);
    private final Location found = new Location();

    /** Where the value of each key lies. */
    private final TreeMap<Integer, Long> model = new TreeMap<>();

    /** What was there at moments before. */
    private final List<Frozen> frozen = new ArrayList<>();

    /** Whether there are snapshots of all moments. */
    private boolean freezes;

    private record Frozen(LayeredSnapshot snapshot, TreeMap<Integer, Long> model) {}

    private long frame;

    @BeforeEach
    void addSegment() {
        state.live().addSegment(0, 1L << 40);
    }

    @AfterEach
    void close() {
        state.close();
    }

    private static byte[] bytes(int number) {
        return Texts.bytes("key-" + number);
    }

    private static KeyBuffer key(int number) {
        byte[] bytes = bytes(number);
        return new KeyBuffer().set(bytes, 0, bytes.length);
    }

    private long nextFrame() {
        frame += 4096;
        staged.seal(TransactionLayout.TYPE_CHANGES);
        return frame;
    }

    private long position(int entry) {
        return frame + Frame.HEADER_LENGTH + entry;
    }

    private void put(int number) {
        staged.clear();
        staged.put(bytes(number), new byte[number], 0, number);
        state.apply(staged, nextFrame());
        model.put(number, position(TransactionLayout.HEADER_LENGTH));
    }

    private void remove(int number) {
        staged.clear();
        staged.remove(bytes(number));
        state.apply(staged, nextFrame());
        model.remove(number);
    }

    private void removeRange() {
        staged.clear();
        staged.removeRange(bytes(1), bytes(3));
        state.apply(staged, nextFrame());
        model.remove(1);
        model.remove(2);
    }

    /** Puts a new key twice, replaces one before and one behind a removed range, and removes one. */
    private void commitLarge() {
        staged.clear();
        stage(0);
        stage(2);
        int entry = staged.length();
        staged.removeRange(bytes(2), bytes(4));
        assertThat(staged.removesRange(entry)).isTrue();
        model.remove(2);
        model.remove(3);
        stage(3);
        stage(0);
        staged.remove(bytes(1));
        model.remove(1);
        staged.enterNew();
        state.expected().begin(staged, orderOf(staged));
        while (!state.index().budget().expected().reserveSome()) {
            // goes on
        }
        assertThat(state.expected().hasMemory()).isTrue();
        state.layOver(staged, nextFrame());
        state.expected().end();
    }

    private static ChangeOrder orderOf(StagedChanges of) {
        return ChangeOrder.ofAll(of.buffer(), of.length(), of.count());
    }

    private void stage(int number) {
        model.put(number, position(staged.length()) + 4096); // of the next frame
        staged.put(bytes(number), new byte[number], 0, number);
    }

    @Test
    void shouldBeSeenAsAWholeInEachOrderOfSteps() {
        int orders = (int) Math.pow(ACTIONS, LENGTH);
        for (int before = 0; before < 1 << KEYS; before += 5) {
            for (int order = 0; order < orders; order++) {
                String how = "before=" + before + ", order=" + order;
                freezes = Seeds.isNightly() || order % FREEZE_ONE_IN == 0;
                begin(before);
                commitLarge();
                check(how);
                for (int i = 0, rest = order; i < LENGTH; i++, rest /= ACTIONS) {
                    act(rest % ACTIONS);
                    check(how);
                }
                while (!state.settle(1)) {
                    check(how);
                }
                checkSettled(how);
                checkFrozen(how);
            }
        }
    }

    private void begin(int keys) {
        for (int i = 0; i < KEYS; i++) {
            remove(i);
            if ((keys & 1 << i) != 0) {
                put(i);
            }
        }
        checkSettled("before");
    }

    private void act(int action) {
        if (action == STEP) {
            state.settle(1);
        } else if (action == REMOVE_RANGE) {
            removeRange();
        } else if (action <= KEYS) {
            put(action - 1);
        } else {
            remove(action - 1 - KEYS);
        }
    }

    private void check(String how) {
        for (int i = 0; i < KEYS; i++) {
            checkSame(how, i, model.get(i), state.get(KEY[i], found));
        }
        if (!freezes) {
            return;
        }
        assertThat(state.maySnapshot()).isTrue();
        frozen.add(new Frozen(state.snapshot(), new TreeMap<>(model)));
        if (Seeds.isNightly()) {
            check(how + ", at once", frozen.get(frozen.size() - 1));
        }
    }

    private void checkSame(String how, int number, @Nullable Long expected, boolean isThere) {
        if (isThere != (expected != null) || isThere && found.position() != expected) {
            throw new AssertionError(how + ", key=" + number + ", found=" + (isThere ? found.position() : -1)
                    + ", expected=" + expected);
        }
    }

    /** No snapshot sees what came after it. */
    private void checkFrozen(String how) {
        for (Frozen one : frozen) {
            check(how + ", later", one);
            one.snapshot.close();
        }
        frozen.clear();
    }

    private void check(String how, Frozen one) {
        for (int i = 0; i < KEYS; i++) {
            checkSame(how + ", snapshot", i, one.model.get(i), one.snapshot.get(KEY[i], found));
        }
        KeyCursor cursor = one.snapshot.cursor();
        for (Map.Entry<Integer, Long> entry : one.model.entrySet()) {
            checkAt(how + ", forward", cursor.next(), cursor, entry);
        }
        checkAt(how + ", forward", cursor.next(), cursor, null);
        for (Map.Entry<Integer, Long> entry : one.model.descendingMap().entrySet()) {
            checkAt(how + ", backward", cursor.previous(), cursor, entry);
        }
        checkAt(how + ", backward", cursor.previous(), cursor, null);
        for (int i = 0; i < KEYS; i++) {
            for (Neighbour which : Neighbour.values()) {
                boolean isThere = Neighbours.find(which, cursor, KEY[i]);
                checkAt(how + ", " + which + " of " + i, isThere, cursor, neighbour(which, one.model, i));
            }
        }
        if (one.snapshot.size() != one.model.size()) {
            throw new AssertionError(how + ", size=" + one.snapshot.size() + ", expected=" + one.model.size());
        }
    }

    private static Map.@Nullable Entry<Integer, Long> neighbour(Neighbour which, TreeMap<Integer, Long> of, int key) {
        return switch (which) {
            case LOWER -> of.lowerEntry(key);
            case FLOOR -> of.floorEntry(key);
            case CEILING -> of.ceilingEntry(key);
            case HIGHER -> of.higherEntry(key);
        };
    }

    private static void checkAt(
            String how, boolean isThere, KeyCursor cursor, Map.@Nullable Entry<Integer, Long> expected) {
        if (isThere != (expected != null)
                || expected != null
                        && (cursor.key().compareTo(KEY[expected.getKey()]) != 0
                                || cursor.position() != expected.getValue()
                                || cursor.length() != expected.getKey())) {
            throw new AssertionError(
                    how + ", position=" + (isThere ? cursor.position() : -1) + ", expected=" + expected);
        }
    }

    private void checkSettled(String how) {
        check(how);
        long bytes = model.keySet().stream()
                .mapToLong(number -> TransactionLayout.entryLength(bytes(number).length, number))
                .sum();
        assertThat(state.isSettled()).as(how).isTrue();
        assertThat(state.index().size()).as(how).isEqualTo(model.size());
        assertThat(state.live().total()).as(how).isEqualTo(bytes);
        for (int i = 0; i < KEYS; i++) {
            assertThat(state.index().get(key(i), found)).as(how).isEqualTo(model.containsKey(i));
        }
    }

    /** Memory that is kept for it is not there for others. */
    @Test
    void shouldKeepMemoryForALargeTransactionThatIsToCome() {
        staged.clear();
        for (int i = 0; i < 2000; i++) {
            staged.put(bytes(i), new byte[0], 0, 0);
        }
        state.expected().begin(staged, orderOf(staged));
        assertThat(state.expected().hasMemory()).isFalse();
        int rounds = 1;
        while (!state.index().budget().expected().reserveSome()) {
            rounds++;
        }
        assertThat(rounds).as("steps of one chunk at most").isGreaterThan(5);
        assertThat(state.expected().hasMemory()).isTrue();
        long free = state.index().memoryBytes() - state.index().usedBytes();
        state.index().budget().reserve(500);
        assertThat(state.index().memoryBytes() - state.index().usedBytes()).isGreaterThan(free);
        assertThat(state.index().budget().isReady(500)).isTrue();
        assertThat(state.index().budget().isReady(2000)).isFalse();
        state.settle(1);
        assertThat(state.index().budget().isReady(2000))
                .as("another thread has settled")
                .isFalse();
        state.expected().end();
        assertThat(state.index().budget().isReady(2000)).isTrue();
    }

    /** Not even one that has not kept enough memory is ever seen in part; it goes on when there is some. */
    @Test
    void shouldStayWholeWhenMemoryRunsOut() {
        try (StoreState small = new StoreState(new KeyIndex(1 << 20))) {
            small.live().addSegment(0, 1L << 40);
            StagedChanges many = new StagedChanges(1 << 22, OldValues.OMIT);
            many.clear();
            for (int i = 0; i < MANY; i++) {
                many.put(longKey(i), new byte[1], 0, 1);
            }
            many.enterNew();
            small.expected().begin(many, orderOf(many));
            small.layOver(many, 4096);
            assertThatExceptionOfType(IndexFullException.class).isThrownBy(() -> small.settle(MANY));
            assertThat(small.index().size()).isBetween(1L, MANY - 1L);
            assertAllAreThere(small);
            assertThat(small.maySnapshot()).as("copies would need more memory").isFalse();
            staged.clear();
            for (int i = 100; i < MANY; i++) {
                staged.clear();
                staged.remove(longKey(i));
                small.apply(staged, (1L << 30) + 4096L * i);
            }
            assertThat(small.settle(MANY)).isTrue();
            assertThat(small.index().size()).isEqualTo(100);
            assertThat(small.live().total()).isEqualTo(100L * TransactionLayout.entryLength(1000, 1));
        }
    }

    private static byte[] longKey(int number) {
        byte[] key = new byte[1000];
        new Random(number).nextBytes(key);
        return key;
    }

    private void assertAllAreThere(StoreState in) {
        for (int i = 0; i < MANY; i++) {
            assertThat(in.get(new KeyBuffer().set(longKey(i), 0, 1000), found)).isTrue();
        }
    }
}

package io.persist.store.layer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.TransactionLayout;
import io.persist.index.KeyIndex;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.KeyCursor;
import io.persist.index.read.Location;
import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.store.Texts;
import io.persist.store.staged.ChangedKeys;
import io.persist.store.staged.StagedChanges;
import io.persist.store.state.StoreState;
import io.persist.support.Seeds;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Snapshots that are taken while a large transaction, and ranges that were removed, lie over an index of many nodes:
 * each is like a sorted map of its moment, however long it is open; also with what another transaction has changed.
 */
class LayeredSnapshotTest {

    private static final int KEYS = 1500;
    private static final int ROUNDS = 8;
    private static final int STEPS = 60;
    private static final int MOST_OPEN = 5;

    private final StagedChanges staged = new StagedChanges(1 << 20, OldValues.OMIT);

    /** Of a transaction that is open. */
    private final StagedChanges own = new StagedChanges(1 << 20, OldValues.OMIT);

    private final Location found = new Location();
    private StoreState state = new StoreState();
    private TreeMap<Integer, Long> model = new TreeMap<>();
    private long frame;

    private record Frozen(LayeredSnapshot snapshot, TreeMap<Integer, Long> model) {}

    private static byte[] bytes(int number) {
        return Texts.bytes("key-" + (10_000 + number));
    }

    private static KeyBuffer key(int number) {
        byte[] bytes = bytes(number);
        return new KeyBuffer().set(bytes, 0, bytes.length);
    }

    private static int number(KeyBuffer key) {
        return Integer.parseInt(new String(key.bytes(), 4, key.length() - 4, US_ASCII)) - 10_000;
    }

    private void begin() {
        staged.clear();
        frame += 1 << 22;
    }

    private void stagePut(int number) {
        model.put(number, frame + Frame.HEADER_LENGTH + staged.length());
        staged.put(bytes(number), new byte[number % 5], 0, number % 5);
    }

    private void stageRemove(int number) {
        model.remove(number);
        staged.remove(bytes(number));
    }

    private void stageRange(Random random) {
        int from = random.nextInt(KEYS);
        int below = from + 1 + random.nextInt(1 + random.nextInt(KEYS));
        model.subMap(from, below).clear();
        staged.removeRange(KeyRange.between(bytes(from), bytes(below)));
    }

    private void apply() {
        staged.seal(TransactionLayout.TYPE_CHANGES);
        state.apply(staged, frame);
    }

    private void applyLarge(Random random) {
        begin();
        int changes = random.nextInt(2 * KEYS);
        boolean isInOrder = random.nextBoolean();
        for (int i = 0; i < changes; i++) {
            int number = isInOrder ? (int) ((long) i * KEYS / changes) : random.nextInt(KEYS);
            if (random.nextInt(3) > 0) {
                stagePut(number);
            } else {
                stageRemove(number);
            }
            if (random.nextInt(1000) == 0) {
                stageRange(random);
            }
        }
        ChangeOrder order = ChangeOrder.ofAll(staged.buffer(), staged.length(), staged.count());
        staged.enterNew();
        staged.seal(TransactionLayout.TYPE_CHANGES);
        state.expected().begin(staged, order);
        state.layOver(staged, frame);
    }

    private void change(Random random) {
        int kind = random.nextInt(8);
        if (kind < 4) {
            state.settle(1 + random.nextInt(200));
            return;
        }
        begin();
        if (kind == 4 && random.nextInt(4) == 0) {
            stageRange(random);
        }
        for (int i = random.nextInt(8); i >= 0; i--) {
            if (random.nextBoolean()) {
                stagePut(random.nextInt(KEYS));
            } else {
                stageRemove(random.nextInt(KEYS));
            }
        }
        apply();
    }

    @Test
    void shouldBeLikeASortedMapOfItsMoment() {
        Seeds.run(2, seed -> {
            Random random = new Random(seed);
            model = new TreeMap<>();
            frame = 0;
            int unsettled = 0;
            Queue<Frozen> open = new ArrayDeque<>();
            try (StoreState store = new StoreState(new KeyIndex())) {
                state = store;
                state.live().addSegment(0, 1L << 50);
                for (int round = 0; round < ROUNDS; round++) {
                    applyLarge(random);
                    for (int step = random.nextInt(STEPS); step > 0; step--) {
                        change(random);
                        if (random.nextInt(4) == 0) {
                            unsettled += state.isSettled() ? 0 : 1;
                            open.add(new Frozen(state.snapshot(), new TreeMap<>(model)));
                        }
                        if (open.size() > MOST_OPEN || !open.isEmpty() && random.nextInt(8) == 0) {
                            checkAndClose(open.remove(), random);
                        }
                    }
                    while (!state.settle(1 + random.nextInt(500))) {
                        // goes on
                    }
                    assertThat(state.index().size()).isEqualTo(model.size());
                }
                open.forEach(one -> checkAndClose(one, random));
            }
            assertThat(unsettled).isPositive();
        });
    }

    @Test
    void shouldNotTakeTheEndOfALogForAnOpenTransaction() {
        assertThat(Layer.isOwn(LogFileName.BASE_LIMIT + Integer.MAX_VALUE)).isFalse();
        assertThat(Layer.OPEN + Integer.MAX_VALUE).isPositive();
    }

    private void checkAndClose(Frozen one, Random random) {
        if (random.nextBoolean()) {
            assertThat(one.snapshot.size()).isEqualTo(one.model.size());
        }
        check(one.snapshot.cursor(), one.model, random);
        TreeMap<Integer, Long> changed = new TreeMap<>(one.model);
        check(one.snapshot.cursor(change(changed, random)), changed, random);
        for (int i = 0; i < 20; i++) {
            int number = random.nextInt(KEYS);
            boolean isThere = one.snapshot.get(key(number), found);
            assertThat(isThere).isEqualTo(one.model.containsKey(number));
            assertThat(isThere ? (Long) found.position() : null).isEqualTo(one.model.get(number));
        }
        assertThat(one.snapshot.size()).isEqualTo(one.model.size());
        one.snapshot.close();
    }

    /** Has {@code seen} become what a transaction sees when it has changed this and that; returns its changes. */
    private @Nullable Layer change(TreeMap<Integer, Long> seen, Random random) {
        own.clear();
        for (int i = random.nextInt(1 + random.nextInt(200)); i > 0; i--) {
            int number = random.nextInt(KEYS);
            switch (random.nextInt(40)) {
                case 0 -> {
                    seen.tailMap(number).clear();
                    own.removeRange(KeyRange.from(bytes(number)));
                }
                case 1, 2, 3 -> {
                    int below = number + 1 + random.nextInt(1 + random.nextInt(KEYS));
                    seen.subMap(number, below).clear();
                    own.removeRange(KeyRange.between(bytes(number), bytes(below)));
                }
                case 4, 5, 6, 7, 8, 9, 10, 11 -> {
                    seen.remove(number);
                    own.remove(bytes(number));
                }
                default -> {
                    seen.put(number, Layer.OPEN + own.length());
                    own.put(bytes(number), new byte[number % 5], 0, number % 5);
                }
            }
        }
        return ChangedKeys.of(own, KeyRange.all()).layer();
    }

    private static void check(KeyCursor cursor, TreeMap<Integer, Long> expected, Random random) {
        for (Map.Entry<Integer, Long> entry : expected.entrySet()) {
            checkAt(cursor.next(), cursor, entry);
        }
        checkAt(cursor.next(), cursor, null);
        for (Map.Entry<Integer, Long> entry : expected.descendingMap().entrySet()) {
            checkAt(cursor.previous(), cursor, entry);
        }
        checkAt(cursor.previous(), cursor, null);
        cursor.toEnd();
        checkAt(cursor.previous(), cursor, expected.lastEntry());
        for (int i = 0; i < 20; i++) {
            wander(expected, cursor, random);
        }
    }

    /** To and fro from somewhere: the cursor stands before the first key that is not less than {@code at}. */
    private static void wander(TreeMap<Integer, Long> model, KeyCursor cursor, Random random) {
        int at = random.nextInt(KEYS);
        cursor.to(key(at));
        for (int i = 0; i < 12; i++) {
            Map.Entry<Integer, Long> expected;
            boolean isThere;
            if (random.nextBoolean()) {
                expected = model.ceilingEntry(at);
                isThere = cursor.next();
                at = expected == null ? at : expected.getKey() + 1;
            } else {
                expected = model.lowerEntry(at);
                isThere = cursor.previous();
                at = expected == null ? at : expected.getKey();
            }
            checkAt(isThere, cursor, expected);
        }
    }

    private static void checkAt(boolean isThere, KeyCursor cursor, Map.@Nullable Entry<Integer, Long> expected) {
        boolean isSame = expected == null
                ? !isThere
                : isThere
                        && number(cursor.key()) == expected.getKey()
                        && cursor.position() == expected.getValue()
                        && cursor.length() == expected.getKey() % 5;
        if (!isSame) {
            throw new AssertionError(
                    (isThere ? number(cursor.key()) + "=" + cursor.position() : "none") + " is not " + expected);
        }
    }
}

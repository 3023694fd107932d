package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.index.node.Node;
import io.persist.index.read.IndexCursor;
import io.persist.support.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** An index that is larger than its memory is like one that is not, to all who read it. */
class IndexEvictionTest extends EvictionModel {

    private static final int[] FRAMES = {40, 60, 100, 300, 700};
    private static final int STEPS = 600;

    @Test
    void shouldBeLikeATreeMap() {
        Seeds.run(KeyShape.values().length, seed -> {
            random = new Random(seed);
            shape = KeyShape.values()[(int) Long.remainderUnsigned(seed, KeyShape.values().length)];
            long memory = FRAMES[random.nextInt(FRAMES.length)] * (long) Node.LENGTH;
            keys = 6_000 << random.nextInt(3);
            begin(memory);
            for (int step = 0; step < STEPS; step++) {
                step(memory);
            }
            end();
        });
        assertThat(evicted).as("a test of evictions has some").isPositive();
        assertThat(refused).as("and changes that are refused").isPositive();
        assertThat(given).as("and chunks for other indexes").isPositive();
    }

    /** From before memory was scarce: it reads nodes where they lie, so they stay there. */
    @Test
    void shouldKeepWhatAnEarlySnapshotSees() {
        shape = KeyShape.RANDOM_8;
        keys = 200_000;
        begin(700L * Node.LENGTH);
        for (int i = 0; i < 10_000; i++) {
            changeOne(shape.key(i), i, true);
        }
        assertThat(index.budget().isPressed()).isFalse();
        Reader early = new Reader(index.snapshot(), new TreeMap<>(model));
        early.readOn(5_000);
        useAll();
        early.readOn(5_100);
        early.snapshot.close();
        long before = index.budget().use().evicted();
        useAll();
        gets(2_000);
        assertThat(index.budget().use().evicted()).isGreaterThan(before);
        assertContent();
        index.close();
    }

    /** Its leaf has not changed since, and could be read again: only the reader, which stands in it, needs the frame. */
    @Test
    void shouldKeepTheLeafInWhichAnEarlyReaderStands() {
        shape = KeyShape.RANDOM_8;
        begin(700L * Node.LENGTH);
        for (int i = 0; i < 10_000; i++) {
            changeOne(shape.key(i), i, true);
        }
        assertThat(index.budget().isPressed()).isFalse();
        Reader early = new Reader(index.snapshot(), new TreeMap<>(model));
        early.readOn(5_010); // in the middle of a leaf
        for (int i = 0; i < 200_000; i++) {
            if (i % 1_000 == 0) {
                index.source(image()).close();
            }
            changeOne(afterAll(i), i, true);
        }
        assertThat(index.budget().use().evicted()).isPositive();
        early.readOn(10_000);
        early.snapshot.close();
        index.close();
    }

    private static byte[] afterAll(int number) {
        return ByteBuffer.allocate(16).putLong(-1).putLong(number).array();
    }

    /**
     * Of the leaves beside one that a transaction makes and takes away again, only one may be in memory. That one gets
     * what is put there once more. Either a half of a leaf goes, or a key that was put before all of a full leaf.
     */
    @Test
    void shouldReadNothingForATransactionThatTakesNewLeavesAway() {
        Seeds.run(2, seed -> {
            random = new Random(seed);
            begin(Long.MAX_VALUE);
            for (int i = 0; i < 10_000; i++) {
                changeOne(even(i), i, true);
            }
            for (int i = 0; i < 20; i++) {
                int first = firstOfALeaf();
                Images all = image();
                index.close();
                index = all.restore(50L * Node.LENGTH); // nothing is in memory
                takeNewLeafAway(first, random.nextBoolean());
            }
            TreeChecker.check(index);
            assertContent();
            index.close();
        });
    }

    private static byte[] even(int number) {
        return KeyShape.ASCENDING_16.key(2 * number);
    }

    private static byte[] beforeEven(int number) {
        return KeyShape.ASCENDING_16.key(2 * number - 1);
    }

    private static void add(List<byte[]> keys, List<Boolean> puts, byte[] bytes, boolean isPut) {
        keys.add(bytes);
        puts.add(isPut);
    }

    /** The number of the first key of any leaf but the first one. */
    private int firstOfALeaf() {
        IndexCursor cursor = index.cursor();
        do {
            cursor.to(key(even(300 + random.nextInt(9_000))));
            while (cursor.next() && !cursor.isFirstOfLeaf()) {
                // goes on
            }
        } while (!cursor.isFirstOfLeaf());
        return ByteBuffer.wrap(cursor.key().bytes()).getInt(12) / 2;
    }

    private void takeNewLeafAway(int first, boolean isBeforeAll) {
        List<byte[]> keys = new ArrayList<>();
        List<Boolean> puts = new ArrayList<>();
        if (isBeforeAll) {
            add(keys, puts, beforeEven(first), true);
            add(keys, puts, beforeEven(first), false);
            add(keys, puts, beforeEven(first), true);
        } else {
            for (int i = first + 110; i < first + 180; i++) { // which leave the second half too full to merge
                add(keys, puts, beforeEven(i), true);
            }
            for (int i = first; i < first + 110; i++) {
                add(keys, puts, even(i), false);
            }
            add(keys, puts, even(first), true);
        }
        for (int i = 0; i < keys.size(); i++) {
            if (puts.get(i)) {
                index.load(key(keys.get(i)));
            } else {
                index.loadToRemove(key(keys.get(i)));
            }
        }
        long read = index.budget().nodesRead();
        for (int i = 0; i < keys.size(); i++) {
            changeOne(keys.get(i), i, puts.get(i));
        }
        assertThat(index.budget().nodesRead()).as("nodes read").isEqualTo(read);
        index.unpin();
    }

    /** The nodes above may be read into the memory of the leaf, when a cursor looks whether there is one more. */
    @Test
    void shouldStandBehindTheLastKey() {
        Seeds.run(3, seed -> {
            random = new Random(seed);
            shape = KeyShape.LONGEST;
            keys = 1_000;
            begin(Long.MAX_VALUE);
            change(2_000);
            Images all = image();
            index.close();
            index = all.restore((index.tree().height() + 6L) * Node.LENGTH);
            IndexCursor cursor = index.cursor();
            for (int i = 0; i < 500; i++) {
                gets(random.nextInt(4));
                cursor.to(key(model.lastKey()));
                assertThat(cursor.next()).isTrue();
                assertThat(cursor.next()).isFalse();
                assertThat(cursor.previous()).isTrue();
                assertAt(cursor, model.lastEntry());
                cursor.to(key(model.firstKey()));
                assertThat(cursor.previous()).isFalse();
                assertThat(cursor.next()).isTrue();
                assertAt(cursor, model.firstEntry());
            }
            index.close();
        });
    }
}

package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.index.memory.LiveView;
import io.persist.index.node.KeyBuffer;
import io.persist.index.node.Node;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.Location;
import io.persist.index.read.OptimisticLookup;
import io.persist.index.read.OptimisticLookup.Answer;
import io.persist.support.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A lookup without the lock, between whose steps the index changes: one thread plays both. */
class OptimisticLookupTest extends EvictionModel {

    private static final int[] FRAMES = {100, 160, 300, 700, 100_000};
    private static final int STEPS = 120;
    private static final int GUESSES = 20;

    /** Is not in the first leaf, which the path of a tree that was not changed yet keeps in memory. */
    private static final int HOT = 2_500;

    /** A lookup that has looked, and what it should have found. */
    private final class Guess {

        private final byte[] bytes = anyKey();
        private final KeyBuffer wanted = new KeyBuffer().set(bytes, 0, bytes.length);
        private final Location found = new Location();
        private final OptimisticLookup lookup = index.optimisticLookup();
        private final Long expected = model.get(bytes);
        private final Answer answer = lookup.look(wanted, found);

        /** Counts it if it is true. */
        void check(boolean isShown) {
            assertThat(answer).as("all was shown").isNotEqualTo(Answer.CHANGING);
            boolean isTrue = answer.isKnown() && lookup.isTrue();
            if (isTrue) {
                trueOnes++;
                Long position = answer == Answer.PRESENT ? (Long) found.position() : null;
                assertThat(position).as("when it looked").isEqualTo(expected);
                if (isShown) {
                    assertThat(position).as("now").isEqualTo(model.get(bytes));
                }
            } else {
                falseOnes++;
            }
        }
    }

    private int trueOnes;
    private int falseOnes;

    @Test
    void shouldBeTrueOnlyIfNothingHasChanged() {
        Seeds.run(3, seed -> {
            random = new Random(seed);
            shape = KeyShape.values()[(int) Long.remainderUnsigned(seed, KeyShape.values().length)];
            long memory = FRAMES[random.nextInt(FRAMES.length)] * (long) Node.LENGTH;
            keys = 500 << random.nextInt(5);
            begin(memory);
            for (int step = 0; step < STEPS; step++) {
                index.showChanges();
                List<Guess> guesses = new ArrayList<>();
                for (int i = 0; i < GUESSES; i++) {
                    guesses.add(new Guess());
                }
                KeyIndex before = index;
                if (random.nextInt(3) == 0) {
                    change(1);
                } else {
                    step(memory);
                }
                boolean isShown = random.nextBoolean();
                if (isShown) {
                    index.showChanges();
                }
                if (index == before) {
                    guesses.forEach(guess -> guess.check(isShown));
                }
            }
            end();
        });
        assertThat(trueOnes).isPositive();
        assertThat(falseOnes).isPositive();
    }

    /** Some thousand keys that nothing is known of but that they are many leaves, in one tree. */
    private void fill(long memory) {
        shape = KeyShape.ASCENDING_16;
        keys = 5_000;
        begin(memory);
        for (int i = 0; i < keys; i++) {
            changeOne(shape.key(i), i + 1, true);
        }
        index.showChanges();
    }

    private Answer look(OptimisticLookup lookup, int n) {
        return lookup.look(key(shape.key(n)), location);
    }

    @Test
    void shouldFindKeysAndThatThereAreNone() {
        fill(Long.MAX_VALUE);
        OptimisticLookup lookup = index.optimisticLookup();
        assertThat(look(lookup, 17)).isEqualTo(Answer.PRESENT);
        assertThat(location.position()).isEqualTo(18);
        assertThat(location.length()).isEqualTo(7);
        assertThat(lookup.isTrue()).isTrue();
        assertThat(look(lookup, keys)).isEqualTo(Answer.ABSENT);
        assertThat(lookup.isTrue()).isTrue();
    }

    @Test
    void shouldNotSeeWhatIsNotShown() {
        fill(Long.MAX_VALUE);
        OptimisticLookup lookup = index.optimisticLookup();
        changeOne(shape.key(17), 100, true);
        assertThat(look(lookup, 17)).isEqualTo(Answer.CHANGING);
        assertThat(look(lookup, 18)).as("of the same leaf").isEqualTo(Answer.CHANGING);
        assertThat(look(lookup, keys - 1)).as("of another one").isEqualTo(Answer.PRESENT);
        assertThat(lookup.isTrue()).isTrue();
        changeOne(shape.key(keys - 1), 100, false);
        assertThat(lookup.isTrue()).isFalse();
        index.showChanges();
        assertThat(look(lookup, 17)).isEqualTo(Answer.PRESENT);
        assertThat(location.position()).isEqualTo(100);
        assertThat(look(lookup, keys - 1)).isEqualTo(Answer.ABSENT);
        assertThat(lookup.isTrue()).isTrue();
    }

    /** A copy replaces the leaf, and copies the nodes above, so the old ones stay what they were. */
    @Test
    void shouldNotBeTrueAfterTheLeafWasReplaced() {
        fill(Long.MAX_VALUE);
        OptimisticLookup lookup = index.optimisticLookup();
        try (IndexSnapshot snapshot = index.snapshot()) {
            look(lookup, 17);
            changeOne(shape.key(17), 100, true);
            assertThat(lookup.isTrue())
                    .as("what is not shown did not happen yet")
                    .isTrue();
            index.showChanges();
            assertThat(lookup.isTrue()).isFalse();
            assertThat(look(lookup, 17)).isEqualTo(Answer.PRESENT);
            assertThat(location.position()).isEqualTo(100);
            look(lookup, keys - 1);
            changeOne(shape.key(keys - 1), 100, true);
            assertThat(lookup.isTrue())
                    .as("its leaf has another place in the node above")
                    .isFalse();
            assertThat(look(lookup, 17)).as("whose path leads over that").isEqualTo(Answer.CHANGING);
            assertThat(snapshot.get(key(shape.key(17)), location)).isTrue();
            assertThat(location.position()).isEqualTo(18);
        }
    }

    @Test
    void shouldNotBeTrueAfterTheTreeHasGrownAndShrunk() {
        shape = KeyShape.ASCENDING_16;
        begin(Long.MAX_VALUE);
        changeOne(shape.key(0), 1, true);
        index.showChanges();
        OptimisticLookup lookup = index.optimisticLookup();
        look(lookup, 0);
        for (int i = 1; i < 2_000; i++) {
            changeOne(shape.key(i), i + 1, true);
        }
        assertThat(lookup.isTrue()).isFalse();
        assertThat(look(lookup, 1_999)).as("in a leaf that is new").isEqualTo(Answer.CHANGING);
        index.showChanges();
        assertThat(look(lookup, 1_999)).isEqualTo(Answer.PRESENT);
        for (int i = 0; i < 1_999; i++) {
            changeOne(shape.key(i), 0, false);
        }
        index.showChanges();
        assertThat(lookup.isTrue()).isFalse();
        assertThat(look(lookup, 1_998)).isEqualTo(Answer.ABSENT);
        assertThat(look(lookup, 1_999)).isEqualTo(Answer.PRESENT);
        assertThat(lookup.isTrue()).isTrue();
    }

    @Test
    void shouldReadNothingButMemory() {
        fill(Long.MAX_VALUE);
        Images all = image();
        index.close();
        index = all.restore(8L * Node.LENGTH);
        OptimisticLookup lookup = index.optimisticLookup();
        assertThat(look(lookup, HOT)).isEqualTo(Answer.OUT_OF_REACH);
        assertThat(index.get(key(shape.key(HOT)), location)).isTrue();
        assertThat(look(lookup, HOT)).isEqualTo(Answer.PRESENT);
        assertThat(location.position()).isEqualTo(HOT + 1);
        assertThat(lookup.isTrue()).isTrue();
        assertThat(look(lookup, keys - 1)).isEqualTo(Answer.OUT_OF_REACH);
        look(lookup, HOT);
        for (int i = 0; i < HOT - 500; i += 50) {
            index.get(key(shape.key(i)), location);
        }
        assertThat(index.budget().use().evicted()).isPositive();
        assertThat(lookup.isTrue()).as("another node has the frame").isFalse();
        assertThat(look(lookup, HOT)).isEqualTo(Answer.OUT_OF_REACH);
        index.close();
        assertThat(look(lookup, keys - 1)).as("its memory is there").isNotEqualTo(Answer.CHANGING);
    }

    /** How often a leaf that is used all the time has given up its frame, while others are read by the lock's owner. */
    private int timesGone(Images all, Function<KeyBuffer, Boolean> use) {
        index = new Images(all).restore(12L * Node.LENGTH);
        int gone = 0;
        for (int i = 0; i < 20 * keys; i += 150) {
            if (look(index.optimisticLookup(), HOT) == Answer.OUT_OF_REACH) {
                gone++;
                index.get(key(shape.key(HOT)), location); // reads it
            }
            use.apply(key(shape.key(HOT)));
            index.get(key(shape.key(i % keys)), location);
        }
        assertThat(index.budget().use().evicted()).isGreaterThan(100);
        index.close();
        return gone;
    }

    /** The memory is given back meanwhile; what the lookup stands in stays for as long as it does. */
    @Test
    void shouldFindNothingInAnIndexThatIsClosed() {
        fill(Long.MAX_VALUE);
        OptimisticLookup lookup = index.optimisticLookup();
        assertThat(look(lookup, 17)).isEqualTo(Answer.PRESENT);
        LiveView view = index.memory().liveView();
        assertThat(view.begin()).isTrue();
        index.close();
        assertThat(view.wrap(new Node(), view.root(), view.height() - 1)).isFalse();
        assertThat(lookup.isTrue()).isFalse();
        assertThat(look(lookup, 17)).isEqualTo(Answer.OUT_OF_REACH);
    }

    /** Or a leaf that is read without the lock only would be the first to give its frame up. */
    @Test
    void shouldKeepInMemoryWhatItUses() {
        fill(Long.MAX_VALUE);
        Images all = image();
        index.close();
        int unused = timesGone(all, wanted -> true);
        int used = timesGone(all, wanted -> {
            OptimisticLookup lookup = index.optimisticLookup();
            return lookup.look(wanted, location).isKnown() && lookup.isTrue();
        });
        assertThat(used).isLessThan(unused * 3 / 4);
    }
}

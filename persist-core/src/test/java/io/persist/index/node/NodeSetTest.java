package io.persist.index.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class NodeSetTest {

    private static NodeSet of(int... ids) {
        NodeSet set = new NodeSet();
        for (int id : ids) {
            set.add(id);
        }
        return set;
    }

    private static List<Integer> ids(NodeSet set) {
        List<Integer> ids = new ArrayList<>();
        for (int id = set.next(0); id != Node.NONE; id = set.next(id + 1)) {
            ids.add(id);
        }
        assertThat(set.size()).isEqualTo(ids.size());
        return ids;
    }

    @Test
    void shouldBeEmptyAtFirst() {
        assertThat(ids(of())).isEmpty();
        assertThat(of().next(0)).isEqualTo(Node.NONE);
        assertThat(of().next(1 << 30)).isEqualTo(Node.NONE);
        assertThat(of().contains(1 << 30)).isFalse();
    }

    @Test
    void shouldHaveTheIdsAtTheEdgesOfAWord() {
        int[] edges = {0, 63, 64, 127, 128, 64 * 1000 - 1, 64 * 1000};
        NodeSet set = of(edges);
        for (int id : edges) {
            assertThat(set.contains(id)).as("id %s", id).isTrue();
            assertThat(set.next(id)).isEqualTo(id);
        }
        assertThat(ids(set)).containsExactly(0, 63, 64, 127, 128, 63_999, 64_000);
        assertThat(set.next(64_001)).isEqualTo(Node.NONE);
    }

    @Test
    void shouldCountAnIdOnce() {
        NodeSet set = of(5, 5);
        assertThat(set.size()).isEqualTo(1);
        set.remove(5);
        set.remove(5);
        set.remove(1 << 20);
        assertThat(ids(set)).isEmpty();
    }

    /** A directory may have ids that no word has. */
    @Test
    void shouldNotHaveIdsThatAreNone() {
        NodeSet set = new NodeSet(new long[] {-1, -1});
        assertThat(set.size()).isEqualTo(128);
        assertThat(set.contains(128)).isFalse();
        assertThat(set.contains(-1)).isFalse();
        assertThat(set.contains(Integer.MIN_VALUE)).isFalse();
        assertThat(set.contains(Integer.MAX_VALUE)).isFalse();
    }

    @Test
    void shouldBeWrittenAsWordsOfTheIdsBelowTheLimit() {
        NodeSet set = of(1, 64, 300);
        assertThat(set.words(301)).containsExactly(2, 1, 0, 0, 1L << 300 - 256);
        assertThat(set.words(320)).hasSize(5);
        assertThat(set.words(321)).hasSize(6);
        assertThat(set.words(100_000)).hasSize(1563);
        assertThat(of().words(0)).isEmpty();
        assertThat(ids(new NodeSet(set.words(301)))).containsExactly(1, 64, 300);
    }

    @Test
    void shouldCopyWithoutSharing() {
        NodeSet set = of(1);
        NodeSet copy = set.copy();
        set.add(2);
        copy.add(3);
        assertThat(ids(set)).containsExactly(1, 2);
        assertThat(ids(copy)).containsExactly(1, 3);
    }

    @Test
    void shouldBeAsItsModel() {
        Seeds.run(200, seed -> {
            Random random = new Random(seed);
            int limit = 1 << random.nextInt(12);
            NodeSet set = new NodeSet();
            TreeSet<Integer> model = new TreeSet<>();
            for (int step = 0; step < 500; step++) {
                int id = random.nextInt(limit);
                switch (random.nextInt(20)) {
                    case 0 -> {
                        TreeSet<Integer> other = some(random, 1 << random.nextInt(12));
                        set.addAll(setOf(other));
                        model.addAll(other);
                    }
                    case 1 -> {
                        TreeSet<Integer> other = some(random, 1 << random.nextInt(12));
                        set.retainAll(setOf(other));
                        model.retainAll(other);
                    }
                    case 2, 3, 4, 5, 6, 7 -> {
                        set.remove(id);
                        model.remove(id);
                    }
                    default -> {
                        set.add(id);
                        model.add(id);
                    }
                }
                assertThat(set.contains(id)).isEqualTo(model.contains(id));
                Integer next = model.ceiling(id);
                assertThat(set.next(id)).isEqualTo(next == null ? Node.NONE : next);
            }
            assertThat(ids(set)).isEqualTo(new ArrayList<>(model));
        });
    }

    private static TreeSet<Integer> some(Random random, int limit) {
        TreeSet<Integer> ids = new TreeSet<>();
        for (int i = random.nextInt(100); i > 0; i--) {
            ids.add(random.nextInt(limit));
        }
        return ids;
    }

    private static NodeSet setOf(TreeSet<Integer> ids) {
        return of(ids.stream().mapToInt(Integer::intValue).toArray());
    }
}

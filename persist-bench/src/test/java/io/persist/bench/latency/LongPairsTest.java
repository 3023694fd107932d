package io.persist.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LongPairsTest {

    @Test
    void shouldKeepPairsInOrderWhileItGrowsAndShrinks() {
        Random random = new Random(42);
        LongPairs pairs = new LongPairs(2);
        Deque<Long> expected = new ArrayDeque<>();
        long next = 0;
        for (int round = 0; round < 1000; round++) {
            for (int i = random.nextInt(20); i > 0; i--) {
                pairs.add(next, -next);
                expected.add(next++);
            }
            int removed = random.nextInt(Math.min(20, pairs.size() + 1));
            pairs.removeFirst(removed);
            for (int i = 0; i < removed; i++) {
                expected.remove();
            }
            assertThat(pairs.size()).isEqualTo(expected.size());
            int index = 0;
            for (long value : expected) {
                assertThat(pairs.first(index)).isEqualTo(value);
                assertThat(pairs.second(index)).isEqualTo(-value);
                index++;
            }
        }
        pairs.clear();

        assertThat(pairs.size()).isZero();
    }
}

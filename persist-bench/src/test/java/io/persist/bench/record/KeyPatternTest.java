package io.persist.bench.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.load.Stretch;
import io.persist.bench.load.WriteLoop;
import io.persist.bench.record.KeyPattern.Order;
import io.persist.bench.subject.LastPuts;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyPatternTest {

    @Test
    void shouldGoThroughTheKeysInOrderAgainAndAgain() {
        KeyPattern pattern = new KeyPattern(4, Order.SEQUENTIAL, 1);

        assertThat(LongStream.range(0, 10).map(pattern::number).toArray())
                .containsExactly(0, 1, 2, 3, 0, 1, 2, 3, 0, 1);
    }

    @Test
    void shouldGiveEachProducerKeysOfItsOwn() {
        KeyPattern pattern = new KeyPattern(5, Order.SEQUENTIAL, 2);

        assertThat(LongStream.range(0, 10).map(pattern::number).toArray())
                .containsExactly(0, 1, 2, 3, 4, 1, 0, 3, 2, 1);
        assertThat(pattern.share(0)).isEqualTo(3);
        assertThat(pattern.share(1)).isEqualTo(2);
    }

    @Test
    void shouldHitEachKeyAboutEquallyOftenIfRandom() {
        KeyPattern pattern = new KeyPattern(10, Order.RANDOM, 1);
        int[] hits = new int[10];
        LongStream.range(0, 10_000).map(pattern::number).forEach(key -> hits[(int) key]++);

        assertThat(hits).satisfies(counts -> {
            for (int count : counts) {
                assertThat(count).isBetween(900, 1100);
            }
        });
    }

    /** Against the obvious way to find the last put of each key. */
    @ParameterizedTest
    @CsvSource({
        "SEQUENTIAL, 1, 7, 20",
        "SEQUENTIAL, 1, 20, 7",
        "SEQUENTIAL, 3, 7, 50",
        "SEQUENTIAL, 3, 50, 7",
        "SEQUENTIAL, 4, 4, 3",
        "RANDOM, 1, 7, 20",
        "RANDOM, 3, 30, 50",
        "RANDOM, 2, 9, 0"
    })
    void shouldKnowTheLastPutOfEachKey(Order order, int producers, long keys, long count) {
        KeyPattern pattern = new KeyPattern(keys, order, producers);
        List<WriteLoop.Written> perProducer = new ArrayList<>();
        for (int producer = 0; producer < producers; producer++) {
            // Not all have come equally far, as when a run is interrupted.
            perProducer.add(new WriteLoop.Written((count + producers - 1 - producer) / producers + producer, 0, 0, 0));
        }
        Map<Long, Long> expected = new HashMap<>();
        for (int producer = 0; producer < producers; producer++) {
            for (long i = 0; i < perProducer.get(producer).count(); i++) {
                long index = i * producers + producer;
                expected.put(pattern.number(index), index);
            }
        }

        LastPuts lastPuts = LastPuts.of(pattern, new Stretch(1, 0, perProducer));

        assertThat(lastPuts.count()).isEqualTo(expected.size());
        for (long key = 0; key < keys; key++) {
            assertThat(lastPuts.index(key)).isEqualTo(expected.getOrDefault(key, -1L));
        }
    }

    @Test
    void shouldReadAKeyWhateverTheOrderOfTheBuffersBytes() {
        KeyPattern pattern = new KeyPattern(1000, Order.SEQUENTIAL, 1);
        ByteBuffer key = KeyPattern.newKey().putLong(0, 258);

        assertThat(pattern.read(key)).isEqualTo(258);
        assertThat(pattern.read(key.duplicate().order(ByteOrder.LITTLE_ENDIAN))).isEqualTo(258);
        assertThat(pattern.read(KeyPattern.newKey().putLong(0, 1000))).isEqualTo(-1);
        assertThat(pattern.read(ByteBuffer.allocate(7))).isEqualTo(-1);
    }
}

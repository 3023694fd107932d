package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.index.node.KeyBuffer;
import io.persist.index.node.Node;
import io.persist.index.read.Location;
import io.persist.support.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much memory a key takes. */
class IndexDensityTest {

    private static final int KEYS = 50_000;
    private static final int NEAR = 100;

    private enum Order {
        ASCENDING,
        /** Each within about 100 keys of its place. */
        NEARLY,
        DESCENDING,
        RANDOM
    }

    /** The bounds are of nodes that are full, or as full as they get, of 20 bytes and what differs of a key. */
    @ParameterizedTest
    @CsvSource({
        "RANDOM_8, RANDOM, 42",
        "RANDOM_8, ASCENDING, 42",
        "ASCENDING_16, ASCENDING, 22",
        "ASCENDING_16, NEARLY, 30",
        "ASCENDING_16, DESCENDING, 22",
        "ASCENDING_16, RANDOM, 34",
        "DESCENDING_16, ASCENDING, 22",
        "CLUSTERED, ASCENDING, 26",
        "CLUSTERED, NEARLY, 30",
        "TASK_RUN, ASCENDING, 34",
        "TASK_RUN, RANDOM, 40",
        "TIMER, ASCENDING, 76",
        "TIMER, NEARLY, 88",
        "TIMER, RANDOM, 92"
    })
    void shouldTakeFewBytesPerKey(KeyShape shape, Order order, double most) {
        assertThat(bytesPerKey(shape, order, KEYS)).isBetween(20.0, most);
    }

    /** Prints the table of a million keys of each shape. */
    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({
        "RANDOM_8, RANDOM, 42",
        "ASCENDING_16, ASCENDING, 22",
        "ASCENDING_16, NEARLY, 30",
        "ASCENDING_16, DESCENDING, 22",
        "ASCENDING_16, RANDOM, 34",
        "DESCENDING_16, ASCENDING, 22",
        "CLUSTERED, ASCENDING, 26",
        "CLUSTERED, NEARLY, 30",
        "TASK_RUN, ASCENDING, 34",
        "TASK_RUN, NEARLY, 33",
        "TASK_RUN, RANDOM, 40",
        "TIMER, ASCENDING, 76",
        "TIMER, RANDOM, 92"
    })
    void shouldTakeFewBytesPerKeyOfAMillion(KeyShape shape, Order order, double most) {
        double bytes = bytesPerKey(shape, order, 1_000_000);
        System.out.printf("%-14s %-10s %6.1f bytes per key%n", shape, order, bytes);
        assertThat(bytes).isBetween(20.0, most);
    }

    /** Each goes behind a full leaf, and before those that were put already: they share one leaf, or a few. */
    @Test
    void shouldPutKeysThatTheLastOneOfAFullLeafBeginsIntoOneLeaf() {
        try (KeyIndex index = new KeyIndex()) {
            KeyBuffer key = new KeyBuffer();
            Location location = new Location();
            int keys = 0;
            while (index.treeBytes() <= Node.LENGTH) {
                index.put(key.set(KeyShape.ASCENDING_16.key(keys++), 0, 16), 1, 1, location);
            }
            byte[] longer = Arrays.copyOf(KeyShape.ASCENDING_16.key(keys - 2), 17);
            long before = index.treeBytes();
            for (int last = 100; last > 0; last--) {
                longer[16] = (byte) last;
                index.put(key.set(longer, 0, 17), 1, 1, location);
            }
            assertThat(index.treeBytes() - before).isLessThanOrEqualTo(2 * Node.LENGTH);
        }
    }

    private static double bytesPerKey(KeyShape shape, Order order, int keys) {
        int[] numbers = new int[keys];
        Random random = new Random(order == Order.RANDOM || order == Order.NEARLY ? Seeds.seed() : 0);
        for (int i = 0; i < keys; i++) {
            int other = order == Order.RANDOM ? random.nextInt(i + 1) : i;
            numbers[i] = numbers[other];
            numbers[other] = order == Order.DESCENDING ? keys - 1 - i : i;
        }
        for (int i = 0; order == Order.NEARLY && i + NEAR < keys; i++) {
            int other = i + random.nextInt(NEAR);
            int number = numbers[i];
            numbers[i] = numbers[other];
            numbers[other] = number;
        }
        try (KeyIndex index = new KeyIndex()) {
            KeyBuffer key = new KeyBuffer();
            Location location = new Location();
            for (int i : numbers) {
                byte[] bytes = shape.key(i);
                index.put(key.set(bytes, 0, bytes.length), i, i, location);
            }
            assertThat(index.size()).as("different keys").isEqualTo(keys);
            return (double) index.usedBytes() / keys;
        }
    }
}

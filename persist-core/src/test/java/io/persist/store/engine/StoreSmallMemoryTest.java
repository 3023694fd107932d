package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.read.StoreScan;
import io.persist.store.transaction.Transaction;
import io.persist.support.ChildJvm;
import io.persist.support.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that has less direct memory than the index of its store needs, and little heap. */
@Timeout(300)
class StoreSmallMemoryTest {

    private static final int KEYS = Seeds.isNightly() ? 10_000_000 : 700_000;
    private static final int PUTS = 100;
    private static final int OVERWRITTEN = 2_000;
    private static final int GETS = 20_000;

    @TempDir
    Path directory;

    @Test
    void shouldHaveAnIndexThatIsLargerThanItsMemory() throws Exception {
        try (ChildJvm child = child("fill")) {
            assertThat(child.hear()).isEqualTo("filled: evicted true");
            assertThat(child.awaitEnd()).isZero();
        }
        try (ChildJvm child = child("read")) {
            assertThat(child.hear()).isEqualTo("opened: all there true");
            assertThat(child.hear()).isEqualTo("scanned: " + KEYS + ", index larger than memory true");
            assertThat(child.awaitEnd()).isZero();
        }
    }

    private ChildJvm child(String what) throws IOException {
        List<String> command = new ArrayList<>(ChildJvm.briefly(Small.class, directory, what));
        String nightly = "-Dpersist.nightly=" + Seeds.isNightly(); // as many keys as here
        command.addAll(1, List.of("-Xmx64m", "-XX:MaxDirectMemorySize=16m", nightly));
        return ChildJvm.run(command);
    }

    static final class Small {

        public static void main(String[] arguments) {
            StoreConfig config = StoreConfig.builder(LogConfig.builder(Path.of(arguments[0]))
                            .segmentLength(4 << 20)
                            .build())
                    .build();
            if (arguments[1].equals("fill")) {
                fill(config);
            } else {
                read(config);
            }
        }

        private static void fill(StoreConfig config) {
            try (StoreLogger store = StoreLogger.open(config)) {
                for (int i = 0; i < KEYS; i += PUTS) {
                    Transaction transaction = store.begin();
                    for (int number = i; number < i + PUTS; number++) {
                        transaction.put(key(number), value(number));
                    }
                    transaction.commit();
                }
                Random random = new Random(2);
                for (int i = 0; i < OVERWRITTEN; i++) {
                    int number = random.nextInt(KEYS);
                    store.put(key(number), value(number));
                }
                System.out.println(
                        "filled: evicted " + (store.statistics().index().evictedNodes() > 0));
            }
        }

        private static void read(StoreConfig config) {
            try (StoreLogger store = StoreLogger.open(config)) {
                System.out.println("opened: all there " + hasAll(store));
                System.out.println("scanned: " + count(store) + ", index larger than memory "
                        + isLarger(store.statistics().index()));
            }
        }

        private static boolean isLarger(StoreStatistics.Index index) {
            return index.nodes() > index.nodesInMemory();
        }

        private static boolean hasAll(StoreLogger store) {
            Random random = new Random(1);
            boolean hasAll = true;
            for (int i = 0; i < GETS; i++) {
                int number = random.nextInt(KEYS);
                ByteBuffer value = store.get(key(number));
                hasAll &= value != null && value.getLong(0) == number;
            }
            return hasAll;
        }

        private static int count(StoreLogger store) {
            int count = 0;
            try (StoreScan scan = store.scan(KeyRange.all(), Direction.FORWARD)) {
                while (scan.next()) {
                    count++;
                }
            }
            return count;
        }

        /** Ascending, so that a checkpoint of what has changed is small. */
        private static byte[] key(int number) {
            return ByteBuffer.allocate(24)
                    .putLong(number)
                    .putLong(number * 0x9E3779B97F4A7C15L)
                    .putLong(number * 0xBF58476D1CE4E5B9L)
                    .array();
        }

        private static byte[] value(int number) {
            return ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(number)
                    .array();
        }
    }
}

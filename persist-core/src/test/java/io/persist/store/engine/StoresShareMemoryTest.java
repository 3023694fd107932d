package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.transaction.Transaction;
import io.persist.support.ChildJvm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several stores in a JVM that has less direct memory than the index of one of them needs. */
@Timeout(300)
class StoresShareMemoryTest {

    /** Nothing is collected before the heap has 800 MiB, and nobody can ask for it. */
    private static final List<String> NO_COLLECTION =
            List.of("-XX:+UseSerialGC", "-XX:+DisableExplicitGC", "-Xms1g", "-Xmx1g", "-Xmn900m");

    private static final int STORES = 3;
    private static final int CYCLES = 3;
    private static final int KEYS = 30_000;
    private static final int PUTS = 50;
    private static final int GETS = 2_000;
    private static final int KEY_LENGTH = 300;

    @TempDir
    Path directory;

    /** The first one has all the memory when the second one comes, and both have when the third one does. */
    @Test
    void shouldFillOneAfterTheOther() throws Exception {
        try (ChildJvm child = child("fill", "-Xmx128m", "-XX:MaxDirectMemorySize=20m")) {
            for (int i = 0; i < STORES; i++) {
                assertThat(child.hear())
                        .isEqualTo("store " + i + ": all there true, within 15 MiB true, others can allocate true");
            }
            assertThat(child.hear()).isEqualTo("at the end: all there true, each has a part true, evicted true");
            assertThat(child.awaitEnd()).isZero();
        }
    }

    @Test
    void shouldUseTheMemoryOfAClosedStoreWithoutACollection() throws Exception {
        try (ChildJvm child = child("reopen", "-XX:MaxDirectMemorySize=20m")) {
            for (int i = 0; i < CYCLES; i++) {
                assertThat(child.hear()).isEqualTo("cycle " + i + ": all there true");
            }
            assertThat(child.awaitEnd()).isZero();
        }
    }

    private ChildJvm child(String what, String... options) throws IOException {
        List<String> command = new ArrayList<>(ChildJvm.briefly(Stores.class, directory, what));
        command.addAll(1, List.of(options));
        if (what.equals("reopen")) {
            command.addAll(1, NO_COLLECTION);
        }
        return ChildJvm.run(command);
    }

    static final class Stores {

        private static final int MIB = 1 << 20;

        private final List<StoreLogger> open = new ArrayList<>();
        private final Path directory;

        private Stores(Path directory) {
            this.directory = directory;
        }

        public static void main(String[] arguments) {
            Stores stores = new Stores(Path.of(arguments[0]));
            if (arguments[1].equals("fill")) {
                stores.fillAll();
            } else {
                stores.reopen();
            }
        }

        private StoreLogger open(int number) {
            LogConfig log = LogConfig.builder(directory.resolve("store" + number))
                    .segmentLength(MIB)
                    .build();
            return StoreLogger.open(StoreConfig.builder(log).build());
        }

        private void fillAll() {
            for (int i = 0; i < STORES; i++) {
                open.add(open(i));
                fill(open.get(i));
                System.out.println("store " + i + ": all there " + hasAll(open.get(i)) + ", within 15 MiB "
                        + (bytes() <= 15 * MIB) + ", others can allocate "
                        + (ByteBuffer.allocateDirect(2 * MIB).capacity() > 0));
            }
            System.out.println("at the end: all there " + open.stream().allMatch(Stores::hasAll)
                    + ", each has a part "
                    + open.stream().allMatch(store -> index(store).bytes() >= 4 * MIB)
                    + ", evicted "
                    + open.stream().allMatch(store -> index(store).evictedNodes() > 0));
            open.forEach(StoreLogger::close);
        }

        private void reopen() {
            for (int i = 0; i < CYCLES; i++) {
                try (StoreLogger store = open(i)) {
                    fill(store);
                    System.out.println("cycle " + i + ": all there " + hasAll(store));
                }
            }
        }

        private static StoreStatistics.Index index(StoreLogger store) {
            return store.statistics().index();
        }

        private long bytes() {
            return open.stream().mapToLong(store -> index(store).bytes()).sum();
        }

        private static void fill(StoreLogger store) {
            for (int i = 0; i < KEYS; i += PUTS) {
                Transaction transaction = store.begin();
                for (int number = i; number < i + PUTS; number++) {
                    transaction.put(key(number), value(number));
                }
                transaction.commit();
            }
        }

        private static boolean hasAll(StoreLogger store) {
            Random random = new Random(1);
            boolean hasAll = true;
            for (int i = 0; i < GETS; i++) {
                int number = random.nextInt(KEYS);
                ByteBuffer found = store.get(key(number));
                hasAll &= found != null && found.get(0) == (byte) number;
            }
            return hasAll;
        }

        private static byte[] key(int number) {
            byte[] key = new byte[KEY_LENGTH];
            new Random(number).nextBytes(key);
            return key;
        }

        private static byte[] value(int number) {
            return new byte[] {(byte) number};
        }
    }
}

package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;
import io.persist.support.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two stores are opened at once behind a halt. The changes of either need more than half of 15 MiB in its index. */
@Timeout(300)
class StoresOpenTogetherTest {

    private static final int STORES = 2;
    private static final int KEYS = 30_000;
    private static final int KEY_LENGTH = 300;
    private static final int PUTS = 50;

    /** A leaf has fewer keys, so each that is put changes another one. */
    private static final int EACH_LEAF = 12;

    @TempDir
    Path directory;

    @Test
    void shouldServeBoth() throws Exception {
        try (ChildJvm child = child("halt", "-XX:MaxDirectMemorySize=256m")) {
            assertThat(child.awaitEnd()).isZero();
        }
        try (ChildJvm child = child("open", "-XX:MaxDirectMemorySize=20m")) {
            for (int i = 0; i < STORES; i++) {
                assertThat(child.hear()).isEqualTo("store " + i + ": all settled true, all there true");
            }
            assertThat(child.awaitEnd()).isZero();
        }
    }

    private ChildJvm child(String what, String memory) throws IOException {
        List<String> command = new ArrayList<>(ChildJvm.briefly(Stores.class, directory, what));
        command.addAll(1, List.of("-Xmx128m", memory));
        return ChildJvm.run(command);
    }

    static final class Stores {

        private final Path directory;
        private final List<byte[]> keys = new ArrayList<>();

        private Stores(Path directory) {
            this.directory = directory;
            Random random = new Random(1);
            for (int i = 0; i < KEYS; i++) {
                byte[] key = new byte[KEY_LENGTH];
                random.nextBytes(key);
                keys.add(key);
            }
            keys.sort(Arrays::compareUnsigned);
        }

        public static void main(String[] arguments) {
            Stores stores = new Stores(Path.of(arguments[0]));
            if (arguments[1].equals("halt")) {
                IntStream.range(0, STORES).forEach(stores::fill);
                Runtime.getRuntime().halt(0);
            }
            stores.openAll();
        }

        private StoreLogger open(int number) {
            LogConfig log = LogConfig.builder(directory.resolve("store" + number))
                    .segmentLength(1 << 20)
                    .build();
            return StoreLogger.open(
                    StoreConfig.builder(log).checkpointPercent(0).build());
        }

        private void fill(int number) {
            StoreLogger store = open(number);
            for (int i = 0; i < KEYS; i += PUTS) {
                Transaction transaction = store.begin();
                keys.subList(i, i + PUTS).forEach(key -> transaction.put(key, value(0)));
                transaction.commit(Durability.BUFFERED);
            }
            store.checkpoint();
            for (int i = 0; i < KEYS; i += EACH_LEAF) {
                store.put(keys.get(i), value(1), Durability.BUFFERED);
            }
            store.sync();
        }

        private static byte[] value(int number) {
            return new byte[] {(byte) number};
        }

        private void openAll() {
            CyclicBarrier together = new CyclicBarrier(STORES);
            List<CompletableFuture<StoreLogger>> opening = IntStream.range(0, STORES)
                    .mapToObj(number -> CompletableFuture.supplyAsync(
                            () -> {
                                await(together);
                                return open(number);
                            },
                            task -> new Thread(task).start()))
                    .toList();
            List<StoreLogger> stores =
                    opening.stream().map(CompletableFuture::join).toList();
            for (int i = 0; i < STORES; i++) {
                StoreLogger store = stores.get(i);
                store.put(keys.get(0), value(2));
                store.checkpoint();
                System.out.println("store " + i + ": all settled "
                        + (store.statistics().index().pendingChanges() == 0) + ", all there " + hasAll(store));
            }
            stores.forEach(StoreLogger::close);
        }

        private static void await(CyclicBarrier together) {
            try {
                together.await();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        private boolean hasAll(StoreLogger store) {
            return IntStream.range(1, KEYS).allMatch(i -> {
                byte[] value = store.getBytes(keys.get(i));
                return value != null && value[0] == (i % EACH_LEAF == 0 ? 1 : 0);
            });
        }
    }
}

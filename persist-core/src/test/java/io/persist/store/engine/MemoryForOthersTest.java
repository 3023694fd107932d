package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.IndexFullException;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.index.KeyIndex;
import io.persist.index.memory.FrameMemory;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.read.StoreSnapshot;
import io.persist.support.Await;
import io.persist.support.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store that has more than its share of 12 MiB, and an index that wants some of it. */
@Timeout(300)
class MemoryForOthersTest {

    private static final int KEYS = 22_000;
    private static final int FEW = 200;
    private static final int COMMITS = 5;
    private static final int KEY_LENGTH = 300;

    @TempDir
    Path directory;

    /** A snapshot from a time when there was much memory keeps what it reads where it is, whatever is written. */
    @Test
    void shouldNotWriteCheckpointsThatGiveNoMemory() throws Exception {
        List<String> command = new ArrayList<>(ChildJvm.briefly(Stores.class, directory));
        command.addAll(1, List.of("-Xmx128m", "-XX:MaxDirectMemorySize=16m"));
        try (ChildJvm child = ChildJvm.run(command)) {
            assertThat(child.hear()).isEqualTo("it has to give memory true");
            assertThat(child.hear()).isEqualTo("checkpoints 0");
            assertThat(child.hear()).isEqualTo("it has given memory");
            assertThat(child.awaitEnd()).isZero();
        }
    }

    static final class Stores {

        public static void main(String[] arguments) throws IOException {
            LogConfig log = LogConfig.builder(Path.of(arguments[0]))
                    .segmentLength(1 << 20)
                    .build();
            Storage storage = DirectoryStorage.create(log.directory());
            StoreConfig config = StoreConfig.builder(log)
                    .checkpointPercent(0)
                    .maxSpaceRatio(0)
                    .build();
            StoreEngine store = new StoreOpener(config, null).open(storage, storage);
            put(store, 0, FEW);
            StoreSnapshot snapshot = store.snapshots().open();
            put(store, FEW, KEYS);
            store.upkeep().checkpoint();

            KeyIndex other = new KeyIndex(0);
            other.frames().tendedBy(() -> {});
            fill(other);
            FrameMemory frames = store.core().state().index().frames();
            System.out.println("it has to give memory " + frames.isWanted());
            long before = written(store);
            for (int i = 0; i < COMMITS; i++) {
                commit(store);
            }
            System.out.println("checkpoints " + (written(store) - before));

            snapshot.close();
            commit(store);
            Await.until("it has given what the other one wants", () -> !frames.isWanted());
            System.out.println("it has given memory");
            Runtime.getRuntime().halt(0);
        }

        private static void put(StoreEngine store, int from, int to) {
            for (int i = from; i < to; i++) {
                store.single().put(key(i), new byte[1], Durability.BUFFERED);
            }
        }

        /** Returns when upkeep has looked what is to be done after it. */
        private static void commit(StoreEngine store) {
            put(store, 0, 1);
            store.tuner().tune(store.tuning());
            Await.until("upkeep has looked", () -> store.core().ask(store.upkeep()::isWaiting));
        }

        private static long written(StoreEngine store) {
            return store.statistics().checkpoint().written();
        }

        private static byte[] key(int number) {
            byte[] key = new byte[KEY_LENGTH];
            new Random(number).nextBytes(key);
            return key;
        }

        /** Until it is refused. */
        private static void fill(KeyIndex index) {
            KeyBuffer buffer = new KeyBuffer();
            Location replaced = new Location();
            try {
                for (int i = 0; true; i++) {
                    index.put(buffer.set(key(i), 0, KEY_LENGTH), 1, 1, replaced);
                }
            } catch (IndexFullException e) {
                // It has what it can get.
            }
        }
    }
}

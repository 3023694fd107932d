package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.error.IndexFullException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.index.KeyIndex;
import io.persist.index.memory.FrameMemory;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.thread.LogThread;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.Texts;
import io.persist.store.read.StoreSnapshot;
import io.persist.support.Await;
import io.persist.support.ChildJvm;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store whose log has failed, which its owner has not closed yet, in a JVM that has 15 MiB for all indexes. */
@Timeout(300)
class FailedStoreGivesMemoryTest {

    private static final int KEYS = 16_000;
    private static final int FEW = 1000;
    private static final int KEY_LENGTH = 300;

    @TempDir
    Path directory;

    @Test
    void shouldBeWaitedForByNobody() throws Exception {
        List<String> command = new ArrayList<>(ChildJvm.briefly(Stores.class, directory));
        command.addAll(1, List.of("-Xmx128m", "-XX:MaxDirectMemorySize=20m"));
        try (ChildJvm child = ChildJvm.run(command)) {
            assertThat(child.hear()).isEqualTo("it has more than its share true");
            assertThat(child.hear()).isEqualTo("others have come to an end");
            assertThat(child.hear()).isEqualTo("others have 15 MiB");
            assertThat(child.awaitEnd()).isZero();
        }
    }

    @Test
    void shouldKeepWhatAnOpenSnapshotReads() {
        CrashableStorage storage = new CrashableStorage();
        LogConfig log =
                LogConfig.builder(Path.of("failed")).segmentLength(1 << 20).build();
        StoreConfig config = StoreConfig.builder(log).build();
        StoreEngine store = new StoreOpener(config, null).open(storage, storage);
        for (int i = 0; i < FEW; i++) {
            store.single().put(Texts.bytes("key " + i), Texts.bytes("value " + i), Durability.BUFFERED);
        }
        StoreSnapshot snapshot = store.snapshots().open();
        StoreStatistics before = store.statistics();
        PersistException failure = store.core().log().fail("a test", new IOException("a test"));
        Await.until(
                "it has ended",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals(LogThread.name("tend", "failed"))));

        for (int i = 0; i < FEW; i++) {
            assertThat(snapshot.getBytes(Texts.bytes("key " + i))).isEqualTo(Texts.bytes("value " + i));
        }
        assertThat(store.statistics().index()).isEqualTo(before.index());
        snapshot.close();
        StoreStatistics after = store.statistics();
        assertThat(after.keys()).isEqualTo(FEW);
        assertThat(after.index().bytes()).isZero();
        assertThat(after.index().usedBytes()).isZero();
        assertThat(after.index().nodesInMemory()).isZero();
        assertThatThrownBy(() -> store.single().get(Texts.bytes("key 1"))).isSameAs(failure);
        assertThatThrownBy(store.snapshots()::open).isSameAs(failure);
        assertThatThrownBy(store::close).isInstanceOf(LogIOException.class);
        assertThat(storage.openHandles()).isZero();
    }

    static final class Stores {

        private static final Random RANDOM = new Random(1);

        public static void main(String[] arguments) throws IOException {
            LogConfig log = LogConfig.builder(Path.of(arguments[0]))
                    .segmentLength(1 << 20)
                    .build();
            Storage storage = DirectoryStorage.create(log.directory());
            StoreConfig config = StoreConfig.builder(log).checkpointPercent(0).build();
            StoreEngine store = new StoreOpener(config, null).open(storage, storage);
            for (int i = 0; i < KEYS; i++) {
                store.single().put(key(), new byte[1], Durability.BUFFERED);
            }
            FrameMemory frames = store.core().state().index().frames();
            System.out.println("it has more than its share " + (frames.bytes() > 5 << 20));
            store.core().log().fail("a test", new IOException("a test"));

            KeyIndex first = open();
            KeyIndex second = open();
            fill(first); // takes what is free
            fill(second);
            Await.until("nobody waits for what it has", () -> !frames.isWanted());
            System.out.println("others have come to an end");
            Await.until("it has given all", () -> frames.bytes() == 0);
            Await.until("others have all", () -> {
                fill(first); // some of it is for the one that waits
                fill(second);
                return first.memoryBytes() + second.memoryBytes() == 15 << 20;
            });
            System.out.println("others have 15 MiB");
            Runtime.getRuntime().halt(0);
        }

        private static byte[] key() {
            byte[] key = new byte[KEY_LENGTH];
            RANDOM.nextBytes(key);
            return key;
        }

        private static KeyIndex open() {
            KeyIndex index = new KeyIndex(0);
            index.frames().tendedBy(() -> {});
            return index;
        }

        /** Until it is refused. */
        private static void fill(KeyIndex index) {
            KeyBuffer buffer = new KeyBuffer();
            Location replaced = new Location();
            try {
                while (true) {
                    index.put(buffer.set(key(), 0, KEY_LENGTH), 1, 1, replaced);
                }
            } catch (IndexFullException e) {
                // It has what it can get.
            }
        }
    }
}

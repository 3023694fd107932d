package io.persist.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.detached.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.support.InMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a store leaves in its process when it is closed: nothing. */
@EnabledOnOs(OS.LINUX)
class StoreResourceTest {

    private static final int LIVES = 50;

    @TempDir(factory = InMemory.class)
    Path directory;

    private record Resources(long descriptors, long mappings, long threads) {

        static Resources used(Path directory) throws IOException {
            try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
                return new Resources(
                        descriptors
                                .filter(descriptor -> target(descriptor).startsWith(directory.toString()))
                                .count(),
                        Files.readAllLines(Path.of("/proc/self/maps")).stream()
                                .filter(line -> line.contains(directory.toString()))
                                .count(),
                        Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> thread.getName().contains("persist"))
                                .count());
            }
        }

        private static String target(Path descriptor) {
            try {
                return Files.readSymbolicLink(descriptor).toString();
            } catch (IOException closedMeanwhile) {
                return "";
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveNothingOpenAfterManyLives(boolean isDetached) throws Exception {
        Path real = directory.toRealPath();
        LogConfig log =
                LogConfig.builder(real.resolve("log")).segmentLength(4096).build();
        StoreConfig config = StoreConfig.builder(log)
                .checkpointDirectory(real.resolve("checkpoints"))
                .build();
        for (int life = 0; life < LIVES; life++) {
            try (StoreLogger store = isDetached
                    ? StoreLogger.open(config, DetachedConfig.builder().build())
                    : StoreLogger.open(config)) {
                live(store, life);
            }
            assertThat(Resources.used(real)).as("life " + life).isEqualTo(new Resources(0, 0, 0));
        }
        try (Stream<Path> files = Files.list(real.resolve("log"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".tmp"))).isEmpty();
        }
    }

    private static void live(StoreLogger store, int life) throws InterruptedException {
        Texts.fill(store, 50, 100);
        assertThat(Texts.get(store, "key-7")).endsWith(": 57");
        Thread other = new Thread(() -> Texts.get(store, "key-8"));
        other.start();
        other.join();
        if (life % 3 == 0) {
            store.checkpoint();
        }
        if (life % 10 == 9) {
            store.compact(1 << 20);
        }
        try (StoreSnapshot snapshot = store.snapshot();
                StoreScan scan = snapshot.scan(KeyRange.all(), Direction.BACKWARD);
                StoreScan alone = store.scan(KeyRange.all(), Direction.FORWARD);
                ChangeReader changes = store.changes("reader")) {
            assertThat(scan.next() && alone.next() && changes.next()).isTrue();
            assertThat(scan.value().remaining() + alone.value().remaining()).isPositive();
            while (changes.next()) {
                assertThat(changes.key().remaining()).isPositive();
            }
            changes.store();
        }
        store.begin().put(Texts.bytes("never"), Texts.bytes("committed"));
    }
}

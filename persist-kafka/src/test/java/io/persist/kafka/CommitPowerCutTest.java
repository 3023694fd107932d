package io.persist.kafka;

import static io.persist.kafka.Task.CHANGELOG;
import static io.persist.kafka.Task.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.support.Seeds;
import io.persist.testkit.CrashExplorer;
import io.persist.testkit.CrashScript;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.kafka.streams.query.Position;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Power cuts, kills and failures at each operation of writes and commits: offsets never stand without their records. */
class CommitPowerCutTest {

    private static final int KEYS = 4;
    private static final int LIVES = Seeds.isNightly() ? 200 : 3;

    /** Says so of each opening after a fault; it is kept here, because the JDK forgets loggers with their levels. */
    private static final Logger NOISE = Logger.getLogger("io.persist");

    @BeforeAll
    static void silence() {
        NOISE.setLevel(Level.OFF);
    }

    @AfterAll
    static void speak() {
        NOISE.setLevel(null);
    }

    @Test
    void shouldHaveTheRecordsOfItsOffsets() {
        explore("synced", Applied.BY_A_PROCESSOR);
    }

    @Test
    @Tag("nightly")
    void shouldHaveTheRecordsOfItsOffsetsIfItDoesNotWaitForTheDevice() {
        explore("flushed", Applied.BY_A_PROCESSOR);
        explore("buffered", Applied.BY_A_PROCESSOR);
    }

    @Test
    @Tag("nightly")
    void shouldHaveTheRecordsOfItsOffsetsWhileItIsRestored() {
        explore("flushed", Applied.FROM_THE_CHANGELOG);
    }

    private static void explore(String durability, Applied applied) {
        CrashExplorer explorer = CrashExplorer.of(() -> new CommitScript(durability, applied));
        Seeds.lessInABuild(explorer, Seeds.seed()).randomLives(LIVES).explore();
    }

    private enum Applied {
        BY_A_PROCESSOR,
        FROM_THE_CHANGELOG
    }

    /** Record n of the changelog sets the key n % KEYS to n. Each life goes on behind what the store has committed. */
    private static final class CommitScript implements CrashScript {

        private final PersistSettings settings;
        private final Applied applied;
        private final StoreConfig config = StoreConfig.builder(
                        LogConfig.builder(Path.of("memory")).segmentLength(4096).build())
                .build();
        private long acknowledged;

        CommitScript(String durability, Applied applied) {
            this.settings = PersistSettings.of(Map.of(PersistSettings.DURABILITY, durability));
            this.applied = applied;
        }

        @Override
        public void run(Storage storage) {
            try (StoreLogger log = StoreLogger.open(config, storage, storage)) {
                OpenStore store = open(log);
                long next = 1 + committed(store);
                for (int i = 0; i < 3; i++) {
                    for (int j = 0; j < 2; j++, next++) {
                        apply(store, next);
                    }
                    long offset = next - 1;
                    store.commit(Map.of(CHANGELOG, offset), position(offset));
                    acknowledged = isSynced() ? offset : 0;
                }
                apply(store, next);
            }
        }

        private void apply(OpenStore store, long number) {
            byte[] key = bytes("k" + number % KEYS);
            byte[] value = bytes(Long.toString(number));
            if (applied == Applied.BY_A_PROCESSOR) {
                store.put(key, value);
            } else {
                store.restore(Map.of(key, value).entrySet(), Map.Entry::getKey, Map.Entry::getValue);
            }
        }

        private boolean isSynced() {
            return settings.durability() == Durability.SYNCED;
        }

        private OpenStore open(StoreLogger log) {
            byte[] encoded = log.getBytes(StoreHeader.key());
            StoreHeader header = encoded == null ? StoreHeader.first(ValueFormat.PLAIN) : StoreHeader.decode(encoded);
            Path directory = Path.of("memory");
            return new OpenStore(
                    log,
                    header,
                    settings,
                    new StoreErrors("orders", directory),
                    directory.resolve(".checkpoint"),
                    new IndexMemory());
        }

        private static long committed(OpenStore store) {
            return Objects.requireNonNullElse(store.committedOffset(CHANGELOG), 0L);
        }

        private static Position position(long offset) {
            return offset == 0
                    ? Position.emptyPosition()
                    : Position.emptyPosition().withComponent("input", 0, offset);
        }

        @Override
        public Object check(Storage storage) {
            try (StoreLogger log = StoreLogger.open(config, storage, storage)) {
                OpenStore store = open(log);
                long committed = committed(store);
                Map<String, Long> state = new TreeMap<>();
                long last = committed;
                for (int i = 0; i < KEYS; i++) {
                    byte[] value = store.get(bytes("k" + i));
                    long number = value == null ? 0 : Long.parseLong(new String(value));
                    state.put("k" + i, number);
                    last = Math.max(last, number);
                }
                assertThat(committed).as("offset").isGreaterThanOrEqualTo(acknowledged);
                assertThat(store.committedPosition()).as("position").isEqualTo(position(committed));
                assertThat(state)
                        .as("records up to " + last + ", offset " + committed)
                        .isEqualTo(upTo(last));
                if (applied == Applied.BY_A_PROCESSOR && last > committed) {
                    byte[] header = Objects.requireNonNull(log.getBytes(StoreHeader.key()));
                    assertThat(StoreHeader.decode(header).isUncommitted())
                            .as("uncommitted")
                            .isTrue();
                }
                return state + " at " + committed;
            }
        }

        /** The state after the records 1 to {@code last}. */
        private static Map<String, Long> upTo(long last) {
            Map<String, Long> state = new TreeMap<>();
            for (int i = 0; i < KEYS; i++) {
                long newest = last - Math.floorMod(last - i, KEYS);
                state.put("k" + i, Math.max(0, newest));
            }
            return state;
        }
    }
}

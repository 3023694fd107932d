package io.persist.peers.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each engine does the work that the others do: the same random changes give what a sorted map has. */
class StateEngineTest {

    private static final int STEPS = 400;
    private static final int KEYS = 60;
    private static final int MAX_VALUE_LENGTH = 3000;

    @TempDir
    Path directory;

    private final NavigableMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    private final byte[] target = new byte[MAX_VALUE_LENGTH];

    @ParameterizedTest
    @CsvSource({
        "STORE, BUFFERED",
        "STORE, FLUSHED",
        "STORE, SYNCED",
        "ROCKSDB, BUFFERED",
        "ROCKSDB, FLUSHED",
        "ROCKSDB, SYNCED"
    })
    void shouldHoldWhatTheModelHolds(StateEngineKind kind, Durability durability) throws IOException {
        long seed = Long.getLong("seed", ThreadLocalRandom.current().nextLong());
        System.out.println("StateEngineTest: -Dseed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        StateEngineConfig config = StateEngineConfig.of(directory, durability);
        try (StateEngine engine = kind.open(config)) {
            for (int step = 0; step < STEPS; step++) {
                change(engine, random);
                if (step % 20 == 0) {
                    checkSame(engine, random);
                }
            }
            engine.checkpoint();
            change(engine, random);
            assertThat(engine.fileBytes()).isPositive();
        }
        try (StateEngine engine = kind.open(config)) {
            checkSame(engine, random);
            engine.compact();
            checkSame(engine, random);
        }
    }

    private void change(StateEngine engine, SplittableRandom random) {
        for (int i = random.nextInt(4); i >= 0; i--) {
            byte[] key = key(random);
            if (random.nextInt(3) == 0) {
                engine.delete(key);
                model.remove(key);
            } else {
                byte[] value = new byte[random.nextInt(MAX_VALUE_LENGTH)];
                random.nextBytes(value);
                engine.put(key, value);
                model.put(key, value);
            }
        }
        engine.commit();
    }

    private static byte[] key(SplittableRandom random) {
        byte[] key = new byte[StateData.KEY_LENGTH];
        StateData.key(random.nextInt(KEYS), key);
        return key;
    }

    private void checkSame(StateEngine engine, SplittableRandom random) {
        for (int number = 0; number < KEYS; number++) {
            byte[] key = new byte[StateData.KEY_LENGTH];
            StateData.key(number, key);
            int length = engine.get(key, target);
            byte[] found = length < 0 ? null : Arrays.copyOf(target, length);
            assertThat(found).isEqualTo(model.get(key));
        }
        byte[] from = key(random);
        int limit = 1 + random.nextInt(KEYS);
        NavigableMap<byte[], byte[]> scanned = new TreeMap<>(Arrays::compareUnsigned);
        int count = engine.scan(from, limit, MAX_VALUE_LENGTH, (key, keyLength, value, valueLength) -> {
            byte[] next = Arrays.copyOf(key, keyLength);
            assertThat(scanned.isEmpty() || Arrays.compareUnsigned(scanned.lastKey(), next) < 0)
                    .as("in order")
                    .isTrue();
            scanned.put(next, Arrays.copyOf(value, valueLength));
        });
        assertThat(count).isEqualTo(scanned.size());
        Map<byte[], byte[]> behind = model.tailMap(from, true);
        assertThat(scanned.keySet())
                .containsExactlyElementsOf(behind.keySet().stream().limit(limit).toList());
        scanned.forEach((key, value) -> assertThat(value).isEqualTo(model.get(key)));
        checkSameThrough(engine, from, key(random));
    }

    /** While all is deleted and put again: what a scan shows may be as it was when that began. */
    private void checkSameThrough(StateEngine engine, byte[] from, byte[] through) {
        NavigableMap<byte[], byte[]> scanned = new TreeMap<>(Arrays::compareUnsigned);
        boolean isRange = Arrays.compareUnsigned(from, through) <= 0;
        int count = engine.scanThrough(from, through, MAX_VALUE_LENGTH, (key, keyLength, value, valueLength) -> {
            byte[] next = Arrays.copyOf(key, keyLength);
            scanned.put(next, Arrays.copyOf(value, valueLength));
            engine.delete(next);
            engine.commit();
            engine.put(next, Arrays.copyOf(value, valueLength));
            engine.commit();
        });
        assertThat(count).isEqualTo(scanned.size());
        Map<byte[], byte[]> within = isRange ? model.subMap(from, true, through, true) : Map.of();
        assertThat(scanned.keySet()).containsExactlyElementsOf(within.keySet());
        scanned.forEach((key, value) -> assertThat(value).isEqualTo(model.get(key)));
    }

    /** RocksDB without its log is to be compared with a commit that waits for nothing only. */
    @ParameterizedTest
    @CsvSource({"BUFFERED, false", "FLUSHED, true", "SYNCED, true"})
    void shouldHaveRocksWriteAheadUnlessBuffered(Durability durability, boolean isWritten) throws IOException {
        try (StateEngine engine = StateEngineKind.ROCKSDB.open(StateEngineConfig.of(directory, durability))) {
            engine.put(new byte[] {1}, new byte[100]);
            engine.commit();
            try (Stream<Path> files = Files.list(directory)) {
                assertThat(files.filter(file -> file.toString().endsWith(".log"))
                                .anyMatch(file -> file.toFile().length() > 0))
                        .isEqualTo(isWritten);
            }
        }
    }

    @Test
    void shouldLoadEachKeyOnceAndNoMoreThanAllowed() throws IOException {
        StateData data = new StateData(5000, 100, 1000L * (StateData.KEY_LENGTH + 100));
        assertThat(data.keys()).isEqualTo(1000);
        try (StateEngine engine = StateEngineKind.STORE.open(StateEngineConfig.of(directory, Durability.BUFFERED))) {
            data.load(engine);
            Set<String> found = new HashSet<>();
            int count = engine.scan(new byte[] {0}, 5000, 100, (key, keyLength, value, length) -> {
                found.add(Arrays.toString(key));
                assertThat(length).isEqualTo(100);
            });
            assertThat(count).isEqualTo(1000);
            assertThat(found).hasSize(1000);
        }
        int[] shuffled = data.shuffled(1);
        assertThat(shuffled).isNotEqualTo(data.shuffled(2));
        Arrays.sort(shuffled);
        assertThat(shuffled).containsExactly(IntStream.range(0, 1000).toArray());
    }
}

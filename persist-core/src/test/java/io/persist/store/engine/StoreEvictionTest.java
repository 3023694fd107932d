package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.error.IndexFullException;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Neighbour;
import io.persist.store.StoreConfig;
import io.persist.store.StoreDisks;
import io.persist.store.StoreEntry;
import io.persist.store.StoreStatistics;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.Transaction;
import io.persist.support.Seeds;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A store whose index is several times as large as the memory that it may have is like a sorted map, too. */
class StoreEvictionTest {

    private static final int KEYS = 12_000;
    private static final int MOST_PUTS = 15;

    /** An open scan, and what it has still to show. */
    private record Reading(StoreSnapshot snapshot, StoreScan scan, List<Map.Entry<byte[], Integer>> rest) {}

    private final NavigableMap<byte[], Integer> model = new TreeMap<>(Arrays::compareUnsigned);
    private final List<Reading> readings = new ArrayList<>();
    private Random random = new Random();
    private StoreDisks disks = StoreDisks.one();
    private StoreLogger store;
    private long evicted;
    private long checkpoints;
    private long vacated;
    private int refused;

    private static StoreConfig config() {
        return StoreConfig.builder(LogConfig.builder(Path.of("store"))
                        .segmentLength(256 << 10)
                        .build())
                .indexMemoryBytes(1 << 20)
                .checkpointMinLogBytes(1 << 20)
                .maxSpaceRatio(1.5)
                .build();
    }

    @Test
    void shouldBeLikeASortedMap() {
        Seeds.run(2, seed -> {
            random = new Random(seed);
            model.clear();
            disks = random.nextBoolean() ? StoreDisks.one() : StoreDisks.two();
            open();
            for (int i = 0; i < 400; i++) {
                transaction();
            }
            for (int step = 0; step < 800; step++) {
                step();
            }
            endReadings();
            assertThat(store.size()).isEqualTo(model.size());
            compare(store.scan(KeyRange.all(), Direction.FORWARD), List.copyOf(model.entrySet()));
            close();
        });
        assertThat(evicted).isGreaterThan(1_000);
        assertThat(checkpoints).isGreaterThan(4);
        assertThat(vacated).isPositive();
        assertThat(refused).isLessThan(1_000);
    }

    private void open() {
        store = StoreLogger.open(config(), disks.log, disks.checkpoints);
        assertThat(store.recovery().skipped()).isEmpty();
    }

    private void close() {
        StoreStatistics now = store.statistics();
        assertThat(now.index().bytes()).isLessThanOrEqualTo(1 << 20);
        evicted += now.index().evictedNodes();
        checkpoints += now.checkpoint().written();
        vacated += now.compaction().vacatedSegments();
        assertThat(now.checkpoint().failures())
                .as(now.checkpoint().lastFailure())
                .isZero();
        store.close();
    }

    private void step() {
        switch (random.nextInt(14)) {
            case 0, 1, 2, 3 -> transaction();
            case 4, 5, 6 -> gets();
            case 7 -> neighbours();
            case 8 -> read();
            case 9, 10 -> openOrEnd();
            case 11 -> removeRange();
            case 12 -> {
                if (random.nextInt(6) == 0) {
                    store.checkpoint();
                } else if (random.nextInt(6) == 0) {
                    compact();
                }
            }
            default -> {
                if (random.nextInt(10) == 0) {
                    endReadings();
                    close();
                    open();
                }
            }
        }
    }

    /** 100 bytes, so that there are few in a node. */
    private byte[] anyKey() {
        int n = random.nextInt(KEYS);
        byte[] key = new byte[100];
        new Random(n).nextBytes(key);
        return key;
    }

    private static byte[] value(int number) {
        return ByteBuffer.allocate(40).putInt(number).array();
    }

    private void transaction() {
        Map<byte[], Integer> changes = new TreeMap<>(Arrays::compareUnsigned);
        try (Transaction transaction = store.begin()) {
            for (int i = random.nextInt(MOST_PUTS); i >= 0; i--) {
                byte[] key = anyKey();
                Integer number = random.nextInt(5) == 0 ? null : (Integer) random.nextInt();
                if (number == null) {
                    transaction.remove(key);
                } else {
                    transaction.put(key, value(number));
                }
                changes.put(key, number);
            }
            transaction.commit();
        } catch (IndexFullException e) {
            full(e);
            return;
        }
        changes.forEach((key, number) -> {
            if (number == null) {
                model.remove(key);
            } else {
                model.put(key, number);
            }
        });
    }

    private void compact() {
        try {
            store.compact(1 << 20);
        } catch (IndexFullException e) {
            full(e);
        }
    }

    /** Snapshots keep nodes in memory: only while there are some may a change be refused. */
    private void full(IndexFullException refusal) {
        if (readings.isEmpty()) {
            throw refusal;
        }
        refused++;
        endReadings();
    }

    private void gets() {
        for (int i = 0; i < 50; i++) {
            byte[] key = anyKey();
            assertValue(store.get(key), model.get(key));
        }
    }

    private static void assertValue(ByteBuffer value, Integer expected) {
        assertThat(
                        value == null
                                ? null
                                : (Integer) value.order(java.nio.ByteOrder.BIG_ENDIAN)
                                        .getInt(0))
                .isEqualTo(expected);
    }

    private void neighbours() {
        for (int i = 0; i < 30; i++) {
            byte[] key = anyKey();
            StoreEntry found = store.neighbour(key, Neighbour.LOWER);
            assertThat(found == null ? null : found.key()).isEqualTo(model.lowerKey(key));
        }
    }

    private void openOrEnd() {
        if (readings.size() < 3) {
            byte[] from = anyKey();
            StoreSnapshot snapshot = store.snapshot();
            readings.add(new Reading(
                    snapshot,
                    snapshot.scan(KeyRange.from(from), Direction.FORWARD),
                    new ArrayList<>(new TreeMap<>(model.tailMap(from)).entrySet())));
        } else {
            Reading ended = readings.remove(random.nextInt(readings.size()));
            ended.scan.close();
            ended.snapshot.close();
        }
    }

    private void endReadings() {
        for (Reading reading : readings) {
            reading.scan.close();
            reading.snapshot.close();
        }
        readings.clear();
    }

    /** Goes on with a scan, and gets from its snapshot. */
    private void read() {
        for (Reading reading : readings) {
            int count = Math.min(random.nextInt(300), reading.rest.size());
            List<Map.Entry<byte[], Integer>> next = reading.rest.subList(0, count);
            for (Map.Entry<byte[], Integer> entry : next) {
                assertThat(reading.scan.next()).isTrue();
                assertThat(reading.scan.keyBytes()).isEqualTo(entry.getKey());
                assertValue(reading.scan.value(), entry.getValue());
                if (random.nextInt(10) == 0) {
                    assertValue(reading.snapshot.get(entry.getKey()), entry.getValue());
                }
            }
            next.clear();
        }
    }

    private void removeRange() {
        byte[] from = anyKey();
        byte[] below = from.clone();
        below[0] += (byte) random.nextInt(4);
        below[1] += 10;
        if (Arrays.compareUnsigned(from, below) < 0) {
            NavigableMap<byte[], Integer> removed = model.subMap(from, true, below, false);
            try {
                assertThat(store.removeRange(KeyRange.between(from, below))).isEqualTo(!removed.isEmpty());
                removed.clear();
            } catch (IndexFullException e) {
                full(e);
            }
        }
    }

    private static void compare(StoreScan scan, List<Map.Entry<byte[], Integer>> entries) {
        try (scan) {
            for (Map.Entry<byte[], Integer> entry : entries) {
                assertThat(scan.next()).isTrue();
                assertThat(scan.keyBytes()).isEqualTo(entry.getKey());
                assertValue(scan.value(), entry.getValue());
            }
            assertThat(scan.next()).isFalse();
        }
    }
}

package io.persist.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Neighbour;
import io.persist.store.StoreConfig;
import io.persist.store.StoreContent;
import io.persist.store.StoreEntry;
import io.persist.store.StoreModel;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.staged.StagedChanges;
import io.persist.store.transaction.Transaction;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A store is like a sorted map for everybody, however far its index is with a large transaction: here that stays where
 * it is while others read, scan and commit. {@code StoreModelTest} has what comes after.
 */
class LargeCommitModelTest {

    private static final int KEYS = 400;
    private static final int STEPS = 250;
    private static final int MOST_SNAPSHOTS = 3;

    private final List<Frozen> frozen = new ArrayList<>();
    private Random random = new Random();
    private TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    private int unsettledScans;

    private record Frozen(StoreSnapshot snapshot, TreeMap<byte[], byte[]> content) {}

    private static StoreEngine open(CrashableStorage storage) {
        LogConfig log =
                LogConfig.builder(Path.of("store")).segmentLength(1 << 20).build();
        StoreConfig config = StoreConfig.builder(log)
                .checkpointPercent(0)
                .maxSpaceRatio(0)
                .indexMemoryBytes(64 << 20)
                .build();
        return new StoreOpener(config, null).open(storage, storage);
    }

    private byte[] key() {
        return Texts.bytes("key/" + (1000 + random.nextInt(KEYS)));
    }

    private byte[] value() {
        byte[] value = new byte[random.nextInt(30)];
        random.nextBytes(value);
        return value;
    }

    @Test
    void shouldBeLikeASortedMapWhileTheIndexIsBehind() {
        Seeds.run(3, seed -> {
            random = new Random(seed);
            model = new TreeMap<>(Arrays::compareUnsigned);
            CrashableStorage storage = new CrashableStorage();
            try (StoreEngine store = open(storage)) {
                HeldSettler settler = new HeldSettler(store);
                for (int i = 0; i < STEPS; i++) {
                    step(store, settler);
                }
                frozen.forEach(this::check);
                frozen.forEach(one -> one.snapshot.close());
                frozen.clear();
            }
            try (StoreEngine store = open(storage)) {
                checkScan(store);
                assertThat(store.lookups().size()).isEqualTo(model.size());
            }
        });
        assertThat(unsettledScans).isPositive();
    }

    private void step(StoreEngine store, HeldSettler settler) {
        switch (random.nextInt(12)) {
            case 0 -> {
                settler.settle(Integer.MAX_VALUE); // one at a time
                settler.publish(this::stage);
            }
            case 1, 2 -> settler.settle(1 + random.nextInt(200));
            case 3 -> put(store);
            case 4 -> remove(store);
            case 5 -> checkTransaction(store);
            case 6, 7 -> {
                boolean wasSettled = settler.isSettled();
                checkScan(store);
                assertThat(settler.isSettled()).as("nobody worked for it").isEqualTo(wasSettled);
                unsettledScans += wasSettled ? 0 : 1;
            }
            case 8 -> {
                assertThat(store.lookups().size()).isEqualTo(model.size());
                checkNeighbours(store.single()::neighbour, model, key());
            }
            case 9 -> freeze(store);
            case 10 -> thaw();
            default -> {
                byte[] key = key();
                assertThat(store.single().getBytes(key)).isEqualTo(model.get(key));
            }
        }
    }

    private void stage(StagedChanges staged) {
        for (int i = random.nextInt(2 * KEYS); i >= 0; i--) {
            byte[] key = key();
            if (random.nextInt(200) == 0) {
                byte[] limit = key();
                if (staged.removeRange(KeyRange.between(key, limit))) {
                    StoreModel.range(model, key, limit).clear();
                }
            } else if (random.nextInt(3) == 0) {
                staged.remove(key);
                model.remove(key);
            } else {
                byte[] value = value();
                staged.put(key, value, 0, value.length);
                model.put(key, value);
            }
        }
    }

    private void put(StoreEngine store) {
        byte[] key = key();
        byte[] value = value();
        store.single().put(key, value, Durability.BUFFERED);
        model.put(key, value);
    }

    private void remove(StoreEngine store) {
        byte[] key = key();
        assertThat(store.single().remove(key, Durability.BUFFERED)).isEqualTo(model.remove(key) != null);
    }

    /** Its own writes lie over all. */
    private void checkTransaction(StoreEngine store) {
        TreeMap<byte[], byte[]> seen = new TreeMap<>(model);
        Transaction transaction = store.thread().begin();
        for (int i = random.nextInt(10); i >= 0; i--) {
            byte[] key = key();
            if (random.nextBoolean()) {
                byte[] value = value();
                transaction.put(key, value);
                seen.put(key, value);
            } else {
                transaction.remove(key);
                seen.remove(key);
            }
        }
        byte[] at = key();
        try (StoreScan scan = transaction.scan(KeyRange.from(at), Direction.BACKWARD)) {
            assertThat(StoreContent.difference(scan, seen.tailMap(at, true).descendingMap()))
                    .isNull();
        }
        checkNeighbours(transaction::neighbour, seen, at);
        if (random.nextBoolean()) {
            transaction.commit(Durability.FLUSHED);
            model = seen;
        } else {
            transaction.rollback();
        }
    }

    private void checkScan(StoreEngine store) {
        byte[] from = key();
        try (StoreScan scan = store.snapshots().scan(KeyRange.all(), Direction.FORWARD)) {
            assertThat(StoreContent.difference(scan, model)).isNull();
        }
        try (StoreScan scan = store.snapshots().scan(KeyRange.below(from), Direction.BACKWARD)) {
            assertThat(StoreContent.difference(scan, model.headMap(from, false).descendingMap()))
                    .isNull();
        }
    }

    private void freeze(StoreEngine store) {
        if (frozen.size() < MOST_SNAPSHOTS) {
            frozen.add(new Frozen(store.snapshots().open(), new TreeMap<>(model)));
        }
    }

    private void thaw() {
        if (!frozen.isEmpty()) {
            Frozen one = frozen.remove(random.nextInt(frozen.size()));
            check(one);
            one.snapshot.close();
        }
    }

    private void check(Frozen one) {
        try (StoreScan scan = one.snapshot.scan(KeyRange.all(), Direction.FORWARD)) {
            assertThat(StoreContent.difference(scan, one.content)).isNull();
        }
        assertThat(one.snapshot.size()).isEqualTo(one.content.size());
        byte[] key = key();
        assertThat(one.snapshot.getBytes(key)).isEqualTo(one.content.get(key));
        checkNeighbours(one.snapshot::neighbour, one.content, key);
    }

    private static void checkNeighbours(
            BiFunction<byte[], Neighbour, @Nullable StoreEntry> find, NavigableMap<byte[], byte[]> map, byte[] key) {
        assertSame(find.apply(key, Neighbour.LOWER), map.lowerEntry(key));
        assertSame(find.apply(key, Neighbour.FLOOR), map.floorEntry(key));
        assertSame(find.apply(key, Neighbour.CEILING), map.ceilingEntry(key));
        assertSame(find.apply(key, Neighbour.HIGHER), map.higherEntry(key));
    }

    private static void assertSame(@Nullable StoreEntry entry, Map.@Nullable Entry<byte[], byte[]> expected) {
        assertThat(entry == null).isEqualTo(expected == null);
        if (entry != null && expected != null) {
            assertThat(entry.key()).isEqualTo(expected.getKey());
            assertThat(entry.value()).isEqualTo(expected.getValue());
        }
    }
}

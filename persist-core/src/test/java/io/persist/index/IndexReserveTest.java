package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.error.IndexFullException;
import io.persist.index.memory.NodeChunks;
import io.persist.index.node.KeyBuffer;
import io.persist.index.node.Node;
import io.persist.index.read.IndexCursor;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.Location;
import io.persist.support.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What was reserved is there, and an index without memory is as it was. */
class IndexReserveTest {

    private static final int CHUNK = NodeChunks.CHUNK_LENGTH;

    /** So many keys need half of a chunk, or more. */
    private static final int MANY = 20_000;

    /** They need some leaves. */
    private static final int SOME = 1_000;

    private final KeyBuffer key = new KeyBuffer();
    private final Location location = new Location();

    private KeyBuffer key(byte[] bytes) {
        return key.set(bytes, 0, bytes.length);
    }

    /** Puts of all shapes, with snapshots, until a reservation fails; then once more after some were removed. */
    @Test
    void shouldNeverFailAfterReserve() {
        Seeds.run(3, seed -> {
            Random random = new Random(seed);
            KeyShape[] shapes = KeyShape.values();
            Deque<IndexSnapshot> snapshots = new ArrayDeque<>();
            try (KeyIndex index = new KeyIndex((2 + random.nextInt(3)) * (long) CHUNK)) {
                int failures = 0;
                for (int round = 0; failures < 3; round++) {
                    KeyShape shape = shapes[random.nextInt(shapes.length)];
                    if (random.nextInt(4) == 0) {
                        snapshots.add(index.snapshot());
                    }
                    int puts = 1 + random.nextInt(random.nextInt(4) == 0 ? 60 : 5);
                    try {
                        index.budget().reserve(puts);
                    } catch (IndexFullException full) {
                        failures++;
                        snapshots.forEach(IndexSnapshot::close);
                        snapshots.clear();
                        removeHalf(index, random);
                        continue;
                    }
                    putSure(index, shape, puts, random);
                    if (round % 100 == 0) {
                        TreeChecker.check(index);
                    }
                }
                TreeChecker.check(index);
            }
        });
    }

    /** Neither allocates a chunk nor runs out of nodes. */
    private void putSure(KeyIndex index, KeyShape shape, int puts, Random random) {
        long before = index.memoryBytes();
        for (int i = 0; i < puts; i++) {
            byte[] bytes = shape.key(random.nextInt(1 << 20));
            if (random.nextInt(4) == 0) {
                index.remove(key(bytes), location);
            } else {
                index.put(key(bytes), i, i, location);
            }
        }
        assertThat(index.memoryBytes()).isEqualTo(before);
    }

    private void removeHalf(KeyIndex index, Random random) {
        TreeMap<byte[], Long> all = new TreeMap<>(Arrays::compareUnsigned);
        try (IndexSnapshot snapshot = index.snapshot()) {
            IndexCursor cursor = snapshot.cursor();
            while (cursor.next()) {
                all.put(Arrays.copyOf(cursor.key().bytes(), cursor.key().length()), cursor.position());
            }
        }
        for (byte[] bytes : all.keySet()) {
            if (random.nextBoolean()) {
                index.remove(key(bytes), location);
            }
        }
    }

    /** Leaves nothing but what was reserved, and puts keys of which two or three fill a node. */
    @Test
    void shouldNeedNoMoreThanWasReserved() {
        Seeds.run(5, seed -> {
            Random random = new Random(seed);
            KeyIndex index = new KeyIndex(CHUNK);
            IndexSnapshot snapshot = null;
            int puts = 1 + random.nextInt(4);
            while (nodesFor(puts, index) < index.memory().freeNodes()) {
                List<Node> taken = takeAllBut(nodesFor(puts, index), index);
                for (int i = 0; i < puts; i++) {
                    index.put(key(worst(random)), i, i, location);
                }
                assertThat(index.memory().freeNodes()).isNotNegative();
                taken.forEach(index.memory()::giveBack);
                if (snapshot != null) {
                    snapshot.close();
                }
                snapshot = random.nextBoolean() ? index.snapshot() : null;
                puts = 1 + random.nextInt(4);
            }
            TreeChecker.check(index);
            assertThat(index.tree().height()).isGreaterThan(2);
        });
    }

    private static long nodesFor(int puts, KeyIndex index) {
        return NodesPerPut.most(puts, index.tree().height(), index.openSnapshots());
    }

    private static byte[] worst(Random random) {
        byte[] bytes = new byte[1000 + random.nextInt(24)];
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(4);
        }
        return bytes;
    }

    @Test
    void shouldStayAsItWasWhenMemoryIsShort() {
        try (KeyIndex index = new KeyIndex(CHUNK)) {
            int keys = 0;
            IndexFullException full = null;
            while (full == null) {
                try {
                    index.put(key(KeyShape.RANDOM_8.key(keys)), keys, keys, location);
                    keys++;
                } catch (IndexFullException expected) {
                    full = expected;
                }
            }
            assertThat(full).hasMessageContaining("bytes=" + CHUNK).hasMessageContaining("-XX:MaxDirectMemorySize");
            assertThat(keys).isGreaterThan(20_000);
            assertThat(index.size()).isEqualTo(keys);
            assertThat(index.get(key(KeyShape.RANDOM_8.key(keys)), location)).isFalse();
            TreeChecker.check(index);
            assertThatExceptionOfType(IndexFullException.class)
                    .isThrownBy(() -> index.budget().reserve(1));

            // What is there can be read, changed and removed, but not under a snapshot, whose copies need memory.
            assertThat(index.put(key(KeyShape.RANDOM_8.key(0)), 7, 7, location)).isTrue();
            assertThat(index.remove(key(KeyShape.RANDOM_8.key(1)), location)).isTrue();
            List<Node> taken = takeAllBut(0, index);
            try (IndexSnapshot snapshot = index.snapshot()) {
                assertThatExceptionOfType(IndexFullException.class)
                        .isThrownBy(() -> index.remove(key(KeyShape.RANDOM_8.key(2)), location));
                assertThatExceptionOfType(IndexFullException.class)
                        .isThrownBy(() -> index.put(key(KeyShape.RANDOM_8.key(2)), 7, 7, location));
                assertThat(snapshot.get(key(KeyShape.RANDOM_8.key(2)), location))
                        .isTrue();
            }
            assertThat(index.remove(key(KeyShape.RANDOM_8.key(2)), location)).isTrue();
            taken.forEach(index.memory()::giveBack);
            TreeChecker.check(index);
        }
    }

    /** Takes the last nodes, which a put wants to see although it hardly ever needs them. */
    private static List<Node> takeAllBut(long left, KeyIndex index) {
        List<Node> taken = new ArrayList<>();
        while (index.memory().freeNodes() > left) {
            taken.add(index.memory().wrap(new Node(), index.memory().take(Node.NONE)));
        }
        return taken;
    }

    @Test
    void shouldReserveManyPutsByTheirUsualNeed() {
        try (KeyIndex index = new KeyIndex()) {
            index.budget().reserve(1_000_000);
            assertThat(index.memoryBytes()).isBetween(200L << 20, 400L << 20);
            assertThat(index.usedBytes()).isEqualTo(Node.LENGTH);
        }
    }

    @Test
    void shouldTakeTheSpareChunk() {
        try (KeyIndex index = new KeyIndex(3L * CHUNK)) {
            index.budget().reserve(100);
            assertThat(index.needsSpare())
                    .as("of 256 nodes, when 201 were wanted")
                    .isTrue();
            index.addSpare();
            assertThat(index.needsSpare()).as("there is one").isFalse();
            index.addSpare();
            assertThat(index.memoryBytes()).isEqualTo(2L * CHUNK);
            index.budget().reserve(200);
            assertThat(index.memoryBytes()).as("the spare one is used").isEqualTo(2L * CHUNK);
            assertThat(index.needsSpare()).isTrue();
            index.budget().reserve(300);
            assertThat(index.memoryBytes()).isEqualTo(3L * CHUNK);
            assertThat(index.needsSpare()).as("no chunk more is allowed").isFalse();
            assertThatThrownBy(() -> index.budget().reserve(1000)).isInstanceOf(IndexFullException.class);
        }
    }

    /** It would have to read them again, for nothing. */
    @Test
    void shouldKeepItsNodesInMemoryIfThereCannotBeEnough() {
        Images images = new Images();
        try (KeyIndex filled = new KeyIndex()) {
            putAll(filled, MANY);
            try (IndexImage image = filled.image(IndexImage.Scope.ALL)) {
                images.take(image);
            }
        }
        try (KeyIndex index = images.restore(CHUNK)) {
            for (int i = 0; i < MANY; i++) {
                index.get(key(KeyShape.RANDOM_8.key(i)), location);
            }
            MemoryBudget.Use before = index.budget().use();
            int most = CHUNK / Node.LENGTH;
            long missing = nodesFor(most, index) + most / NodeNeeds.KEPT_BACK_PART - most;
            assertThatExceptionOfType(IndexFullException.class)
                    .isThrownBy(() -> index.budget().reserve(most))
                    .withMessageContaining("missing=" + missing * Node.LENGTH + ",");
            assertThat(index.budget().use()).isEqualTo(before);
            index.budget().reserve(most / 4);
            assertThat(index.budget().use().evicted()).as("enough can go").isPositive();
        }
    }

    /** What a large transaction has by an estimate is too little if each of its changes has a leaf copied. */
    @Test
    void shouldNotReserveIfThereIsTooLittleForCopiesOfTheNodesThatAreKept() {
        try (KeyIndex index = new KeyIndex(CHUNK)) {
            putAll(index, SOME);
            byte[] first = KeyShape.RANDOM_8.key(0);
            index.load(key(first));
            index.budget().expected().promise(1, 0, 0);
            index.budget().expected().keepNodes();
            int way = index.tree().height();
            IndexSnapshot snapshot = index.snapshot();
            long least = way + nodesFor(1, index);
            List<Node> taken = takeAllBut(least - 1, index);
            assertThatExceptionOfType(IndexFullException.class)
                    .isThrownBy(() -> index.budget().expected().reserve())
                    .withMessageContaining("missing=" + Node.LENGTH + ",");
            snapshot.close();
            index.budget().expected().reserve();

            index.snapshot();
            taken.stream().limit(way).forEach(index.memory()::giveBack);
            index.budget().expected().reserve();
            index.put(key(first), 1, 1, location);
            assertThat(index.memory().freeNodes()).isEqualTo(least - 1);
            index.budget().expected().reserve(); // what was copied is not copied again
        }
    }

    private void putAll(KeyIndex index, int keys) {
        for (int i = 0; i < keys; i++) {
            index.put(key(KeyShape.RANDOM_8.key(i)), i, i, location);
        }
    }
}

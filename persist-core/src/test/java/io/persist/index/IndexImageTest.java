package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.error.LogIOException;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.IndexCursor;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.Location;
import io.persist.support.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** An index is what its images say, whatever came between them, and reads no more of them than it needs. */
class IndexImageTest {

    private static final int MOST_STEPS = 13;
    private static final int KEYS = 6_000;
    private static final int ROUNDS = Seeds.isNightly() ? 2_000 : 60;

    /** Small changes, and after each of them the file has to have every node as it is. */
    @Test
    void shouldHaveEachNodeAsItIs() {
        Seeds.run(KeyShape.values().length, seed -> {
            snapshots.clear();
            Random random = new Random(seed);
            KeyShape shape = KeyShape.values()[random.nextInt(KeyShape.values().length)];
            TreeMap<byte[], Long> model = new TreeMap<>(Arrays::compareUnsigned);
            Images images = new Images();
            try (KeyIndex index = new KeyIndex()) {
                for (int round = 0; round < ROUNDS; round++) {
                    change(index, model, shape, random, 1 << random.nextInt(8), round % 100);
                    try (IndexImage image = index.image(IndexImage.Scope.CHANGED)) {
                        images.take(image);
                    }
                    images.assertHas(index.memory());
                }
            }
        });
    }

    private final List<IndexSnapshot> snapshots = new ArrayList<>();
    private final KeyBuffer key = new KeyBuffer();
    private final Location location = new Location();

    /** All nodes of {@code index}. */
    private static Images imagesOf(KeyIndex index) {
        Images images = new Images();
        try (IndexImage image = index.image(IndexImage.Scope.ALL)) {
            images.take(image);
        }
        return images;
    }

    private KeyBuffer key(byte[] bytes) {
        return key.set(bytes, 0, bytes.length);
    }

    /** Changes, images of either kind, some given up; the index goes on as what was restored from them. */
    @Test
    void shouldBeWhatItsImagesSay() {
        Seeds.run(KeyShape.values().length, seed -> {
            snapshots.clear();
            Random random = new Random(seed);
            KeyShape shape = KeyShape.values()[random.nextInt(KeyShape.values().length)];
            TreeMap<byte[], Long> model = new TreeMap<>(Arrays::compareUnsigned);
            Images images = new Images();
            KeyIndex index = new KeyIndex();
            boolean hasImage = false;
            for (int round = 0; round < 12; round++) {
                change(index, model, shape, random);
                IndexImage image = index.image(
                        hasImage && random.nextInt(8) > 0 ? IndexImage.Scope.CHANGED : IndexImage.Scope.ALL);
                TreeMap<byte[], Long> then = new TreeMap<>(model);
                change(index, model, shape, random); // while it is written
                if (random.nextInt(8) == 0) {
                    image.giveUp();
                    image.close();
                    continue;
                }
                images.take(image);
                image.close();
                hasImage = true;
                try (KeyIndex restored = new Images(images).restore()) {
                    assertContent(restored, then);
                    TreeChecker.check(restored);
                }
                if (random.nextInt(4) == 0) {
                    snapshots.clear();
                    index.close();
                    index = new Images(images).restore();
                    model = then;
                }
            }
            TreeChecker.check(index);
            assertContent(index, model);
        });
    }

    private void change(KeyIndex index, TreeMap<byte[], Long> model, KeyShape shape, Random random) {
        change(index, model, shape, random, 1 << random.nextInt(MOST_STEPS), random.nextInt(100));
    }

    /** Of 100 changes {@code puts} put a key. */
    private void change(
            KeyIndex index, TreeMap<byte[], Long> model, KeyShape shape, Random random, int steps, int puts) {
        for (int step = 1 << random.nextInt(MOST_STEPS);
                step > 0;
                step--) { // often few: each node alone has to be noticed
            byte[] bytes = shape.key(random.nextInt(KEYS));
            if (random.nextInt(100) < puts) {
                assertThat(index.put(key(bytes), step, step, location))
                        .isEqualTo(model.put(bytes, (long) step) != null);
            } else {
                assertThat(index.remove(key(bytes), location)).isEqualTo(model.remove(bytes) != null);
            }
            if (random.nextInt(1000) == 0) {
                snapshots.add(index.snapshot());
            }
            if (random.nextInt(100) == 0) {
                removeNeighbours(index, model, bytes, 1 << random.nextInt(10));
            }
        }
        while (!snapshots.isEmpty() && random.nextInt(3) > 0) {
            snapshots.remove(random.nextInt(snapshots.size())).close();
        }
    }

    /** So that whole leaves become empty. */
    private void removeNeighbours(KeyIndex index, TreeMap<byte[], Long> model, byte[] from, int count) {
        for (byte[] bytes : model.tailMap(from).keySet().stream().limit(count).toList()) {
            assertThat(index.remove(key(bytes), location)).isTrue();
            model.remove(bytes);
        }
    }

    /** Compares the bytes, since texts of them would take longer than all that is tested. */
    private static void assertContent(KeyIndex index, TreeMap<byte[], Long> model) {
        try (IndexSnapshot snapshot = index.snapshot()) {
            IndexCursor cursor = snapshot.cursor();
            for (Map.Entry<byte[], Long> entry : model.entrySet()) {
                if (!cursor.next() || !isAt(cursor, entry)) {
                    throw new AssertionError("no " + entry.getValue() + " at " + Arrays.toString(entry.getKey()));
                }
            }
            assertThat(cursor.next()).as("a key more").isFalse();
            assertThat(snapshot.size()).isEqualTo(model.size());
        }
    }

    private static boolean isAt(IndexCursor cursor, Map.Entry<byte[], Long> entry) {
        byte[] found = cursor.key().bytes();
        byte[] bytes = entry.getKey();
        long position = entry.getValue();
        return Arrays.equals(found, 0, cursor.key().length(), bytes, 0, bytes.length)
                && cursor.position() == position
                && cursor.length() == position;
    }

    /** A leaf that is full does not share with one that would have to be read for that. */
    @Test
    void shouldReadNothingInAPutWhoseKeyIsLoaded() {
        Images images = new Images();
        try (KeyIndex index = new KeyIndex()) {
            for (int i = 0; i < 20_000; i++) {
                index.put(key(KeyShape.RANDOM_8.key(i)), i, i, location);
            }
            try (IndexImage image = index.image(IndexImage.Scope.ALL)) {
                images.take(image);
            }
        }
        int step = Seeds.isNightly() ? 8 : 32;
        for (int first = 0; first < 256; first += step) { // of these keys there is a leaf or less
            try (KeyIndex restored = new Images(images).restore()) {
                for (int i = 20_000; i < 20_150; i++) {
                    byte[] bytes = KeyShape.RANDOM_8.key(i);
                    bytes[0] = (byte) first;
                    restored.load(key(bytes));
                    long before = restored.unloadedNodes();
                    restored.put(key, i, i, location);
                    assertThat(restored.unloadedNodes()).as("put %d", i).isEqualTo(before);
                }
                TreeChecker.check(restored);
            }
        }
    }

    /** Whichever node cannot be read: nothing is left out, and nothing comes twice. */
    @Test
    void shouldNotGoOnBehindANodeThatCannotBeRead() {
        Images images = new Images();
        TreeMap<byte[], Long> model = new TreeMap<>(Arrays::compareUnsigned);
        try (KeyIndex index = new KeyIndex()) {
            for (int i = 0; i < 4_000; i++) {
                byte[] bytes = KeyShape.ANY.key(i);
                model.put(bytes, (long) i);
                index.put(key(bytes), i, i, location);
            }
            try (IndexImage image = index.image(IndexImage.Scope.ALL)) {
                images.take(image);
            }
        }
        int failed = 0;
        for (int reads = 0; ; reads += 1 + failed / 20) {
            Images bad = new Images(images);
            boolean isForward = reads % 2 == 0;
            try (KeyIndex restored = bad.restore();
                    IndexSnapshot snapshot = restored.snapshot()) {
                IndexCursor cursor = snapshot.cursor();
                bad.readsToFailure = reads;
                if (!failsWithin(
                        cursor, isForward, List.copyOf((isForward ? model : model.descendingMap()).keySet()))) {
                    break;
                }
                failed++;
            }
        }
        assertThat(failed).isGreaterThan(40);
    }

    private static boolean failsWithin(IndexCursor cursor, boolean isForward, List<byte[]> keys) {
        try {
            if (isForward) {
                cursor.toStart();
            } else {
                cursor.toEnd();
            }
            for (byte[] expected : keys) {
                assertThat(isForward ? cursor.next() : cursor.previous()).isTrue();
                assertThat(Arrays.equals(
                                expected,
                                0,
                                expected.length,
                                cursor.key().bytes(),
                                0,
                                cursor.key().length()))
                        .isTrue();
            }
            return false;
        } catch (LogIOException e) {
            for (int i = 0; i < 3; i++) {
                assertThatIllegalStateException()
                        .isThrownBy(isForward ? cursor::next : cursor::previous)
                        .withMessageContaining("a node could not be read before");
            }
            cursor.toStart();
            assertThat(cursor.next()).isTrue();
            return true;
        }
    }

    /** With its last key a leaf goes, and what is put there again comes to a leaf beside it. */
    @Test
    void shouldReadNothingWhenALoadedLeafIsEmptiedAndFilled() {
        Images images = new Images();
        List<List<byte[]>> leaves;
        try (KeyIndex index = new KeyIndex()) {
            for (int i = 0; i < 60_000; i++) {
                index.put(key(KeyShape.RANDOM_8.key(i)), i, i, location);
            }
            leaves = leaves(index.cursor());
            try (IndexImage image = index.image(IndexImage.Scope.ALL)) {
                images.take(image);
            }
        }
        assertThat(leaves).hasSizeGreaterThan(200);
        for (List<byte[]> leaf : leaves) {
            try (KeyIndex restored = new Images(images).restore()) {
                leaf.forEach(one -> restored.loadToRemove(key(one)));
                long before = restored.unloadedNodes();
                leaf.forEach(one -> restored.remove(key(one), location));
                restored.put(key(leaf.get(0)), 1, 1, location);
                restored.put(key(leaf.get(leaf.size() - 1)), 1, 1, location);
                assertThat(restored.unloadedNodes())
                        .as("leaf number %d", leaves.indexOf(leaf))
                        .isEqualTo(before);
            }
        }
    }

    /** The keys of each leaf. */
    private static List<List<byte[]>> leaves(IndexCursor cursor) {
        List<List<byte[]>> leaves = new ArrayList<>();
        while (cursor.next()) {
            if (cursor.isFirstOfLeaf()) {
                leaves.add(new ArrayList<>());
            }
            leaves.get(leaves.size() - 1)
                    .add(Arrays.copyOf(cursor.key().bytes(), cursor.key().length()));
        }
        return leaves;
    }

    /** So a store can be opened, and a range be scanned, also while the first leaf is damaged. */
    @Test
    void shouldNotReadTheFirstLeafForACursorThatGoesElsewhere() {
        KeyIndex index = new KeyIndex();
        for (int i = 0; i < 4_000; i++) {
            index.put(key(KeyShape.ANY.key(i)), i, i, location);
        }
        Images images = imagesOf(index);
        try (KeyIndex restored = images.restore()) {
            IndexCursor cursor = restored.cursor();
            assertThat(images.reads).isZero();
            cursor.toEnd();
            assertThat(cursor.previous()).isTrue();
            assertThat(images.reads).isEqualTo(restored.tree().height());
            assertThat(restored.cursor().next()).isTrue();
            assertThat(images.reads).isGreaterThan(restored.tree().height());
            assertThat(restored.cursor().previous()).isFalse();
        }
    }

    @Test
    void shouldReadWhatItNeedsAndOnce() {
        KeyIndex index = new KeyIndex();
        for (int i = 0; i < 100_000; i++) {
            index.put(key(KeyShape.RANDOM_8.key(i)), i, i, location);
        }
        Images images = imagesOf(index);
        KeyIndex restored = images.restore();
        assertThat(images.reads).isZero();
        long nodes = restored.unloadedNodes();
        assertThat(nodes).isEqualTo(images.nodes.size());
        assertThat(restored.get(key(KeyShape.RANDOM_8.key(7)), location)).isTrue();
        assertThat(location.position()).isEqualTo(7);
        assertThat(images.reads).isEqualTo(restored.tree().height());
        assertThat(restored.get(key(KeyShape.RANDOM_8.key(7)), location)).isTrue();
        assertThat(images.reads).isEqualTo(restored.tree().height());
        assertThat(restored.unloadedNodes()).isEqualTo(nodes - images.reads);

        // A snapshot's reader reads for itself, and finds what was read meanwhile.
        try (IndexSnapshot snapshot = restored.snapshot()) {
            int before = images.reads;
            assertThat(snapshot.get(key(KeyShape.RANDOM_8.key(7)), location)).isTrue();
            assertThat(images.reads).isEqualTo(before);
            for (int i = 0; i < 100_000; i++) {
                assertThat(restored.put(key(KeyShape.RANDOM_8.key(i)), i + 1, i, location))
                        .isTrue();
            }
            assertThat(restored.unloadedNodes()).isZero();
            for (int i = 0; i < 100_000; i += 99) {
                assertThat(snapshot.get(key(KeyShape.RANDOM_8.key(i)), location))
                        .isTrue();
                assertThat(location.position()).isEqualTo(i);
            }
        }
        TreeChecker.check(restored);
    }

    /** Reading a node may need a chunk more than the table of chunks has room for. Of long keys that takes fewer. */
    @Test
    void shouldReadMoreThanItBeganWithRoomFor() {
        KeyIndex index = new KeyIndex();
        int keys = 0;
        while (index.treeBytes() < 17 << 20) {
            index.put(longKey(keys), keys++, 1, location);
        }
        Images images = imagesOf(index);
        KeyIndex restored = images.restore();
        for (int i = 0; i < keys; i++) {
            if (!restored.get(longKey(i), location) || location.position() != i) {
                throw new AssertionError("key " + i + " is at " + location.position());
            }
        }
        assertThat(restored.unloadedNodes()).isZero();
    }

    private KeyBuffer longKey(int number) {
        return key(Arrays.copyOf(KeyShape.RANDOM_8.key(number), 200));
    }

    @Test
    void shouldHaveOnlyWhatChangedSinceTheImageBefore() {
        KeyIndex index = new KeyIndex();
        for (int i = 0; i < 100_000; i++) {
            index.put(key(KeyShape.RANDOM_8.key(i)), i, i, location);
        }
        try (IndexImage all = index.image(IndexImage.Scope.ALL)) {
            assertThat(all.count()).isGreaterThan(800).isEqualTo(all.nodes().size());
            all.confirm();
        }
        assertThat(index.changedNodes()).isZero();
        index.put(key(KeyShape.RANDOM_8.key(7)), 1, 1, location);
        index.put(key(KeyShape.RANDOM_8.key(8)), 1, 1, location);
        index.put(key(KeyShape.RANDOM_8.key(8)), 2, 1, location);
        assertThat(index.changedNodes()).isEqualTo(2);
        IndexImage changed = index.image(IndexImage.Scope.CHANGED);
        assertThat(changed.count()).isEqualTo(2);
        index.put(key(KeyShape.RANDOM_8.key(8)), 3, 1, location); // copies the path
        changed.giveUp();
        changed.close();
        assertThat(index.changedNodes()).isEqualTo(1 + index.tree().height());
    }

    /** An error may keep whoever has failed to write an image from saying so. */
    @Test
    void shouldHaveWhatAnImageHasLeftThatNobodyConfirmed() {
        KeyIndex index = new KeyIndex();
        TreeMap<byte[], Long> model = new TreeMap<>(Arrays::compareUnsigned);
        for (int i = 0; i < 20_000; i++) {
            index.put(key(KeyShape.RANDOM_8.key(i)), i, i, location);
            model.put(KeyShape.RANDOM_8.key(i), (long) i);
        }
        Images images = imagesOf(index);
        for (int i = 0; i < 100; i++) {
            index.put(key(KeyShape.RANDOM_8.key(i)), i + 1, i + 1, location);
            model.put(KeyShape.RANDOM_8.key(i), i + 1L);
            index.image(i % 2 == 0 ? IndexImage.Scope.CHANGED : IndexImage.Scope.ALL)
                    .close();
        }
        try (IndexImage image = index.image(IndexImage.Scope.CHANGED)) {
            images.take(image);
        }
        images.assertHas(index.memory());
        try (KeyIndex restored = new Images(images).restore()) {
            assertContent(restored, model);
        }
        assertThat(index.changedNodes()).isZero();
        try (IndexImage image = index.image(IndexImage.Scope.CHANGED)) {
            assertThat(image.count()).isZero();
        }
    }

    /** What a source has not stays in memory, also if the image that should have had it was lost. */
    @Test
    void shouldKeepInMemoryWhatNoConfirmedImageHas() {
        KeyIndex index = new KeyIndex();
        for (int i = 0; i < 20_000; i++) {
            index.put(key(KeyShape.RANDOM_8.key(i)), i, i, location);
        }
        Images images = imagesOf(index);
        index.put(key(KeyShape.RANDOM_8.key(7)), 1, 1, location);
        index.image(IndexImage.Scope.CHANGED).close();
        assertThat(index.changedNodes()).isZero();
        index.source(new Images(images));
        assertThat(index.budget().dirtyNodes()).isOne();
    }
}

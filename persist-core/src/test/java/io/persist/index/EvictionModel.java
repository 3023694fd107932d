package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.IndexFullException;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.IndexCursor;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.Location;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/** An index with little memory, what must be in it, and snapshots that are read step by step. */
abstract class EvictionModel {

    /** A snapshot, what is in it, and a cursor that stays where it is between two steps. */
    static final class Reader {

        final IndexSnapshot snapshot;
        private final NavigableMap<byte[], Long> model;
        private final IndexCursor cursor;
        private byte[] at = {};

        Reader(IndexSnapshot snapshot, NavigableMap<byte[], Long> model) {
            this.snapshot = snapshot;
            this.model = model;
            this.cursor = snapshot.cursor();
        }

        void readOn(int keys) {
            for (int i = 0; i < keys; i++) {
                Map.Entry<byte[], Long> expected = model.higherEntry(at);
                assertThat(cursor.next()).isEqualTo(expected != null);
                if (expected == null) {
                    at = new byte[0];
                    cursor.toStart();
                } else {
                    at = expected.getKey();
                    assertAt(cursor, expected);
                }
            }
        }
    }

    /** Some leaves of long keys, or one of short ones. */
    private static final int MOST_NEIGHBOURS = 60;

    final KeyBuffer key = new KeyBuffer();
    final Location location = new Location();
    final TreeMap<byte[], Long> model = new TreeMap<>(Arrays::compareUnsigned);
    final List<Reader> readers = new ArrayList<>();
    Random random = new Random();
    KeyShape shape = KeyShape.RANDOM_8;
    Images images = new Images();
    KeyIndex index = new KeyIndex();
    int keys;
    long evicted;
    long refused;
    long given;

    /** Puts new keys until there is more than there is memory. */
    void useAll() {
        for (int i = 0; i < 200; i++) {
            change(500);
            index.source(image()).close();
        }
    }

    Images image() {
        Images next = new Images(images);
        try (IndexImage image = index.image(images.state == null ? IndexImage.Scope.ALL : IndexImage.Scope.CHANGED)) {
            next.take(image);
        }
        images = next;
        return new Images(next);
    }

    void begin(long memory) {
        model.clear();
        readers.clear();
        images = new Images();
        index = new KeyIndex(memory);
    }

    void end() {
        readers.forEach(reader -> reader.snapshot.close());
        readers.clear();
        takeImage();
        TreeChecker.check(index);
        assertContent();
        evicted += index.budget().use().evicted();
        index.close();
    }

    void step(long memory) {
        switch (random.nextInt(13)) {
            case 0, 1 -> change(random.nextInt(300));
            case 2 -> transaction(1 + random.nextInt(10));
            case 3, 4, 5 -> gets(random.nextInt(300));
            case 6 -> scan(random.nextInt(1_000));
            case 7 -> neighbours(random.nextInt(100));
            case 8 -> takeImage();
            case 9 -> openOrClose();
            case 10 -> readers.forEach(reader -> reader.readOn(random.nextInt(500)));
            case 11 -> {
                index.showChanges();
                given += index.giveChunkBack() ? 1 : 0;
            }
            default -> {
                if (random.nextInt(8) == 0) {
                    reopen(memory);
                }
            }
        }
    }

    KeyBuffer key(byte[] bytes) {
        return key.set(bytes, 0, bytes.length);
    }

    byte[] anyKey() {
        return shape.key(random.nextInt(keys));
    }

    void change(int changes) {
        for (int i = 0; i < changes; i++) {
            byte[] bytes = anyKey();
            try {
                changeOne(bytes, i + 1, random.nextInt(4) > 0);
            } catch (IndexFullException e) {
                freeMemory();
            }
        }
    }

    void changeOne(byte[] bytes, long position, boolean isPut) {
        Long before = model.get(bytes);
        boolean wasThere = isPut ? index.put(key(bytes), position, 7, location) : index.remove(key(bytes), location);
        if (wasThere ? before == null || location.position() != before : before != null) {
            throw new AssertionError("found=" + wasThere + " at " + location.position() + " in place of " + before);
        }
        if (isPut) {
            model.put(bytes, position);
        } else {
            model.remove(bytes);
        }
    }

    /**
     * As a store does it: once all is loaded and reserved, nothing is read, and nothing fails. Sometimes it removes some
     * neighbours, which may be all of a leaf, and puts one of them again.
     */
    void transaction(int puts) {
        List<byte[]> removed = random.nextBoolean() ? List.of() : neighbouringKeys(random.nextInt(MOST_NEIGHBOURS));
        List<byte[]> bytes = new ArrayList<>();
        for (int i = 0; i < puts; i++) {
            bytes.add(removed.isEmpty() || i > 0 ? anyKey() : removed.get(random.nextInt(removed.size())));
        }
        try {
            removed.forEach(one -> index.loadToRemove(key(one)));
            bytes.forEach(one -> index.load(key(one)));
            index.budget().reserve(removed.size() + puts);
        } catch (IndexFullException e) {
            index.unpin();
            freeMemory();
            return;
        }
        long read = index.budget().use().read();
        removed.forEach(one -> changeOne(one, 0, false));
        for (byte[] one : bytes) {
            changeOne(one, puts, true);
        }
        assertThat(index.budget().use().read())
                .as("reads of a transaction that is loaded")
                .isEqualTo(read);
        index.unpin();
    }

    private List<byte[]> neighbouringKeys(int count) {
        return model.tailMap(anyKey()).keySet().stream().limit(count).toList();
    }

    /** What a store does then. */
    void freeMemory() {
        refused++;
        takeImage();
        if (!readers.isEmpty() && random.nextInt(3) == 0) {
            readers.remove(random.nextInt(readers.size())).snapshot.close();
        }
    }

    void gets(int gets) {
        for (int i = 0; i < gets; i++) {
            byte[] bytes = anyKey();
            Long expected = model.get(bytes);
            assertThat(index.get(key(bytes), location)).isEqualTo(expected != null);
            if (expected != null) {
                assertThat(location.position()).isEqualTo(expected);
            }
        }
    }

    void scan(int most) {
        byte[] from = anyKey();
        IndexCursor cursor = index.cursor();
        cursor.to(key(from));
        int left = most;
        for (Map.Entry<byte[], Long> entry : model.tailMap(from).entrySet()) {
            if (left-- == 0) {
                return;
            }
            assertThat(cursor.next()).isTrue();
            assertAt(cursor, entry);
        }
        assertThat(cursor.next()).isFalse();
        for (Map.Entry<byte[], Long> entry : model.descendingMap().entrySet()) {
            if (left-- == 0) {
                return;
            }
            assertThat(cursor.previous())
                    .as("behind the end the leaf is still there")
                    .isTrue();
            assertAt(cursor, entry);
        }
        assertThat(cursor.previous()).isFalse();
        assertThat(cursor.next()).isEqualTo(!model.isEmpty());
    }

    void neighbours(int count) {
        IndexCursor cursor = index.cursor();
        for (int i = 0; i < count; i++) {
            byte[] from = anyKey();
            cursor.to(key(from));
            Map.Entry<byte[], Long> expected = model.lowerEntry(from);
            assertThat(cursor.previous()).isEqualTo(expected != null);
            if (expected != null) {
                assertAt(cursor, expected);
            }
        }
    }

    /**
     * Writes an image while changes go on, and has the index read from it, or not. The image may be given up after
     * that: something else has failed.
     */
    void takeImage() {
        boolean isFirst = images.state == null;
        IndexImage image =
                index.image(isFirst || random.nextInt(6) == 0 ? IndexImage.Scope.ALL : IndexImage.Scope.CHANGED);
        if (random.nextInt(8) == 0) {
            image.giveUp();
            image.close();
            return;
        }
        for (int i = random.nextInt(30); i > 0; i--) {
            try {
                changeOne(anyKey(), i, true);
            } catch (IndexFullException e) {
                refused++;
            }
        }
        Images next = new Images(images);
        next.take(image);
        image.close();
        images = next;
        if (random.nextInt(8) > 0) {
            index.source(new Images(images)).close();
            if (random.nextInt(8) == 0) {
                image.giveUp();
            }
        }
    }

    void openOrClose() {
        if (readers.size() < 3 && random.nextInt(3) > 0) {
            TreeMap<byte[], Long> copy = new TreeMap<>(model);
            readers.add(new Reader(index.snapshot(), copy));
        } else if (!readers.isEmpty()) {
            readers.remove(random.nextInt(readers.size())).snapshot.close();
        }
    }

    void reopen(long memory) {
        readers.forEach(reader -> reader.snapshot.close());
        readers.clear();
        Images all = new Images(images);
        try (IndexImage image = index.image(images.state == null ? IndexImage.Scope.ALL : IndexImage.Scope.CHANGED)) {
            all.take(image);
        }
        evicted += index.budget().use().evicted();
        index.close();
        images = all;
        index = new Images(all).restore(memory);
    }

    void assertContent() {
        try (IndexSnapshot snapshot = index.snapshot()) {
            new Reader(snapshot, model).readOn(model.size() + 1);
            assertThat(snapshot.size()).isEqualTo(model.size());
        }
    }

    static void assertAt(IndexCursor cursor, Map.Entry<byte[], Long> entry) {
        KeyBuffer found = cursor.key();
        byte[] expected = entry.getKey();
        if (!Arrays.equals(found.bytes(), 0, found.length(), expected, 0, expected.length)
                || cursor.position() != entry.getValue()) {
            assertThat(Arrays.copyOf(found.bytes(), found.length())).isEqualTo(expected);
            assertThat(cursor.position()).isEqualTo(entry.getValue());
        }
    }
}

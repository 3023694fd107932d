package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.index.node.KeyBuffer;
import io.persist.index.read.IndexCursor;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.Location;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** An index and what must be in it, and snapshots and what must be in them. */
final class IndexModel implements AutoCloseable {

    /** A value is a position; its length is derived from it. */
    static final int LENGTH_MASK = 0xFFFF;

    private record Frozen(IndexSnapshot snapshot, TreeMap<byte[], Long> model) {}

    final KeyIndex index = new KeyIndex();
    final TreeMap<byte[], Long> model = new TreeMap<>(Arrays::compareUnsigned);
    private final List<Frozen> frozen = new ArrayList<>();
    private final KeyBuffer key = new KeyBuffer();
    private final Location location = new Location();
    private long nextPosition;

    void put(byte[] bytes) {
        long position = ++nextPosition << 20;
        boolean replaced = index.put(key(bytes), position, length(position), location);
        assertReturned(replaced, model.put(bytes, position));
    }

    void remove(byte[] bytes) {
        assertReturned(index.remove(key(bytes), location), model.remove(bytes));
    }

    void get(byte[] bytes) {
        assertReturned(index.get(key(bytes), location), model.get(bytes));
    }

    private void assertReturned(boolean found, Long expected) {
        boolean isRight = found
                ? expected != null
                        && location.position() == expected
                        && location.length() == length(location.position())
                : expected == null;
        if (!isRight) {
            throw new AssertionError("found=" + found + " in place of " + expected + ": " + location.position() + ", "
                    + location.length());
        }
        assertThat(index.size()).isEqualTo(model.size());
    }

    private KeyBuffer key(byte[] bytes) {
        return key.set(bytes, 0, bytes.length);
    }

    static int length(long position) {
        return (int) (position >>> 20) & LENGTH_MASK;
    }

    void open() {
        IndexSnapshot snapshot = index.snapshot();
        TreeMap<byte[], Long> copy = new TreeMap<>(model);
        frozen.add(new Frozen(snapshot, copy));
        assertThat(index.openSnapshots()).isEqualTo(frozen.size());
        assertThat(index.oldestSnapshot()).isEqualTo(frozen.get(0).snapshot.version());
        assertThat(index.version()).isEqualTo(snapshot.version() + 1);
    }

    int openSnapshots() {
        return frozen.size();
    }

    void checkAndClose(Random random, int which) {
        Frozen closing = frozen.remove(which);
        check(closing.snapshot, closing.model, random);
        closing.snapshot.close();
        assertThat(index.openSnapshots()).isEqualTo(frozen.size());
        assertThat(index.oldestSnapshot())
                .isEqualTo(
                        frozen.isEmpty()
                                ? Long.MAX_VALUE
                                : frozen.get(0).snapshot.version());
    }

    void checkAll(Random random) {
        TreeChecker.check(index);
        try (IndexSnapshot now = index.snapshot()) {
            check(now, model, random);
        }
        for (Frozen one : frozen) {
            check(one.snapshot, one.model, random);
        }
    }

    private static void check(IndexSnapshot snapshot, TreeMap<byte[], Long> model, Random random) {
        assertThat(snapshot.size()).isEqualTo(model.size());
        IndexCursor cursor = snapshot.cursor();
        for (Map.Entry<byte[], Long> entry : model.entrySet()) {
            assertThat(cursor.next()).isTrue();
            assertAt(cursor, entry);
        }
        assertThat(cursor.next()).isFalse();
        assertThat(cursor.next()).isFalse();
        for (Map.Entry<byte[], Long> entry : model.descendingMap().entrySet()) {
            assertThat(cursor.previous()).isTrue();
            assertAt(cursor, entry);
        }
        assertThat(cursor.previous()).isFalse();
        cursor.toEnd();
        assertThat(cursor.next()).isFalse();
        assertThat(cursor.previous()).isEqualTo(!model.isEmpty());
        KeyBuffer key = new KeyBuffer();
        Location location = new Location();
        for (int i = 0; i < 20 && !model.isEmpty(); i++) {
            byte[] from = near(model, random);
            cursor.to(key.set(from, 0, from.length));
            assertGap(cursor, model.ceilingEntry(from), model.lowerEntry(from), random);
            assertThat(snapshot.get(key, location)).isEqualTo(model.containsKey(from));
        }
    }

    private static void assertGap(
            IndexCursor cursor, Map.Entry<byte[], Long> after, Map.Entry<byte[], Long> before, Random random) {
        if (random.nextBoolean()) {
            assertThat(cursor.next()).isEqualTo(after != null);
            if (after != null) {
                assertAt(cursor, after);
                assertThat(cursor.previous()).isTrue();
                assertAt(cursor, after);
            }
        }
        assertThat(cursor.previous()).isEqualTo(before != null);
        if (before != null) {
            assertAt(cursor, before);
        }
    }

    /** One of the keys, or a key a little less or greater or shorter than one. */
    private static byte[] near(TreeMap<byte[], Long> model, Random random) {
        byte[] probe = new byte[1 + random.nextInt(8)];
        random.nextBytes(probe);
        byte[] found = model.ceilingKey(probe);
        byte[] key = (found == null ? model.lastKey() : found).clone();
        switch (random.nextInt(4)) {
            case 0 -> key[random.nextInt(key.length)]++;
            case 1 -> key = Arrays.copyOf(key, 1 + random.nextInt(key.length));
            case 2 -> key = Arrays.copyOf(key, Math.min(key.length + 1, KeyBuffer.MAX_LENGTH));
            default -> {}
        }
        return key;
    }

    private static void assertAt(IndexCursor cursor, Map.Entry<byte[], Long> entry) {
        KeyBuffer found = cursor.key();
        byte[] expected = entry.getKey();
        long position = entry.getValue();
        if (!Arrays.equals(found.bytes(), 0, found.length(), expected, 0, expected.length)
                || cursor.position() != position
                || cursor.length() != length(position)) {
            assertThat(Arrays.copyOf(found.bytes(), found.length())).isEqualTo(expected);
            assertThat(cursor.position()).isEqualTo(position);
            assertThat(cursor.length()).isEqualTo(length(position));
        }
    }

    @Override
    public void close() {
        index.close();
    }
}

package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.index.node.KeyBuffer;
import io.persist.index.read.IndexCursor;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.KeyCursor;
import io.persist.index.read.Location;
import io.persist.support.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.NavigableMap;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A cursor counts the keys up to another one, in one leaf or in many, as far as their values lie where they should. */
class CountBelowTest {

    private static final int KEYS = 3_000;
    private static final int CHANGES = 6_000;
    private static final int COUNTS = 300;

    private final KeyBuffer key = new KeyBuffer();

    /** Some begin others, and some fill a leaf by three. */
    private static byte[] bytes(Random random) {
        String bytes = "key-" + random.nextInt(KEYS);
        return (random.nextInt(40) == 0 ? bytes + "-".repeat(900) : bytes).getBytes(StandardCharsets.US_ASCII);
    }

    private KeyBuffer key(byte[] bytes) {
        return key.set(bytes, 0, bytes.length);
    }

    private void check(KeyCursor cursor, NavigableMap<byte[], Long> model, Random random, long last) {
        byte[] from = bytes(random);
        byte[] end = random.nextInt(4) == 0 ? null : bytes(random);
        long bound = random.nextBoolean() ? Long.MAX_VALUE : (1 + random.nextLong(last)) << 20;
        NavigableMap<byte[], Long> part = model.tailMap(from, true);
        if (end != null) {
            part = model.comparator().compare(from, end) > 0
                    ? model.headMap(new byte[0], false)
                    : part.headMap(end, false);
        }
        boolean isExpected = part.values().stream().allMatch(position -> position < bound);
        cursor.to(key(from));
        assertThat(cursor.countBelow(endKey(end), position -> position < bound))
                .isEqualTo(isExpected ? part.size() : KeyCursor.UNEXPECTED);
    }

    private @Nullable KeyBuffer endKey(byte @Nullable [] end) {
        return end == null ? null : key(end);
    }

    @Test
    void shouldCountAsASortedMapDoes() {
        Seeds.run(4, seed -> {
            Random random = new Random(seed);
            try (IndexModel model = new IndexModel()) {
                int changes = random.nextInt(3) == 0 ? random.nextInt(5) : CHANGES;
                for (int i = 0; i < changes; i++) {
                    byte[] bytes = bytes(random);
                    if (random.nextInt(3) == 0) {
                        model.remove(bytes);
                    } else {
                        model.put(bytes);
                    }
                }
                try (IndexSnapshot snapshot = model.index.snapshot()) {
                    IndexCursor now = model.index.cursor();
                    IndexCursor then = snapshot.cursor();
                    for (int i = 0; i < COUNTS; i++) {
                        check(now, model.model, random, CHANGES);
                        check(then, model.model, random, CHANGES);
                        check(keyByKey(then), model.model, random, CHANGES);
                    }
                }
            }
        });
    }

    /** The same cursor, which counts as one does that knows of no leaves. */
    private static KeyCursor keyByKey(IndexCursor cursor) {
        return new KeyCursor() {
            @Override
            public void toStart() {
                cursor.toStart();
            }

            @Override
            public void toEnd() {
                cursor.toEnd();
            }

            @Override
            public void to(KeyBuffer from) {
                cursor.to(from);
            }

            @Override
            public boolean next() {
                return cursor.next();
            }

            @Override
            public boolean previous() {
                return cursor.previous();
            }

            @Override
            public KeyBuffer key() {
                return cursor.key();
            }

            @Override
            public long position() {
                return cursor.position();
            }

            @Override
            public int length() {
                return cursor.length();
            }
        };
    }

    /** What was gone over before does not count. */
    @Test
    void shouldCountFromWhereItStands() {
        try (KeyIndex index = new KeyIndex()) {
            Location replaced = new Location();
            for (int i = 0; i < KEYS; i++) {
                byte[] bytes = ("key-" + (10_000 + i)).getBytes(StandardCharsets.US_ASCII);
                index.put(key(bytes), i, 1, replaced);
            }
            IndexCursor cursor = index.cursor();
            for (int i = 0; i < 1_000; i++) {
                assertThat(cursor.next()).isTrue();
            }
            assertThat(cursor.countBelow(null, position -> position >= 1_000)).isEqualTo(KEYS - 1_000);
            assertThat(cursor.countBelow(null, position -> false)).isZero();
        }
    }
}

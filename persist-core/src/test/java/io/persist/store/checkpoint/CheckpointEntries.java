package io.persist.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.Storage;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.index.IndexImage;
import io.persist.index.KeyIndex;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.IndexCursor;
import io.persist.index.read.IndexSnapshot;
import io.persist.index.read.Location;
import io.persist.log.thread.Pace;
import io.persist.store.state.SegmentBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/** What is written to checkpoints and read from them. */
final class CheckpointEntries {

    static final long LOG_ID = 0x1122334455667788L;
    static final long SALT = 0x0123456789ABCDEFL;
    static final long CREATED_AT_MS = 1_767_225_600_000L;

    /** A key, a character for each byte, and the place of its value. */
    record Entry(String key, long position, int length) {

        Entry(byte[] key, long position, int length) {
            this(new String(key, StandardCharsets.ISO_8859_1), position, length);
        }

        byte[] keyBytes() {
            return key.getBytes(StandardCharsets.ISO_8859_1);
        }

        @Override
        public String toString() {
            return HexFormat.of().formatHex(keyBytes()) + " at " + position + ", length " + length;
        }
    }

    static final SegmentBytes NO_SEGMENTS = new SegmentBytes(new long[0], new long[0]);

    private CheckpointEntries() {}

    static CheckpointHeader header(long position) {
        return new CheckpointHeader(LOG_ID, position, position / 10, SALT, CREATED_AT_MS, CheckpointHeader.NONE, 0);
    }

    static Entry entry(String key, long position, int length) {
        return new Entry(key.getBytes(StandardCharsets.UTF_8), position, length);
    }

    /** Up to {@code count} entries in ascending order; the keys have 1 to {@code longest} bytes, many begin alike. */
    static List<Entry> random(Random random, int count, int longest) {
        TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
        byte[] last = new byte[0];
        for (int i = 0; i < count; i++) {
            byte[] key = new byte[1 + random.nextInt(longest)];
            random.nextBytes(key);
            if (random.nextInt(4) > 0) {
                System.arraycopy(last, 0, key, 0, random.nextInt(Math.min(key.length, last.length) + 1));
            }
            keys.add(key);
            last = key;
        }
        return keys.stream()
                .map(key -> new Entry(
                        key,
                        random.nextLong() & Long.MAX_VALUE,
                        random.nextInt(4) == 0 ? 0 : random.nextInt() & Integer.MAX_VALUE))
                .toList();
    }

    /** Writes a whole checkpoint at {@code position}; returns its length. */
    static long write(Storage storage, long position, List<Entry> entries) throws IOException {
        return write(storage, position, entries, bytes -> {});
    }

    static long write(Storage storage, long position, List<Entry> entries, Pace pace) throws IOException {
        try (CheckpointWriter writer = CheckpointWriter.create(storage, header(position), pace)) {
            return finish(writer, entries);
        }
    }

    /** Writes all entries, and makes them a checkpoint; returns its length. */
    static long finish(CheckpointWriter writer, List<Entry> entries) throws IOException {
        try (KeyIndex index = index(entries);
                IndexImage image = index.image(IndexImage.Scope.ALL)) {
            writer.add(image);
            return writer.finish(image, NO_SEGMENTS);
        }
    }

    /** An index of these entries. */
    static KeyIndex index(List<Entry> entries) {
        KeyIndex index = new KeyIndex();
        KeyBuffer key = new KeyBuffer();
        for (Entry entry : entries) {
            byte[] bytes = entry.keyBytes();
            index.put(key.set(bytes, 0, bytes.length), entry.position(), entry.length(), new Location());
        }
        return index;
    }

    /** All entries of the checkpoint at {@code position}, of which each node is verified. */
    static List<Entry> read(Storage storage, long position) throws IOException {
        try (CheckpointChain chain = CheckpointChain.open(storage, position, damaged -> {})) {
            chain.verify();
            return entries(chain.index(Long.MAX_VALUE));
        }
    }

    private static List<Entry> entries(KeyIndex index) {
        List<Entry> entries = new ArrayList<>();
        try (index;
                IndexSnapshot snapshot = index.snapshot()) {
            IndexCursor cursor = snapshot.cursor();
            while (cursor.next()) {
                byte[] key = Arrays.copyOf(cursor.key().bytes(), cursor.key().length());
                entries.add(new Entry(key, cursor.position(), cursor.length()));
            }
            assertThat(snapshot.size()).isEqualTo(entries.size());
        }
        return entries;
    }
}

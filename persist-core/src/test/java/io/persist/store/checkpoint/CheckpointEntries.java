package io.persist.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.Storage;
import io.persist.format.CheckpointHeader;
import io.persist.log.thread.Pace;
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

    /** A key, in hexadecimal, and the place of its value. */
    record Entry(String key, long position, int length) {

        byte[] keyBytes() {
            return HexFormat.of().parseHex(key);
        }
    }

    private CheckpointEntries() {}

    static CheckpointHeader header(long position) {
        return new CheckpointHeader(LOG_ID, position, position / 10, SALT, CREATED_AT_MS);
    }

    static Entry entry(String key, long position, int length) {
        return new Entry(HexFormat.of().formatHex(key.getBytes(StandardCharsets.UTF_8)), position, length);
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
                        HexFormat.of().formatHex(key),
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
            addAll(writer, entries);
            return writer.finish();
        }
    }

    static void addAll(CheckpointWriter writer, List<Entry> entries) throws IOException {
        for (Entry entry : entries) {
            byte[] key = entry.keyBytes();
            writer.add(key, key.length, entry.position(), entry.length());
        }
    }

    /** All entries of the checkpoint at {@code position}. */
    static List<Entry> read(Storage storage, long position) throws IOException {
        List<Entry> entries = new ArrayList<>();
        readInto(entries, storage, position);
        return entries;
    }

    /** The same; what was read before an exception is in {@code entries} too. */
    static void readInto(List<Entry> entries, Storage storage, long position) throws IOException {
        try (CheckpointReader reader = CheckpointReader.open(storage, position)) {
            while (reader.next()) {
                String key = HexFormat.of().formatHex(reader.key(), 0, reader.keyLength());
                entries.add(new Entry(key, reader.position(), reader.length()));
            }
            assertThat(reader.next()).isFalse();
            assertThat(reader.entries()).isEqualTo(entries.size());
        }
    }
}

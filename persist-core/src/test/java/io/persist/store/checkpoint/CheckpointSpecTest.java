package io.persist.store.checkpoint;

import static io.persist.store.checkpoint.CheckpointEntries.entry;
import static io.persist.store.checkpoint.CheckpointEntries.read;
import static io.persist.store.checkpoint.CheckpointEntries.write;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.CheckpointHeader;
import io.persist.format.CheckpointName;
import io.persist.store.checkpoint.CheckpointEntries.Entry;
import io.persist.support.Docs;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/**
 * Checkpoints are as docs/file-format.md shows them, and those of earlier versions stay readable:
 * {@code golden/checkpoint-v1} is one as version 1 of the format has it, and {@code golden/checkpoint-v1.txt} what is in
 * it. Golden files are never edited, only added.
 */
class CheckpointSpecTest {

    private static final long POSITION = 4160;
    private static final String NAME = CheckpointName.of(POSITION);

    private final CrashableStorage storage = new CrashableStorage();

    @Test
    void shouldShowTheBytesThatTheCodeWrites() throws IOException {
        CheckpointHeader header = new CheckpointHeader(
                CheckpointEntries.LOG_ID, POSITION, 3, CheckpointEntries.SALT, CheckpointEntries.CREATED_AT_MS);
        try (CheckpointWriter writer = CheckpointWriter.create(storage, header, bytes -> {})) {
            CheckpointEntries.addAll(writer, List.of(entry("task/1", 88, 5), entry("task/10", 120, 0)));
            writer.finish();
        }
        assertThat(Docs.block("docs/file-format.md", "checkpoint-example")).isEqualTo(hex(storage.content(NAME)));
    }

    private static List<String> hex(byte[] bytes) {
        HexFormat spaced = HexFormat.ofDelimiter(" ");
        List<String> lines = new ArrayList<>();
        for (int from = 0; from < bytes.length; from += 16) {
            int to = Math.min(bytes.length, from + 16);
            lines.add(String.format(Locale.ROOT, "%04x  ", from) + spaced.formatHex(bytes, from, to));
        }
        return lines;
    }

    @Test
    void shouldReadACheckpointOfVersion1() throws IOException {
        storage.replace(NAME, resource("/golden/checkpoint-v1/" + NAME));
        assertThat(dump()).isEqualTo(expected());
    }

    /** Who changes what is written sees here that it is not what version 1 was. */
    @Test
    void shouldWriteACheckpointOfVersion1AsItWas() throws IOException {
        byte[] golden = resource("/golden/checkpoint-v1/" + NAME);
        storage.replace(NAME, golden);
        List<Entry> entries = read(storage, POSITION);
        write(storage, POSITION, entries);
        assertThat(Arrays.equals(storage.content(NAME), golden)).isTrue();
    }

    private List<String> dump() throws IOException {
        List<String> lines = new ArrayList<>();
        try (CheckpointReader reader = CheckpointReader.open(storage, POSITION)) {
            CheckpointHeader header = reader.header();
            lines.add(String.format(
                    Locale.ROOT,
                    "logId=%016x position=%d sequence=%d salt=%016x createdAtMs=%d",
                    header.logId(),
                    header.position(),
                    header.sequence(),
                    header.salt(),
                    header.createdAtMs()));
        }
        for (Entry entry : read(storage, POSITION)) {
            byte[] key = entry.keyBytes();
            CRC32C crc = new CRC32C();
            crc.update(key);
            lines.add(String.format(
                    Locale.ROOT,
                    "keyLength=%d crc32c=%08x position=%d length=%d key=%s",
                    key.length,
                    crc.getValue(),
                    entry.position(),
                    entry.length(),
                    HexFormat.of().formatHex(key, 0, Math.min(key.length, 20))));
        }
        return lines;
    }

    private static List<String> expected() throws IOException {
        return new String(resource("/golden/checkpoint-v1.txt"), ISO_8859_1)
                .lines()
                .toList();
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = CheckpointSpecTest.class.getResourceAsStream(name)) {
            assertThat(in).as(name).isNotNull();
            return in.readAllBytes();
        }
    }
}

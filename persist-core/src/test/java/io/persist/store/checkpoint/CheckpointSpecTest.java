package io.persist.store.checkpoint;

import static io.persist.store.checkpoint.CheckpointEntries.entry;
import static io.persist.store.checkpoint.CheckpointEntries.read;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.UnsupportedFormatException;
import io.persist.format.PersistVersion;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.index.IndexImage;
import io.persist.index.IndexImage.Scope;
import io.persist.index.KeyIndex;
import io.persist.store.checkpoint.CheckpointEntries.Entry;
import io.persist.store.state.SegmentBytes;
import io.persist.support.Docs;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Checkpoints are as docs/file-format.md shows them, and those of earlier versions stay readable: {@code
 * golden/checkpoint-v2} has one with all nodes and one that builds on it, as version 2 of the format has them, and
 * {@code golden/checkpoint-v2.txt} says what is in them. {@code golden/checkpoint-v1} is one of the version before, which no
 * release wrote and which is refused. Golden files are never edited, only added.
 */
class CheckpointSpecTest {

    private static final long WHOLE = 2080;
    private static final long CHANGED = 4160;
    private static final SegmentBytes LIVE = new SegmentBytes(new long[] {0, 4096}, new long[] {1000, 72});

    private final CrashableStorage storage = new CrashableStorage();

    @Test
    void shouldShowTheBytesThatTheCodeWrites() throws IOException {
        CheckpointHeader header = new CheckpointHeader(
                CheckpointEntries.LOG_ID,
                CHANGED,
                3,
                CheckpointEntries.SALT,
                CheckpointEntries.CREATED_AT_MS,
                CheckpointHeader.NONE,
                0,
                new PersistVersion(0, 1, 0));
        try (KeyIndex index = CheckpointEntries.index(List.of(entry("task/1", 88, 5), entry("task/10", 120, 0)));
                IndexImage image = index.image(Scope.ALL);
                CheckpointWriter writer = CheckpointWriter.create(storage, header, bytes -> {})) {
            writer.add(image);
            writer.finish(image, new SegmentBytes(new long[] {0}, new long[] {72}));
        }
        assertThat(Docs.block("docs/file-format.md", "checkpoint-example"))
                .isEqualTo(hex(storage.content(CheckpointName.of(CHANGED))));
    }

    /** Without lines of zeros. */
    private static List<String> hex(byte[] bytes) {
        HexFormat spaced = HexFormat.ofDelimiter(" ");
        List<String> lines = new ArrayList<>();
        for (int from = 0; from < bytes.length; from += 16) {
            int to = Math.min(bytes.length, from + 16);
            if (!Arrays.equals(bytes, from, to, new byte[16], 0, to - from)) {
                lines.add(String.format(Locale.ROOT, "%04x  ", from) + spaced.formatHex(bytes, from, to));
            }
        }
        return lines;
    }

    // ---- version 2

    private void copyVersion2() throws IOException {
        for (long position : new long[] {WHOLE, CHANGED}) {
            storage.replace(
                    CheckpointName.of(position), resource("/golden/checkpoint-v2/" + CheckpointName.of(position)));
        }
    }

    @Test
    void shouldReadCheckpointsOfVersion2() throws IOException {
        copyVersion2();
        assertThat(dump()).isEqualTo(text("/golden/checkpoint-v2.txt"));
    }

    /** Fails if what is written differs from version 2 of the format. */
    @Test
    void shouldWriteACheckpointOfVersion2AsItWas() throws IOException {
        copyVersion2();
        byte[] golden = storage.content(CheckpointName.of(WHOLE));
        CheckpointChain chain = CheckpointChain.open(storage, WHOLE, damaged -> {});
        try (KeyIndex index = chain.index(Long.MAX_VALUE);
                IndexImage image = index.image(Scope.ALL);
                CheckpointWriter writer = CheckpointWriter.create(storage, chain.header(), bytes -> {})) {
            writer.add(image);
            writer.finish(image, chain.segments());
        }
        assertThat(Arrays.equals(storage.content(CheckpointName.of(WHOLE)), golden))
                .isTrue();
    }

    /** How the golden files were made: run it with {@code -Dgolden=write} after they were taken away. */
    @Test
    @EnabledIfSystemProperty(named = "golden", matches = "write")
    void writeGoldenFiles() throws IOException {
        Path golden = Docs.root().resolve("persist-core/src/test/resources/golden");
        Random random = new Random(2);
        try (CheckpointHistory history = new CheckpointHistory(storage)) {
            CheckpointEntries.random(random, 150, 60).forEach(history::put);
            CheckpointEntries.random(random, 10, 1024).forEach(history::put);
            history.write(WHOLE, Scope.ALL, LIVE);
            history.put(entry("added", 99, 9));
            history.remove(history.written(WHOLE).get(0).key());
            history.write(CHANGED, Scope.CHANGED, LIVE);
        }
        Path directory = Files.createDirectory(golden.resolve("checkpoint-v2"));
        for (String name : storage.list()) {
            Files.write(directory.resolve(name), storage.content(name));
        }
        Files.write(golden.resolve("checkpoint-v2.txt"), dump(), ISO_8859_1);
    }

    private List<String> dump() throws IOException {
        List<String> lines = new ArrayList<>();
        for (long position : new long[] {WHOLE, CHANGED}) {
            try (CheckpointChain chain = CheckpointChain.open(storage, position, damaged -> {})) {
                assertThat(chain.header().writtenBy()).isEqualTo(PersistVersion.UNKNOWN);
                lines.add(chain.header().toString().replace(", writtenBy=", ""));
                lines.add(chain.tree().toString());
                lines.add(chain.segments().toString());
                lines.add(
                        "nodes=" + chain.verify() + ", files=" + chain.summary().files());
            }
            read(storage, position).forEach(entry -> lines.add(shown(entry)));
        }
        return lines;
    }

    private static String shown(Entry entry) {
        byte[] key = entry.keyBytes();
        CRC32C crc = new CRC32C();
        crc.update(key);
        return String.format(
                Locale.ROOT,
                "keyLength=%d crc32c=%08x position=%d length=%d key=%s",
                key.length,
                crc.getValue(),
                entry.position(),
                entry.length(),
                HexFormat.of().formatHex(key, 0, Math.min(key.length, 20)));
    }

    // ---- version 1

    @Test
    void shouldRefuseACheckpointOfVersion1() throws IOException {
        byte[] content = resource("/golden/checkpoint-v1/" + CheckpointName.of(CHANGED));
        storage.replace(CheckpointName.of(CHANGED), content);
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> read(storage, CHANGED))
                .withMessageContaining("version=1")
                .withMessageContaining("file=" + CheckpointName.of(CHANGED));
        assertThat(storage.content(CheckpointName.of(CHANGED))).isEqualTo(content);
        assertThat(storage.openHandles()).isZero();
    }

    private static List<String> text(String name) throws IOException {
        return new String(resource(name), ISO_8859_1).lines().toList();
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = CheckpointSpecTest.class.getResourceAsStream(name)) {
            assertThat(in).as(name).isNotNull();
            return in.readAllBytes();
        }
    }
}

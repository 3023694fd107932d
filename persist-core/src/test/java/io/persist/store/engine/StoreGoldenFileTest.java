package io.persist.store.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.StoreView;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.SegmentHeader;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.segment.LogFiles;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.read.ChangeReader;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.Transaction;
import io.persist.support.CopiedFiles;
import io.persist.support.Docs;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stores that earlier versions wrote stay readable. {@code golden/v2-store} is a small one with checkpoints of version
 * 2 of the format, vacated segments, two chains of checkpoints and a named reader; {@code golden/v2-store.txt} is what
 * is in it, and then the changes since the reader last stored its place. {@code golden/v1-store} has checkpoints of
 * version 1, which no release wrote, and is refused. Golden files are never edited, only added.
 */
class StoreGoldenFileTest {

    private static final Path GOLDEN = Docs.root().resolve("persist-core/src/test/resources/golden");

    private final CrashableStorage storage = new CrashableStorage();

    private void copy(String directory) throws IOException {
        try (Stream<Path> files = Files.list(GOLDEN.resolve(directory))) {
            for (Path file : files.toList()) {
                storage.replace(file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
    }

    /** The names of the checkpoints, oldest first: one with all nodes, another one, and one that builds on that. */
    private List<String> checkpoints() {
        return storage.list().stream()
                .filter(name -> name.endsWith(".chk"))
                .sorted()
                .toList();
    }

    private static StoreConfig config(WriteMode mode) {
        LogConfig log = LogConfig.builder(Path.of("store"))
                .segmentLength(4096)
                .writeMode(mode)
                .build();
        return StoreConfig.builder(log)
                .oldValues(OldValues.RECORD)
                .maxSpaceRatio(0)
                .build();
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldOpenAStoreOfVersion2(WriteMode mode) throws IOException {
        copy("v2-store");
        List<String> expected = expected();
        try (StoreLogger store = StoreLogger.open(config(mode), storage, storage)) {
            assertThat(checkpoints()).hasSize(3);
            assertThat(store.recovery().checkpoint().file())
                    .isEqualTo(checkpoints().get(2));
            assertThat(store.recovery().skipped()).isEmpty();
            List<String> found = state(store.snapshot());
            found.addAll(changes(store));
            assertThat(found).isEqualTo(expected);
            Transaction transaction = store.begin();
            transaction.put("new".getBytes(ISO_8859_1), "value".getBytes(ISO_8859_1));
            transaction.commit();
        }
        try (StoreLogger store = StoreLogger.open(config(mode), storage, storage)) {
            assertThat((CharSequence) ISO_8859_1.decode(Objects.requireNonNull(store.get("new".getBytes(ISO_8859_1)))))
                    .hasToString("value");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldOpenItFromItsOlderCheckpoints(int number) throws IOException {
        copy("v2-store");
        List<String> names = checkpoints();
        for (String newer : names.subList(number + 1, names.size())) {
            storage.delete(newer);
        }
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), storage, storage)) {
            assertThat(store.recovery().checkpoint().file()).isEqualTo(names.get(number));
            List<String> state = state(store.snapshot());
            assertThat(state).isEqualTo(expected().subList(0, state.size()));
        }
    }

    @Test
    void shouldViewAStoreOfVersion2() throws IOException {
        copy("v2-store");
        try (StoreView view = StoreView.open(storage, storage)) {
            List<String> state = state(view.snapshot());
            assertThat(state).isEqualTo(expected().subList(0, state.size())).hasSize(24);
        }
    }

    /** What makes it worth keeping. */
    @Test
    void shouldHaveAVacatedSegmentInTheMiddleAndAChain() throws IOException {
        copy("v2-store");
        List<SegmentHeader> segments = LogFiles.headers(storage);
        assertThat(segments.get(0).isVacated()).isFalse();
        assertThat(segments).anyMatch(SegmentHeader::isVacated);
        List<Boolean> wholes = new ArrayList<>();
        for (String name : checkpoints()) {
            long position = CheckpointName.position(name).orElseThrow();
            wholes.add(CheckpointHeader.decode(storage.content(name), name, position)
                    .isWhole());
        }
        assertThat(wholes).containsExactly(true, true, false);
    }

    /** Its compaction has taken records away, so that the log alone does not tell all. */
    @Test
    void shouldRefuseAStoreOfVersion1() throws IOException {
        copy("v1-store");
        Map<String, ByteBuffer> before = CopiedFiles.contents(storage);
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> StoreLogger.open(config(WriteMode.MAPPED), storage, storage))
                .withMessageContaining("version=1")
                .withMessageContaining("checkpoint-00000000000000016480.chk");
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> StoreView.open(storage, storage).close());
        Map<String, ByteBuffer> after = CopiedFiles.contents(storage);
        after.keySet().retainAll(before.keySet());
        assertThat(after).isEqualTo(before);
    }

    /** How the golden files were made: run it with {@code -Dgolden=write} after they were taken away. */
    @Test
    @EnabledIfSystemProperty(named = "golden", matches = "write")
    void writeGoldenFiles() throws IOException {
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), storage, storage)) {
            put(store, "large/1", "x".repeat(3870));
            put(store, "large/2", "y".repeat(3850));
            for (int i = 0; i < 16; i++) {
                put(store, i + "/" + (char) ('a' + i) + "0".repeat(800) + i, "value " + i);
            }
            put(store, "kept", "moved by compaction", "empty", "", "other", "z".repeat(60));
            for (int i = 0; i < 10; i++) {
                put(store, "counter", Integer.toString(i).repeat(2000));
            }
            try (ChangeReader changes = store.changes("replica")) {
                while (changes.next()) {
                    assertThat(changes.key().remaining()).isPositive();
                }
                changes.store();
            }
            assertThat(store.compact(Long.MAX_VALUE / 2)).isPositive();
            put(store, "counter", "after the checkpoint with all nodes", "\u0080\u00ff", "\u0000\u0001\u00fe\u00ff");
            store.checkpoint();
            put(store, "twice", "first", "twice", "second");
            Transaction transaction = store.begin();
            transaction.remove("other".getBytes(ISO_8859_1));
            transaction.remove("never there".getBytes(ISO_8859_1));
            transaction.commit();
            put(store, "k".repeat(1024), "the longest key");
        }
        Path directory = Files.createDirectory(GOLDEN.resolve("v2-store"));
        for (String name : storage.list()) {
            if (name.matches(".*\\.(log|chk|cursor)|control")) {
                Files.write(directory.resolve(name), storage.content(name));
            }
        }
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), storage, storage)) {
            List<String> lines = state(store.snapshot());
            lines.addAll(changes(store));
            Files.write(GOLDEN.resolve("v2-store.txt"), lines, ISO_8859_1);
        }
    }

    private static void put(StoreLogger store, String... keysAndValues) {
        Transaction transaction = store.begin();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            transaction.put(keysAndValues[i].getBytes(ISO_8859_1), keysAndValues[i + 1].getBytes(ISO_8859_1));
        }
        transaction.commit();
    }

    private static List<String> state(StoreSnapshot snapshot) {
        List<String> lines = new ArrayList<>();
        try (snapshot;
                StoreScan scan = snapshot.scan(KeyRange.all(), Direction.FORWARD)) {
            while (scan.next()) {
                lines.add("key " + shown(scan.key()) + " value " + shown(scan.value()));
            }
        }
        return lines;
    }

    private static List<String> changes(StoreLogger store) {
        List<String> lines = new ArrayList<>();
        try (ChangeReader changes = store.changes("replica")) {
            while (changes.next()) {
                ByteBuffer old = changes.oldValue();
                lines.add("change " + changes.type() + " at " + changes.position()
                        + (changes.endsTransaction() ? ", the last one: key " : ": key ") + shown(changes.key())
                        + " value " + shown(changes.value()) + (old == null ? "" : " old " + shown(old)));
            }
        }
        return lines;
    }

    private static String shown(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(bytes.position(), copy);
        CRC32C crc = new CRC32C();
        crc.update(copy);
        String start = new String(copy, 0, Math.min(copy.length, 20), ISO_8859_1).replaceAll("[^ -~]", "?");
        return String.format(Locale.ROOT, "length=%d crc32c=%08x text=%s", copy.length, crc.getValue(), start);
    }

    private static List<String> expected() throws IOException {
        return Files.readAllLines(GOLDEN.resolve("v2-store.txt"), ISO_8859_1);
    }
}

package io.persist.store.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.format.SegmentHeader;
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
import io.persist.support.Docs;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Stores that earlier versions wrote stay readable. {@code golden/v1-store} is a small one as version 1 of the format has
 * it, with vacated segments, two checkpoints and a named reader; {@code golden/v1-store.txt} is what is in it, and then
 * the changes since the reader last stored its place. Golden files are never edited, only added.
 */
class StoreGoldenFileTest {

    private static final Path GOLDEN = Docs.root().resolve("persist-core/src/test/resources/golden");
    private static final String NEWER = "checkpoint-00000000000000016480.chk";

    private final CrashableStorage storage = new CrashableStorage();

    @BeforeEach
    void copyGoldenFiles() throws IOException {
        try (Stream<Path> files = Files.list(GOLDEN.resolve("v1-store"))) {
            for (Path file : files.toList()) {
                storage.replace(file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
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
    void shouldOpenAStoreOfVersion1(WriteMode mode) throws IOException {
        List<String> expected = expected();
        try (StoreLogger store = StoreLogger.open(config(mode), storage, storage)) {
            assertThat(store.recovery().checkpoint()).isEqualTo(NEWER);
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

    @Test
    void shouldOpenItFromItsOlderCheckpoint() throws IOException {
        storage.delete(NEWER);
        try (StoreLogger store = StoreLogger.open(config(WriteMode.MAPPED), storage, storage)) {
            assertThat(store.recovery().checkpointPosition()).isEqualTo(16336);
            assertThat(expected()).containsAll(state(store.snapshot()));
        }
    }

    @Test
    void shouldViewAStoreOfVersion1() throws IOException {
        try (StoreView view = StoreView.open(storage, storage)) {
            List<String> state = state(view.snapshot());
            assertThat(state).isEqualTo(expected().subList(0, state.size())).hasSize(8);
        }
    }

    /** What makes it worth keeping. */
    @Test
    void shouldHaveAVacatedSegmentInTheMiddle() throws IOException {
        List<SegmentHeader> segments = LogFiles.headers(storage);
        assertThat(segments.get(0).isVacated()).isFalse();
        assertThat(segments).anyMatch(SegmentHeader::isVacated);
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
        return Files.readAllLines(GOLDEN.resolve("v1-store.txt"), ISO_8859_1);
    }
}

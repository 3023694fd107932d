package io.persist.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.batch.PartBuilder;
import io.persist.shard.batch.PartStore;
import io.persist.shard.batch.Row;
import io.persist.shard.batch.Rows;
import io.persist.shard.location.mem.MemBlob;
import io.persist.shard.model.Frontier;
import io.persist.shard.state.BatchPart;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.CriticalState;
import io.persist.shard.state.ReaderState;
import io.persist.shard.state.ShardState;
import io.persist.shard.state.StateBytes;
import io.persist.shard.state.WriterState;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Versions of states and parts of batches are, byte by byte, as earlier versions of Persist have written them: {@code
 * golden/shard-v4} has format 4 of a version and format 1 of a part. Golden files are never edited, only added.
 */
class ShardGoldenBytesTest {

    private static final String FIRST_OBJECT = "s1/w1/p01234567-89ab-cdef-0123-456789abcdef";
    private static final String SECOND_OBJECT = "s1/w1/pfedcba98-7654-3210-fedc-ba9876543210";

    private final MemBlob blob = new MemBlob();
    private final PartStore store = new PartStore(blob, "s1", Duration.ZERO);

    private static byte[] golden(String name) throws IOException {
        try (InputStream file = ShardGoldenBytesTest.class.getResourceAsStream("/golden/shard-v4/" + name + ".txt")) {
            return HexFormat.of().parseHex(new String(file.readAllBytes(), UTF_8).replaceAll("\\s", ""));
        }
    }

    private BatchPart inline() {
        PartBuilder part = store.newPart("w1", 1 << 20);
        part.add("key".getBytes(UTF_8), "value".getBytes(UTF_8), 1, 2);
        part.add("key".getBytes(UTF_8), new byte[0], 3, -1);
        return store.inline(part.sorted());
    }

    private ShardState whole() {
        BatchPart first = new BatchPart(FIRST_OBJECT, null, 1_001, 1_002, 103, 1_004);
        BatchPart second = new BatchPart(SECOND_OBJECT, null, 2_001, 2_002, 203, 2_004);
        return new ShardState(
                "s1",
                "1a2b3c4d5",
                3,
                "utf8",
                "bytes",
                Frontier.at(2),
                Frontier.at(9),
                List.of(
                        new BatchState(
                                Frontier.MINIMUM,
                                Frontier.at(4),
                                Frontier.at(2),
                                List.of(List.of(inline()), List.of(first, second))),
                        new BatchState(Frontier.at(4), Frontier.at(9), Frontier.MINIMUM, List.of())),
                new TreeMap<>(Map.of("r1", new ReaderState(Frontier.at(2), 3, 1_000, 2_000))),
                new TreeMap<>(Map.of("w1", new WriterState(3_000, 4_000, "token", Frontier.at(9)))),
                new TreeMap<>(Map.of("hold", new CriticalState(Frontier.at(5), 7, "owner"))),
                new TreeMap<>(Map.of(SECOND_OBJECT, 2L)));
    }

    /** With nothing of what {@code before} has but its first batch and its codecs. */
    private static ShardState next(ShardState before) {
        return new ShardState(
                before.id(),
                before.identity(),
                4,
                before.keyCodec(),
                before.valueCodec(),
                Frontier.at(3),
                Frontier.EMPTY,
                List.of(
                        before.batches().get(0),
                        new BatchState(Frontier.at(4), Frontier.EMPTY, Frontier.MINIMUM, List.of())),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>());
    }

    @Test
    void shouldWriteAndReadAWholeState() throws IOException {
        assertThat(StateBytes.whole(whole(), 0x0102030405060708L)).isEqualTo(golden("state"));
        assertThat(StateBytes.read("s1", null, golden("state"))).isEqualTo(whole());
        assertThat(StateBytes.readHeader("s1", golden("state")))
                .isEqualTo(new StateBytes.Header("s1", 3, 3, 0x0102030405060708L));
    }

    @Test
    void shouldWriteAndReadChanges() throws IOException {
        ShardState before = whole();
        byte[] changes = StateBytes.changes(before, next(before), 3, StateBytes.checksum(golden("state")));
        assertThat(changes).isEqualTo(golden("changes"));
        assertThat(StateBytes.read("s1", before, golden("changes"))).isEqualTo(next(before));
    }

    @Test
    void shouldWriteAndReadAPart() throws IOException {
        BatchPart written = inline();
        assertThat(written.inline()).isEqualTo(golden("part"));
        assertThat(rows(written)).containsExactly("key= at 3: -1", "key=value at 1: 2");
    }

    /** Its name is in it. */
    @Test
    void shouldReadAnObject() throws IOException {
        byte[] bytes = golden("object");
        blob.create(FIRST_OBJECT, bytes);
        int checksum = HexFormat.fromHexDigits(HexFormat.of().formatHex(bytes, bytes.length - 4, bytes.length));
        assertThat(rows(new BatchPart(FIRST_OBJECT, null, bytes.length, 2, 32, checksum)))
                .containsExactly("key= at 3: -1", "key=value at 1: 2");
    }

    private List<String> rows(BatchPart part) {
        List<String> found = new ArrayList<>();
        Rows rows = store.read(part, time -> true);
        for (Row row = rows.next(); row != null; row = rows.next()) {
            found.add(new String(row.key(), UTF_8) + "=" + new String(row.value(), UTF_8) + " at " + row.time() + ": "
                    + row.diff());
        }
        return found;
    }
}

package io.persist.store.value;

import static io.persist.store.Texts.bytes;
import static io.persist.store.Texts.get;
import static io.persist.store.Texts.put;
import static io.persist.store.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.StoreView;
import io.persist.error.CorruptLogException;
import io.persist.format.Frame;
import io.persist.format.FrameChecksum;
import io.persist.format.SegmentHeader;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Texts;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.Transaction;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A value that is damaged on the device, where no recovery looks: it costs its own key and nothing else. */
class DamagedValueTest {

    private static final String FILE = "00000000000000000000.log";
    private static final int KEYS = 40;

    private CrashableStorage storage = new CrashableStorage();
    private int checkpointed;

    /** A closed store whose newest checkpoint has everything; each key's value lies in the first segments. */
    private TreeMap<String, String> written() {
        storage = new CrashableStorage();
        try (StoreLogger store = Texts.open(storage)) {
            Texts.fill(store, KEYS, KEYS);
            checkpointed = (int) store.position();
            store.checkpoint();
            put(store, "last", "which the log's recovery looks at");
            return Texts.state(store);
        }
    }

    private static int indexOf(byte[] where, byte[] what) {
        for (int i = 0; i <= where.length - what.length; i++) {
            if (Arrays.equals(where, i, i + what.length, what, 0, what.length)) {
                return i;
            }
        }
        throw new AssertionError("not in the file: " + Texts.text(ByteBuffer.wrap(what)));
    }

    /** Where the entry of a key with its value begins in the first segment. */
    private int entryOf(String key, String value) {
        return indexOf(storage.content(FILE), bytes(key + value)) - 24;
    }

    private void damage(int from, int length, int xor) {
        byte[] segment = storage.content(FILE);
        for (int i = from; i < from + length; i++) {
            segment[i] = xor == 0 ? 0 : (byte) (segment[i] ^ xor);
        }
        storage.replace(FILE, segment);
    }

    private static List<String> damagedKeys(StoreLogger store, TreeMap<String, String> model) {
        List<String> damaged = new ArrayList<>();
        model.forEach((key, value) -> {
            try {
                assertThat(get(store, key)).isEqualTo(value);
            } catch (CorruptLogException e) {
                assertThat(e).hasMessageContaining(FILE).hasMessageContaining("put or remove this key");
                damaged.add(key);
            }
        });
        return damaged;
    }

    private static List<String> damagedInScan(StoreLogger store, TreeMap<String, String> model) {
        List<String> damaged = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        try (StoreScan scan = store.scan(KeyRange.all(), Direction.FORWARD)) {
            while (scan.next()) {
                String key = String.valueOf(text(scan.key()));
                seen.add(key);
                try {
                    assertThat(text(scan.value())).isEqualTo(model.get(key));
                } catch (CorruptLogException e) {
                    damaged.add(key);
                }
            }
        }
        assertThat(seen).containsExactlyElementsOf(model.keySet());
        return damaged;
    }

    @Test
    void shouldLoseOneKeyOnlyAndMendItByAPut() {
        TreeMap<String, String> model = written();
        int entry = entryOf("key-7", model.get("key-7"));
        damage(entry + 24 + 5, 20, 0);
        try (StoreLogger store = Texts.open(storage)) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> store.get(bytes("key-7")))
                    .withMessageContaining("file=" + FILE)
                    .withMessageContaining("position=" + entry);
            assertThat(damagedKeys(store, model)).containsExactly("key-7");
            assertThat(damagedInScan(store, model)).containsExactly("key-7");
            try (StoreSnapshot snapshot = store.snapshot()) {
                assertThatExceptionOfType(CorruptLogException.class).isThrownBy(() -> snapshot.get(bytes("key-7")));
                assertThat(text(snapshot.get(bytes("key-8")))).isEqualTo(model.get("key-8"));
            }
            long end = store.position();
            assertThatExceptionOfType(CorruptLogException.class).isThrownBy(() -> store.getAndRemove(bytes("key-7")));
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> store.getAndPut(bytes("key-7"), bytes("x")));
            assertThat(store.position()).as("nothing was changed").isEqualTo(end);
            put(store, "key-7", "mended");
            model.put("key-7", "mended");
            assertThat(Texts.state(store)).isEqualTo(model);
        }
        try (StoreLogger store = Texts.open(storage)) {
            assertThat(Texts.state(store)).isEqualTo(model);
        }
        assertThat(storage.openHandles()).isZero();
    }

    /** Its values are whole, and those of the same keys. */
    @Test
    void shouldRefuseASegmentOfAnotherStore() {
        writtenBeyondTheFirstSegment();
        byte[] foreign = storage.content(FILE);
        writtenBeyondTheFirstSegment();
        storage.replace(FILE, foreign);
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> Texts.open(storage))
                .withMessageContaining("another log")
                .satisfies(damage -> assertThat(damage.file()).isEqualTo(FILE));
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> StoreView.open(storage, storage))
                .withMessageContaining("another log");
        assertThat(storage.content(FILE)).isEqualTo(foreign);
    }

    private void writtenBeyondTheFirstSegment() {
        written();
        try (StoreLogger store = Texts.open(storage)) {
            put(store, "large", "x".repeat(Texts.SEGMENT_LENGTH / 2));
            put(store, "another", "x".repeat(Texts.SEGMENT_LENGTH / 2));
        }
    }

    @Test
    void shouldMendADamagedKeyByRemovingIt() {
        TreeMap<String, String> model = written();
        damage(entryOf("key-7", model.get("key-7")) + 30, 1, 0x40);
        try (StoreLogger store = Texts.open(storage)) {
            Transaction transaction = store.begin();
            transaction.remove(bytes("key-7"));
            transaction.commit();
            model.remove("key-7");
            assertThat(Texts.state(store)).isEqualTo(model);
        }
    }

    /** Whatever byte it is: no other key is lost, and no key has a wrong value. */
    @Test
    void shouldNeverReadAWrongValue() {
        Seeds.run(40, seed -> {
            Random random = new Random(seed);
            TreeMap<String, String> model = written();
            int length = 1 << random.nextInt(9);
            int from = 64 + random.nextInt(checkpointed - 64 - length);
            damage(from, length, random.nextInt(256));
            try (StoreLogger store = Texts.open(storage)) {
                List<String> damaged = damagedKeys(store, model);
                assertThat(damagedInScan(store, model)).containsExactlyElementsOf(damaged);
                assertThat(damaged).hasSizeLessThanOrEqualTo(length / 32 + 2);
                damaged.forEach(key -> put(store, key, String.valueOf(model.get(key))));
                assertThat(Texts.state(store)).isEqualTo(model);
            }
        });
    }

    /** Somebody has changed a value, and given the record, but not the entry, a checksum that is right. */
    @Test
    void shouldNotMoveAnEntryWhoseChecksumIsWrong() {
        try (StoreLogger store = Texts.open(storage)) {
            put(store, "first", "a value in the first segment");
            Texts.fill(store, KEYS, 2000);
            store.checkpoint();
        }
        int entry = entryOf("first", "a value in the first segment");
        damage(entry + 24 + 5, 1, 1);
        storage.replace(FILE, withFrameChecksum(storage.content(FILE), entry));
        try (StoreLogger store = Texts.open(storage)) {
            store.compact(Long.MAX_VALUE / 2);
            assertThat(store.statistics().compaction().damagedSegments()).isEqualTo(1);
            assertThatExceptionOfType(CorruptLogException.class).isThrownBy(() -> store.get(bytes("first")));
        }
    }

    /** The log's first segment, in which the frame around {@code index} has a checksum that is right. */
    private static byte[] withFrameChecksum(byte[] segment, int index) {
        ByteBuffer buffer = ByteBuffer.wrap(segment).order(ByteOrder.LITTLE_ENDIAN);
        int frame = SegmentHeader.LENGTH;
        while (frame + Frame.length(buffer, frame) <= index) {
            frame += Frame.aligned(Frame.length(buffer, frame));
        }
        long salt = buffer.getLong(SegmentHeader.SALT_OFFSET);
        int length = Frame.length(buffer, frame);
        Frame.putChecksum(buffer, frame, new FrameChecksum(buffer).of(frame, length, salt, frame));
        return segment;
    }

    @Test
    void shouldCompactAroundADamagedSegment() {
        TreeMap<String, String> model;
        try (StoreLogger store = Texts.open(storage)) {
            put(store, "first", "a value in the first segment");
            Texts.fill(store, KEYS, 2000);
            store.checkpoint();
            model = Texts.state(store);
        }
        int entry = entryOf("first", model.get("first"));
        damage(entry + 24 + 5, 5, 0xFF);
        try (StoreLogger store = Texts.open(storage)) {
            long space = store.statistics().spaceBytes();
            assertThat(store.compact(Long.MAX_VALUE / 2)).isGreaterThan(space / 2);
            assertThat(store.statistics().compaction().damagedSegments()).isEqualTo(1);
            assertThat(store.compact(Long.MAX_VALUE / 2)).isZero();
            assertThat(damagedKeys(store, model)).containsExactly("first");
            assertThat(storage.list()).contains(FILE);
        }
        try (StoreLogger store = Texts.open(storage)) {
            assertThat(damagedInScan(store, model)).containsExactly("first");
            put(store, "first", "mended");
            model.put("first", "mended");
            assertThat(Texts.state(store)).isEqualTo(model);
        }
    }

    /** What is damaged in it is nobody's value any more. */
    @Test
    void shouldTakeADamagedSegmentAwayOnceNothingInItIsNeeded() {
        try (StoreLogger store = Texts.open(storage)) {
            put(store, "first", "a value in the first segment");
            Texts.fill(store, KEYS, 2000);
            store.checkpoint();
        }
        damage(entryOf("first", "a value in the first segment") + 24 + 5, 5, 0xFF);
        try (StoreLogger store = Texts.open(storage)) {
            store.compact(Long.MAX_VALUE / 2);
            assertThat(store.statistics().compaction().damagedSegments()).isEqualTo(1);
            put(store, "first", "mended");
            TreeMap<String, String> model = Texts.state(store);
            store.compact(Long.MAX_VALUE / 2);
            assertThat(store.statistics().compaction().damagedSegments()).isZero();
            assertThat(storage.list()).doesNotContain(FILE);
            assertThat(Texts.state(store)).isEqualTo(model);
        }
    }

    /** Else it would stay for ever, since no key tells of it; and no backup takes a segment that is damaged. */
    @Test
    void shouldGoRoundADamagedRecordThatNothingNeeds() {
        TreeMap<String, String> model;
        try (StoreLogger store = Texts.open(storage)) {
            put(store, "before", "what is needed before it");
            put(store, "first", "a value in the first segment");
            put(store, "behind", "what is needed behind it");
            Texts.fill(store, KEYS, 2000);
            put(store, "first", "another one");
            store.checkpoint();
            model = Texts.state(store);
        }
        damage(entryOf("first", "a value in the first segment") + 24 + 5, 5, 0xFF);
        try (StoreLogger store = Texts.open(storage)) {
            store.compact(Long.MAX_VALUE / 2);
            assertThat(store.statistics().compaction().damagedSegments()).isZero();
            assertThat(storage.list()).doesNotContain(FILE);
            assertThat(Texts.state(store)).isEqualTo(model);
        }
        try (StoreLogger store = Texts.open(storage)) {
            assertThat(Texts.state(store)).isEqualTo(model);
        }
    }

    /** It was emptied, and then its header was damaged: it stays, and does not keep the others from going. */
    @Test
    void shouldTakeOtherSegmentsAwayWhenOneCannotBe() {
        try (StoreLogger store = Texts.open(storage)) {
            Texts.fill(store, KEYS, 2000);
            TreeMap<String, String> model = Texts.state(store);
            long before = store.statistics().spaceBytes();
            try (StoreSnapshot snapshot = store.snapshot()) {
                assertThat(store.compact(Long.MAX_VALUE / 2)).isZero();
                assertThat(store.statistics().compaction().waitingSegments()).isGreaterThan(2);
                damage(20, 4, 0xFF);
                assertThat(snapshot.size()).isEqualTo(KEYS);
            }
            store.compact(Long.MAX_VALUE / 2);
            assertThat(store.statistics().spaceBytes())
                    .as("this call or upkeep has given some back")
                    .isLessThan(before);
            assertThat(store.statistics().compaction().waitingSegments()).isZero();
            assertThat(store.statistics().compaction().damagedSegments()).isEqualTo(1);
            assertThat(Texts.state(store)).isEqualTo(model);
        }
    }
}

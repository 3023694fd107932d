package io.persist.store.read;

import static io.persist.store.Texts.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.format.TransactionLayout;
import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Texts;
import io.persist.store.checkpoint.Checkpoints;
import io.persist.store.transaction.Transaction;
import io.persist.support.CountingStorage;
import io.persist.support.CountingStorage.Read;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a scan reads of segments of which nothing is known to be in memory. */
class ValuesAheadTest {

    private static final int KEYS = 600;

    private final CrashableStorage disk = new CrashableStorage();
    private final CountingStorage storage = new CountingStorage(disk);
    private StoreLogger store;

    /** The keys lie in the log in another order than theirs. */
    @BeforeEach
    void openAgain() {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            order.add(i);
        }
        Collections.shuffle(order, new Random(1));
        try (StoreLogger before = Texts.open(disk)) {
            order.forEach(i -> Texts.put(before, key(i), value(i)));
        }
        store = StoreLogger.open(Texts.config(), storage, storage);
        storage.reads();
    }

    @AfterEach
    void close() {
        store.close();
        assertThat(disk.openHandles()).isZero();
    }

    private static String key(int i) {
        return "key-" + (1000 + i);
    }

    private static String value(int i) {
        return "value " + i + " " + ".".repeat(i % 300);
    }

    private StoreScan scan(Direction direction) {
        return store.scan(KeyRange.between(bytes(key(10)), bytes(key(KEYS - 10))), direction);
    }

    @ParameterizedTest
    @EnumSource(Direction.class)
    void shouldReadTogetherWhatAScanWantsAllOf(Direction direction) {
        int scanned = KEYS - 20;
        List<String> values = new ArrayList<>();
        try (StoreScan scan = scan(direction)) {
            while (scan.next()) {
                values.add(Texts.text(scan.valueUntilNext()));
                assertThat(Texts.text(scan.value())).isEqualTo(values.get(values.size() - 1));
            }
        }
        List<String> expected = new ArrayList<>();
        for (int i = 10; i < KEYS - 10; i++) {
            expected.add(value(i));
        }
        if (direction == Direction.BACKWARD) {
            Collections.reverse(expected);
        }
        assertThat(values).isEqualTo(expected);
        long lastSegment = store.position() / Texts.SEGMENT_LENGTH;
        List<Read> reads =
                storage.reads().stream() // the last segment is warm; while it is in doubt, each is read alone
                        .filter(read -> read.position() / Texts.SEGMENT_LENGTH < lastSegment)
                        .toList();
        long segments = reads.stream()
                .map(read -> read.position() / Texts.SEGMENT_LENGTH)
                .distinct()
                .count();
        // 1, 4, 16, 64, 256 and the rest, each with a read for a segment at most, since no gap in one is too long
        assertThat(segments).isLessThan(60);
        assertThat(reads.size())
                .isLessThan((int) (1 + 4 + 16 + 3 * segments + 1))
                .isLessThan(scanned / 2);
    }

    /** What was read ahead before a range that the transaction has removed is not taken for what comes behind it. */
    @ParameterizedTest
    @EnumSource(Direction.class)
    void shouldGoOnBehindARemovedRange(Direction direction) {
        List<String> expected = new ArrayList<>();
        try (Transaction transaction = store.begin()) {
            for (int i = 10; i < KEYS - 10; i++) {
                if (i % 100 < 30) {
                    expected.add(value(i));
                } else if (i % 100 == 30) {
                    transaction.removeRange(KeyRange.between(bytes(key(i)), bytes(key(i + 70))));
                }
            }
            if (direction == Direction.BACKWARD) {
                Collections.reverse(expected);
            }
            KeyRange range = KeyRange.between(bytes(key(10)), bytes(key(KEYS - 10)));
            List<String> values = new ArrayList<>();
            try (StoreScan scan = transaction.scan(range, direction)) {
                while (scan.next()) {
                    values.add(Texts.text(scan.value()));
                }
            }
            assertThat(values).isEqualTo(expected);
        }
    }

    /** What the transaction has put is not in the log, and is no value that the scan has not wanted. */
    @ParameterizedTest
    @EnumSource(Direction.class)
    void shouldReadTogetherWhatLiesAmongOwnChanges(Direction direction) {
        TreeMap<String, String> expected = new TreeMap<>();
        int committed = 0;
        try (Transaction transaction = store.begin()) {
            for (int i = 10; i < KEYS - 10; i++) {
                switch (i % 50) {
                    case 0 -> put(transaction, expected, key(i) + "-new", "new " + i);
                    case 1 -> put(transaction, expected, key(i), "own " + i);
                    case 2 -> transaction.remove(bytes(key(i)));
                    case 3 -> transaction.removeRange(KeyRange.between(bytes(key(i)), bytes(key(i + 2))));
                    case 4 -> put(transaction, expected, key(i), "behind " + i);
                    default -> {}
                }
                if (i % 50 == 0 || i % 50 > 4) {
                    expected.put(key(i), value(i));
                    committed++;
                }
            }
            KeyRange range = KeyRange.between(bytes(key(10)), bytes(key(KEYS - 10)));
            TreeMap<String, String> values = new TreeMap<>();
            List<String> keys = new ArrayList<>();
            try (StoreScan scan = transaction.scan(range, direction)) {
                while (scan.next()) {
                    keys.add(Texts.text(scan.key()));
                    values.put(Texts.text(scan.key()), Texts.text(scan.value()));
                }
            }
            assertThat(values).isEqualTo(expected);
            boolean isForward = direction == Direction.FORWARD;
            assertThat(keys).containsExactlyElementsOf((isForward ? values : values.descendingMap()).keySet());
        }
        assertThat(storage.reads()).hasSizeLessThan(committed / 2);
    }

    private static void put(Transaction transaction, Map<String, String> expected, String key, String value) {
        transaction.put(bytes(key), bytes(value));
        expected.put(key, value);
    }

    @Test
    void shouldReadNothingForKeys() {
        try (StoreScan scan = scan(Direction.FORWARD)) {
            while (scan.next()) {
                scan.keyBytes();
            }
        }
        assertThat(storage.reads()).isEmpty();
    }

    /** A scan that wants a value here and there has just those read, each as long as it is. */
    @Test
    void shouldReadAloneWhatIsWantedHereAndThere() {
        List<Integer> lengths = new ArrayList<>();
        try (StoreScan scan = scan(Direction.FORWARD)) {
            for (int i = 10; scan.next(); i++) {
                if (i % 3 == 0) {
                    assertThat(Texts.text(scan.value())).isEqualTo(value(i));
                    lengths.add(TransactionLayout.ENTRY_HEADER_LENGTH + key(i).length() + value(i).length());
                }
            }
        }
        List<Integer> read = storage.reads().stream().map(Read::length).toList();
        assertThat(lengths).as("but for the last segment, which is warm").containsSubsequence(read);
        assertThat(read).hasSizeGreaterThan(lengths.size() * 8 / 10);
    }

    @Test
    void shouldThrowForEachValueWhatTheDeviceSaysAndGoOn() {
        try (StoreScan scan = scan(Direction.FORWARD)) {
            for (int i = 10; scan.next(); i++) {
                if (i == 40) {
                    storage.fail();
                }
                if (i >= 40 && i < 200) {
                    readOrFail(scan, i);
                } else {
                    storage.mend();
                    assertThat(Texts.text(scan.value())).isEqualTo(value(i));
                }
            }
        }
    }

    private static void readOrFail(StoreScan scan, int i) {
        try {
            assertThat(Texts.text(scan.value())).isEqualTo(value(i)); // read before
        } catch (LogIOException e) {
            assertThat(e).hasMessageContaining("Input/output error");
            assertThatExceptionOfType(LogIOException.class).isThrownBy(scan::value);
        }
    }

    /** It would be told by a value that can be read, of a node that the scan may never need. */
    @ParameterizedTest
    @EnumSource(Direction.class)
    void shouldLeaveADamagedNodeToTheScanThatComesToIt(Direction direction) throws IOException {
        store.checkpoint();
        store.close();
        String newest = CheckpointName.of(new Checkpoints(disk).list().get(0));
        byte[] damaged = disk.content(newest);
        damaged[(int) CheckpointDirectory.nodeOffset(1) + 100] ^= 1; // a leaf, neither the first nor the last
        disk.replace(newest, damaged);
        store = StoreLogger.open(Texts.config(), storage, storage);
        int readable = 0;
        try (StoreScan scan = scan(direction)) {
            while (!isDamaged(scan)) {
                readable++;
            }
        }
        assertThat(readable).isBetween(30, KEYS - 50);
        try (StoreScan scan = scan(direction)) {
            for (int i = 0; i < readable; i++) {
                assertThat(isDamaged(scan)).isFalse();
                String expected = value(direction == Direction.FORWARD ? 10 + i : KEYS - 11 - i);
                assertThat(Texts.text(scan.valueUntilNext())).isEqualTo(expected);
            }
            assertThat(isDamaged(scan)).isTrue();
        }
        assertThat(storage.reads().size()).as("ahead").isLessThan(readable / 2);
    }

    private static boolean isDamaged(StoreScan scan) {
        try {
            assertThat(scan.next()).isTrue();
            return false;
        } catch (CorruptLogException e) {
            assertThat(e).hasMessageContaining("wrong checksum of node");
            return true;
        }
    }

    /** What is read ahead is of the scan's moment. */
    @Test
    void shouldShowWhatWasThereWhenItBegan() {
        try (StoreScan scan = scan(Direction.FORWARD)) {
            for (int i = 10; i < KEYS - 10; i++) {
                assertThat(scan.next()).isTrue();
                assertThat(Texts.text(scan.value())).isEqualTo(value(i));
                Texts.put(store, key(i + 7), "new");
                if (i % 100 == 0) {
                    store.compact(Long.MAX_VALUE);
                }
            }
        }
    }

    /** That is the error of the keys in it, and not of others whose values are read together with theirs. */
    @Test
    void shouldReadWhatIsNotInASegmentThatCannotBeOpened() {
        store.close();
        FaultyStorage faulty = new FaultyStorage(disk);
        store = StoreLogger.open(Texts.config(), faulty, faulty);
        int unreadable = 0;
        try (StoreScan scan = scan(Direction.FORWARD)) {
            for (int read = 0; scan.next(); read++) {
                try {
                    assertThat(Texts.text(scan.value())).isEqualTo(value(10 + read));
                } catch (LogIOException refused) {
                    unreadable++;
                    assertThatExceptionOfType(LogIOException.class).isThrownBy(scan::value);
                }
                faulty.failFrom(Verb.OPEN, 1); // behind the first value, whose segment is open
            }
        }
        assertThat(unreadable).isPositive();
        faulty.heal();
    }
}

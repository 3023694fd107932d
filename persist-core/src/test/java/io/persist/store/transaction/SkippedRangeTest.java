package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.read.StoreScan;
import io.persist.support.Interposed;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A transaction's scan reads nothing of the index for the keys of a range that the transaction has removed. */
class SkippedRangeTest {

    private static final int KEYS = 100_000;
    private static final int EDGE = 5;

    /** Of the tree from its root to a leaf, for each place to which the scan goes; there are some hundred leaves. */
    private static final int MOST_READS = 20;

    private final CrashableStorage disk = new CrashableStorage();
    private final AtomicInteger reads = new AtomicInteger();
    private final Storage storage = Interposed.afterFiles(disk, this::count);
    private StoreLogger store;

    /** Counts what is read of checkpoints, which have the nodes of an index that was opened again. */
    private void count(String file, String call) {
        if (call.equals("read") && LogFileName.basePosition(file).isEmpty()) {
            reads.incrementAndGet();
        }
    }

    @BeforeEach
    void fillAndOpenAgain() {
        LogConfig log =
                LogConfig.builder(Path.of("store")).segmentLength(1 << 20).build();
        StoreConfig config = StoreConfig.builder(log).maxSpaceRatio(0).build();
        try (StoreLogger before = StoreLogger.open(config, disk, disk)) {
            for (int i = 0; i < KEYS; ) {
                Transaction transaction = before.begin();
                for (int end = i + 1000; i < end; i++) {
                    transaction.put(key(i), new byte[0]);
                }
                transaction.commit();
            }
            before.checkpoint();
        }
        store = StoreLogger.open(config, storage, storage);
        reads.set(0);
    }

    @AfterEach
    void close() {
        store.close();
        assertThat(disk.openHandles()).isZero();
    }

    private static byte[] key(int number) {
        return Texts.bytes(name(number));
    }

    private static String name(int number) {
        return "key-" + (100_000 + number);
    }

    private static List<String> scan(Transaction transaction, Direction direction) {
        List<String> keys = new ArrayList<>();
        try (StoreScan scan = transaction.scan(KeyRange.all(), direction)) {
            while (scan.next()) {
                keys.add(Texts.text(scan.key()));
            }
        }
        return keys;
    }

    @ParameterizedTest
    @EnumSource(Direction.class)
    void shouldNotReadTheKeysOfARangeThatItHasRemoved(Direction direction) {
        List<String> expected = new ArrayList<>();
        try (Transaction transaction = store.begin()) {
            transaction.put(key(KEYS / 2), new byte[1]);
            transaction.removeRange(KeyRange.between(key(EDGE), key(KEYS - EDGE)));
            transaction.put(key(KEYS / 4), new byte[1]);
            for (int i = 0; i < EDGE; i++) {
                expected.add(name(i));
            }
            expected.add(name(KEYS / 4));
            for (int i = KEYS - EDGE; i < KEYS; i++) {
                expected.add(name(i));
            }
            List<String> keys = scan(transaction, direction);
            assertThat(keys).hasSameSizeAs(expected).containsAll(expected);
            assertThat(keys.get(0)).isEqualTo(direction == Direction.FORWARD ? name(0) : name(KEYS - 1));
        }
        assertThat(reads.get()).isBetween(1, MOST_READS);
    }

    @ParameterizedTest
    @EnumSource(Direction.class)
    void shouldNotReadTheKeysOfARangeWithoutAnEnd(Direction direction) {
        try (Transaction transaction = store.begin()) {
            transaction.removeRange(KeyRange.from(key(EDGE)));
            assertThat(scan(transaction, direction)).hasSize(EDGE).allMatch(key -> key.compareTo(name(EDGE)) < 0);
        }
        assertThat(reads.get()).isBetween(1, MOST_READS);
    }
}

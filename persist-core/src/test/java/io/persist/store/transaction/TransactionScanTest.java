package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.StoreLogger;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.StoreContent;
import io.persist.store.Texts;
import io.persist.store.read.StoreScan;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A transaction's scan shows its own writes over what is committed, as they were when it was opened. */
class TransactionScanTest {

    private static final int KEYS = 300;

    private final CrashableStorage storage = new CrashableStorage();
    private final StoreLogger store = StoreLogger.open(
            StoreConfig.builder(LogConfig.builder(Path.of("store"))
                            .segmentLength(1 << 20)
                            .build())
                    .build(),
            storage,
            storage);

    @AfterEach
    void close() {
        store.close();
    }

    private static byte[] key(Random random) {
        return Texts.bytes("k" + random.nextInt(KEYS));
    }

    private static void change(Transaction transaction, NavigableMap<byte[], byte[]> seen, Random random, int count) {
        for (int i = 0; i < count; i++) {
            byte[] key = key(random);
            if (random.nextInt(30) == 0) {
                byte[] below = random.nextInt(4) == 0 ? Texts.bytes("l") : key(random);
                transaction.removeRange(KeyRange.between(key, below));
                seen.keySet().removeIf(KeyRange.between(key, below)::contains);
            } else if (random.nextInt(3) == 0) {
                transaction.remove(key);
                seen.remove(key);
            } else {
                byte[] value = new byte[random.nextInt(20)];
                random.nextBytes(value);
                transaction.put(key, value);
                seen.put(key, value);
            }
        }
    }

    private static StoreScan open(Transaction transaction, byte[] from, byte[] below, Direction direction) {
        return transaction.scan(KeyRange.between(from, below), direction);
    }

    private static NavigableMap<byte[], byte[]> part(
            NavigableMap<byte[], byte[]> of, byte[] from, byte[] below, Direction direction) {
        NavigableMap<byte[], byte[]> part = new TreeMap<>(of);
        part.keySet().removeIf(key -> Arrays.compareUnsigned(key, from) < 0 || Arrays.compareUnsigned(key, below) >= 0);
        return direction == Direction.FORWARD ? part : part.descendingMap();
    }

    /** Also while the transaction goes on changing, and its memory grows, and others commit. */
    @Test
    void shouldShowOwnWritesOfTheMomentInWhichItWasOpened() {
        Seeds.run(30, seed -> {
            Random random = new Random(seed);
            NavigableMap<byte[], byte[]> seen = new TreeMap<>(Arrays::compareUnsigned);
            store.removeRange(KeyRange.all());
            try (Transaction transaction = store.begin()) {
                change(transaction, seen, random, random.nextInt(400));
                transaction.commit();
            }
            try (Transaction transaction = store.begin()) {
                for (int i = 0; i < 5; i++) {
                    change(transaction, seen, random, random.nextInt(i == 0 ? 3 : 200));
                    Direction direction = random.nextBoolean() ? Direction.FORWARD : Direction.BACKWARD;
                    byte[] from = random.nextInt(3) == 0 ? Texts.bytes("k") : key(random);
                    byte[] below = random.nextInt(3) == 0 ? Texts.bytes("l") : key(random);
                    NavigableMap<byte[], byte[]> expected = part(seen, from, below, direction);
                    try (StoreScan scan = open(transaction, from, below, direction)) {
                        change(transaction, seen, random, random.nextInt(100));
                        assertThat(StoreContent.difference(scan, expected)).isNull();
                        assertThat(scan.next()).as("after its end").isFalse();
                    }
                    try (StoreScan all = transaction.scan(KeyRange.all(), Direction.FORWARD)) {
                        assertThat(StoreContent.difference(all, seen)).isNull();
                    }
                }
                transaction.rollback();
            }
        });
        assertThat(store.statistics().openSnapshots()).isZero();
    }

    @Test
    void shouldNotShowWhatOthersCommitMeanwhile() throws InterruptedException {
        try (Transaction transaction = store.begin()) {
            transaction.put(Texts.bytes("b"), Texts.bytes("own"));
            try (StoreScan scan = transaction.scan(KeyRange.all(), Direction.FORWARD)) {
                Thread other = new Thread(() -> store.put(Texts.bytes("a"), Texts.bytes("other")));
                other.start();
                other.join();
                assertThat(scan.next()).isTrue();
                assertThat(scan.keyBytes()).isEqualTo(Texts.bytes("b"));
                assertThat(Texts.text(scan.valueUntilNext())).isEqualTo("own");
                assertThat(Texts.text(scan.keyUntilNext())).isEqualTo("b");
                assertThat(scan.next()).isFalse();
                assertThatIllegalStateException().isThrownBy(scan::value);
            }
        }
    }

    @Test
    void shouldEndWithItsTransaction() {
        for (boolean isCommitted : new boolean[] {true, false}) {
            Transaction transaction = store.begin();
            transaction.put(Texts.bytes("a"), Texts.bytes("own"));
            try (StoreScan scan = transaction.scan(KeyRange.all(), Direction.FORWARD)) {
                assertThat(scan.next()).isTrue();
                if (isCommitted) {
                    transaction.commit();
                } else {
                    transaction.rollback();
                }
                store.begin().put(Texts.bytes("b"), new byte[100]); // in the same memory
                assertThatIllegalStateException().isThrownBy(scan::next).withMessageContaining("has ended");
                assertThatIllegalStateException().isThrownBy(scan::value).withMessageContaining("scan the store");
                store.rollback();
            }
        }
        assertThat(store.statistics().openSnapshots()).isZero();
    }

    @Test
    void shouldBeRefusedToAnotherThread() throws InterruptedException {
        try (Transaction transaction = store.begin();
                StoreScan scan = transaction.scan(KeyRange.all(), Direction.FORWARD)) {
            AtomicReference<Throwable> refusal = new AtomicReference<>();
            Thread other = new Thread(() -> {
                try {
                    scan.next();
                } catch (IllegalStateException e) {
                    refusal.set(e);
                }
            });
            other.start();
            other.join();
            assertThat(refusal.get()).hasMessageContaining("belongs to the thread");
            assertThat(scan.next()).isFalse();
        }
    }
}

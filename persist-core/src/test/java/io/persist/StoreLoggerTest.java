package io.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.error.IndexFullException;
import io.persist.error.LogIOException;
import io.persist.error.LogLockedException;
import io.persist.error.UnsupportedFormatException;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.transaction.Transaction;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreLoggerTest {

    private final CrashableStorage storage = new CrashableStorage();
    private final StoreConfig config = StoreConfig.builder(
                    LogConfig.builder(Path.of("store")).segmentLength(4096).build())
            .maxSpaceRatio(0)
            .build();

    /** Also of one that has nothing to do. */
    @Test
    void shouldRemoveNoRangeOnceItIsClosed() {
        StoreLogger store = open();
        store.close();
        KeyRange empty = KeyRange.between(bytes("b"), bytes("a"));
        for (KeyRange range : List.of(KeyRange.all(), empty)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> store.removeRange(range))
                    .withMessage("store is closed");
        }
    }

    @Test
    void shouldKeepWhatWasCommitted() {
        try (StoreLogger store = open()) {
            Transaction transaction = store.begin();
            transaction.put(bytes("b"), bytes("two"));
            transaction.put(bytes("a"), bytes("one"));
            assertThat(text(transaction.get(bytes("a")))).isEqualTo("one");
            assertThat(store.get(bytes("a"))).isNull();
            transaction.commit(Durability.SYNCED);
            assertThat(text(store.get(bytes("a")))).isEqualTo("one");
            store.begin().put(bytes("c"), bytes("never"));
            assertThatIllegalStateException().isThrownBy(store::begin).withMessageContaining("is open");
            store.rollback();
            assertThatIllegalStateException().isThrownBy(transaction::commit).withMessageContaining("begin");
        }
        try (StoreLogger store = open()) {
            assertThat(text(store.get(bytes("b")))).isEqualTo("two");
            assertThat(store.get(bytes("c"))).isNull();
            assertThat(store.size()).isEqualTo(2);
            assertThat(store.recovery().replay().transactions()).isEqualTo(1);
        }
    }

    @Test
    void shouldScanOneMomentsStateWhileItChanges() {
        try (StoreLogger store = open()) {
            for (int i = 0; i < 100; i++) {
                put(store, "key-" + (100 + i), "value-" + i);
            }
            List<String> seen = new ArrayList<>();
            try (StoreScan scan =
                    store.scan(KeyRange.between(bytes("key-110"), bytes("key-120")), Direction.BACKWARD)) {
                while (scan.next()) {
                    String key = text(scan.key());
                    seen.add(key + "=" + text(scan.value()));
                    Transaction transaction = store.begin();
                    transaction.remove(bytes(key));
                    transaction.put(bytes(key + "x"), bytes("new"));
                    transaction.commit();
                }
            }
            assertThat(seen).hasSize(10).startsWith("key-119=value-19").endsWith("key-110=value-10");
            assertThat(store.size()).isEqualTo(100);
            try (StoreScan scan = store.scan(KeyRange.prefix(bytes("key-11")), Direction.FORWARD)) {
                assertThat(scan.next()).isTrue();
                assertThat(text(scan.key())).isEqualTo("key-110x");
            }
            assertThat(store.statistics().openSnapshots()).isZero();
        }
    }

    /** What was overwritten wholly costs no copy: it goes as soon as two checkpoints lie above it. */
    @Test
    void shouldGiveBackWhatIsEmptyWithoutABudgetAndRefuseANegativeOne() {
        try (StoreLogger store = open()) {
            for (int i = 0; i < 200; i++) {
                put(store, "key", "a value that takes some space: " + i);
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> store.compact(-1))
                    .withMessage("budgetBytes=-1, min=0, max=" + Long.MAX_VALUE);
            assertThat(store.statistics().checkpoint().written()).isZero();
            long before = store.statistics().spaceBytes();

            assertThat(store.compact(0)).isZero();
            assertThat(store.statistics().checkpoint().written()).isEqualTo(2);
            store.compact(0);
            assertThat(store.statistics().spaceBytes())
                    .as("this call or upkeep has given some back")
                    .isLessThan(before);
            assertThat(store.statistics().compaction().movedBytes()).isZero();
        }
    }

    @Test
    void shouldTakeCheckpointsAndCompact() {
        try (StoreLogger store = open()) {
            for (int i = 0; i < 2000; i++) {
                put(store, "key-" + i % 50, "a value that takes some space: " + i);
            }
            long before = store.statistics().spaceBytes();
            try (StoreSnapshot snapshot = store.snapshot()) {
                store.compact(Long.MAX_VALUE / 2);
                assertThat(store.statistics().compaction().waitingSegments()).isPositive();
                assertThat(text(snapshot.get(bytes("key-7")))).endsWith(": 1957");
            }
            store.compact(Long.MAX_VALUE / 2);
            assertThat(store.statistics().spaceBytes())
                    .as("this call or upkeep has given back the rest")
                    .isLessThan(before / 2);
            assertThat(text(store.get(bytes("key-7")))).endsWith(": 1957");
        }
        try (StoreLogger store = open()) {
            assertThat(store.recovery().checkpoint().file()).isNotEmpty();
            assertThat(store.size()).isEqualTo(50);
            for (int i = 0; i < 50; i++) {
                assertThat(text(store.get(bytes("key-" + i)))).endsWith(": " + (1950 + i));
            }
        }
    }

    @Test
    void shouldDoTheSameDetached() {
        try (StoreLogger store =
                StoreLogger.open(config, DetachedConfig.builder().build(), storage, storage)) {
            for (int i = 0; i < 1000; i++) {
                put(store, "key-" + i % 100, "value-" + i);
                assertThat(text(store.get(bytes("key-" + i % 100)))).isEqualTo("value-" + i);
            }
        }
        try (StoreLogger store = open()) {
            assertThat(text(store.get(bytes("key-42")))).isEqualTo("value-942");
        }
    }

    @Test
    void shouldShowItselfToOthersWhileItIsWritten() {
        try (StoreLogger store = open()) {
            put(store, "a", "one");
            store.checkpoint();
            put(store, "b", "two");
            try (StoreView view = StoreView.open(storage, storage)) {
                put(store, "b", "three");
                assertThat(view.snapshot().size()).isEqualTo(2);
                assertThat(text(view.snapshot().get(bytes("a")))).isEqualTo("one");
                assertThat(text(view.snapshot().get(bytes("b")))).isEqualTo("two");
                assertThat(view.recovery().checkpoint().keys()).isEqualTo(1);
                assertThat(view.spaceBytes()).isPositive();
                assertThat(view.liveBytes()).isEqualTo(64);
            }
        }
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> StoreView.open(new CrashableStorage(), storage))
                .withMessageContaining("there is no log and no store");
    }

    @Test
    void shouldBoundTheMemoryOfAView(@TempDir Path directory) {
        StoreConfig roomy = StoreConfig.builder(
                        LogConfig.builder(directory).segmentLength(1 << 20).build())
                .checkpointPercent(0)
                .maxSpaceRatio(0)
                .build();
        StoreConfig scarce =
                StoreConfig.builder(roomy.log()).indexMemoryBytes(1 << 20).build();
        Random random = new Random(1);
        try (StoreLogger store = StoreLogger.open(roomy)) {
            for (int i = 0; i < 50; i++) {
                Transaction transaction = store.begin();
                for (int j = 0; j < 1000; j++) {
                    byte[] key = new byte[24]; // 50,000 of these take an index of more than 1 MiB
                    random.nextBytes(key);
                    transaction.put(key, key);
                }
                transaction.commit();
            }
            try (StoreView view = StoreView.open(roomy)) {
                assertThat(view.snapshot().size()).isEqualTo(50_000);
            }
            assertThatExceptionOfType(IndexFullException.class).isThrownBy(() -> StoreView.open(scarce));
            store.checkpoint();
            try (StoreView view = StoreView.open(scarce)) {
                assertThat(view.snapshot().size()).isEqualTo(50_000);
            }
        }
    }

    @Test
    void shouldNotShareItsCheckpointsWithAnotherStore() {
        CrashableStorage other = new CrashableStorage();
        CrashableStorage checkpoints = new CrashableStorage();
        try (StoreLogger store = StoreLogger.open(config, storage, checkpoints)) {
            put(store, "a", "one");
            store.checkpoint();
            assertThatExceptionOfType(LogLockedException.class)
                    .isThrownBy(() -> StoreLogger.open(config, other, checkpoints))
                    .withMessageContaining("in use by another store");
        }
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> StoreLogger.open(config, other, checkpoints))
                .withMessageContaining("belongs to another log");
        try (StoreLogger store = StoreLogger.open(config, storage, checkpoints)) {
            assertThat(store.recovery().checkpoint().keys()).isEqualTo(1);
            assertThat(text(store.get(bytes("a")))).isEqualTo("one");
        }
    }

    @Test
    void shouldRefuseKeysAndValuesThatDoNotFit() {
        try (StoreLogger store = open()) {
            Transaction transaction = store.begin();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> transaction.put(new byte[0], bytes("x")))
                    .withMessageContaining("key.length=0");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> transaction.put(new byte[1025], bytes("x")))
                    .withMessageContaining("key.length=1025");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> transaction.put(bytes("k"), new byte[4096]))
                    .withMessageContaining("value.length=4096");
            transaction.put(bytes("k"), new byte[0]);
            transaction.commit();
            assertThat(Objects.requireNonNull(store.get(bytes("k"))).remaining())
                    .isZero();
        }
    }

    private StoreLogger open() {
        return StoreLogger.open(config, storage, storage);
    }

    private static void put(StoreLogger store, String key, String value) {
        Transaction transaction = store.begin();
        transaction.put(bytes(key), bytes(value));
        transaction.commit();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(@Nullable ByteBuffer value) {
        return StandardCharsets.UTF_8.decode(Objects.requireNonNull(value)).toString();
    }
}

package io.persist.store.transaction;

import static io.persist.store.Texts.bytes;
import static io.persist.store.Texts.keys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.StoreLogger;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Neighbour;
import io.persist.store.StoreConfig;
import io.persist.store.StoreEntry;
import io.persist.store.Texts;
import io.persist.store.read.StoreReads;
import io.persist.store.read.StoreScan;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What scans depend on beside the transaction's own writes, and neighbours, which are the first keys of scans. */
class OptimisticOwnWritesTest {

    private static final KeyRange C_TO_G = KeyRange.closed(bytes("c"), bytes("g"));

    private final StoreLogger store = Texts.open(new CrashableStorage());

    @BeforeEach
    void fill() {
        for (String key : List.of("a", "c", "e", "g", "i")) {
            put(key);
        }
    }

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(store.statistics().openSnapshots()).isZero();
        store.close();
    }

    private void put(String key) {
        store.put(bytes(key), bytes("of " + key));
    }

    /** What others have where the transaction has changed keys is not shown, so it does not matter. */
    @Test
    void shouldNotDependOnWhatOwnWritesCover() {
        for (Direction direction : Direction.values()) {
            try (OptimisticTransaction transaction = store.beginOptimistic()) {
                transaction.put(bytes("a"), bytes("own"));
                transaction.put(bytes("d"), bytes("own"));
                transaction.remove(bytes("e"));
                transaction.removeRange(KeyRange.between(bytes("g"), bytes("i")));
                transaction.put(bytes("h"), bytes("own"));
                try (StoreScan scan = transaction.scan(KeyRange.all(), direction)) {
                    assertThat(keys(scan)).isEqualTo(direction == Direction.FORWARD ? "acdhi" : "ihdca");
                }
                put("a");
                store.remove(bytes("e"));
                put("d");
                put("g");
                put("gg");
                put("h");
                put("hh");
                assertThat(transaction.tryCommit()).isTrue();
            }
            assertThat(Texts.state(store).keySet()).containsExactly("a", "c", "d", "h", "i");
            assertThat(Texts.get(store, "a")).isEqualTo("own");
            store.removeRange(KeyRange.all());
            fill();
        }
    }

    /** But all around them, and up to them where the scan has stopped there. */
    @Test
    void shouldDependOnTheGapsBetweenOwnWrites() {
        for (String changed : List.of("a", "b", "cc", "d\0", "f", "i")) {
            try (OptimisticTransaction transaction = store.beginOptimistic()) {
                transaction.put(bytes("d"), bytes("own"));
                transaction.remove(bytes("e"));
                transaction.removeRange(KeyRange.between(bytes("g"), bytes("i")));
                transaction.put(bytes("k"), bytes("own"));
                try (StoreScan scan = transaction.scan(KeyRange.below(bytes("z")), Direction.FORWARD)) {
                    for (int i = 0; i < 5; i++) {
                        assertThat(scan.next()).isTrue(); // a, c, d, i, k
                    }
                }
                put("l"); // behind k
                put("k");
                put(changed);
                assertThat(transaction.tryCommit()).as(changed).isFalse();
            }
            store.removeRange(KeyRange.all());
            fill();
        }
    }

    /** A write of its own that it makes later covers nothing: what was there has been read. */
    @Test
    void shouldDependOnWhatItChangesAfterwards() {
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            try (StoreScan scan = transaction.scan(C_TO_G, Direction.FORWARD)) {
                while (scan.next()) {
                    transaction.remove(scan.keyBytes());
                }
            }
            put("e");
            assertThat(transaction.tryCommit()).isFalse();
        }
        assertThat(Texts.state(store).keySet()).containsExactly("a", "c", "e", "g", "i");
    }

    /** The range that a transaction removes is not read by that; a scan reads it. */
    @Test
    void shouldRemoveARangeThatNobodyHasChangedSinceItWasScanned() {
        for (boolean isChanged : new boolean[] {false, true}) {
            try (OptimisticTransaction transaction = store.beginOptimistic()) {
                try (StoreScan scan = transaction.scan(C_TO_G, Direction.FORWARD)) {
                    assertThat(keys(scan)).isEqualTo("ceg");
                }
                transaction.removeRange(C_TO_G);
                if (isChanged) {
                    put("d");
                }
                assertThat(transaction.tryCommit()).isEqualTo(!isChanged);
            }
            assertThat(Texts.state(store).keySet())
                    .containsExactlyElementsOf(isChanged ? List.of("a", "c", "d", "e", "g", "i") : List.of("a", "i"));
            fill();
        }
    }

    @Test
    void shouldDependOnANeighbourAndOnTheGapBeforeIt() {
        record Case(Neighbour which, String of, @Nullable String found, String changed, boolean commits) {}
        List<Case> cases = List.of(
                new Case(Neighbour.CEILING, "d", "e", "dd", false),
                new Case(Neighbour.CEILING, "d", "e", "d", false),
                new Case(Neighbour.CEILING, "d", "e", "e", false),
                new Case(Neighbour.CEILING, "d", "e", "f", true),
                new Case(Neighbour.CEILING, "d", "e", "cc", true),
                new Case(Neighbour.HIGHER, "e", "g", "e", true),
                new Case(Neighbour.HIGHER, "e", "g", "f", false),
                new Case(Neighbour.HIGHER, "e", "g", "g\0", true),
                new Case(Neighbour.FLOOR, "d", "c", "d", false),
                new Case(Neighbour.FLOOR, "d", "c", "d\0", true),
                new Case(Neighbour.FLOOR, "d", "c", "bb", true),
                new Case(Neighbour.LOWER, "e", "c", "e", true),
                new Case(Neighbour.LOWER, "e", "c", "d", false),
                new Case(Neighbour.HIGHER, "i", null, "z", false),
                new Case(Neighbour.LOWER, "a", null, "\0", false),
                new Case(Neighbour.LOWER, "a", null, "a", true));
        for (Case one : cases) {
            try (OptimisticTransaction transaction = store.beginOptimistic()) {
                StoreEntry entry = transaction.neighbour(bytes(one.of), one.which);
                assertThat(entry == null ? null : new String(entry.key())).isEqualTo(one.found);
                assertThat(entry == null ? null : new String(entry.value()))
                        .isEqualTo(one.found == null ? null : "of " + one.found);
                put(one.changed);
                assertThat(transaction.tryCommit()).as("%s", one).isEqualTo(one.commits);
            }
            store.removeRange(KeyRange.all());
            fill();
        }
    }

    @Test
    void shouldFindTheFirstAndTheLast() {
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            transaction.put(bytes("aa"), bytes("own"));
            transaction.remove(bytes("a"));
            StoreReads reads = transaction;
            assertThat(new String(reads.firstEntry().key())).isEqualTo("aa");
            assertThat(new String(reads.lastEntry().key())).isEqualTo("i");
            assertThatIllegalArgumentException().isThrownBy(() -> reads.higherEntry(new byte[0]));
            assertThatIllegalArgumentException().isThrownBy(() -> reads.lowerEntry(new byte[1025]));
            put("b"); // between both
            put("a"); // which it has removed
            assertThat(transaction.tryCommit()).isTrue();
        }
        assertThat(Texts.state(store).keySet()).containsExactly("aa", "b", "c", "e", "g", "i");
    }

    /** A thread of a pool may live on for long without another transaction. */
    @Test
    void shouldKeepNothingOfALargeTransactionThatHasEnded() throws ReflectiveOperationException {
        LogConfig log =
                LogConfig.builder(Path.of("store")).segmentLength(4 << 20).build();
        CrashableStorage storage = new CrashableStorage();
        try (StoreLogger large = StoreLogger.open(StoreConfig.builder(log).build(), storage, storage)) {
            WeakReference<byte[]> changes = commitLarge(large);
            Await.collected("it is collected", changes);
        }
    }

    private WeakReference<byte[]> commitLarge(StoreLogger large) throws ReflectiveOperationException {
        try (OptimisticTransaction transaction = large.beginOptimistic()) {
            transaction.put(bytes("large"), new byte[(1 << 20) + (1 << 19)]);
            try (StoreScan scan = transaction.scan(KeyRange.all(), Direction.FORWARD)) {
                assertThat(scan.next()).isTrue();
            }
            Field plain = OptimisticTransaction.class.getDeclaredField("transaction");
            plain.setAccessible(true);
            byte[] array =
                    ((Transaction) plain.get(transaction)).open().buffer().array();
            assertThat(transaction.tryCommit()).isTrue();
            return new WeakReference<>(array);
        }
    }
}

package io.persist.store.transaction;

import static io.persist.store.Texts.bytes;
import static io.persist.store.Texts.keys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.StoreLogger;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Texts;
import io.persist.store.read.StoreScan;
import io.persist.testkit.CrashableStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A commit depends on what its scans have gone past, the gaps too, and on nothing behind that. */
class OptimisticScanTest {

    private static final KeyRange C_TO_G = KeyRange.closed(bytes("c"), bytes("g"));

    private final CrashableStorage storage = new CrashableStorage();
    private final StoreLogger store = Texts.open(storage);

    @BeforeEach
    void fill() {
        for (String key : List.of("a", "c", "e", "g", "i")) {
            put(key);
        }
    }

    @AfterEach
    void shouldLeaveNothingOpen() {
        store.rollback();
        assertThat(store.statistics().openSnapshots()).isZero();
        store.close();
        assertThat(storage.openHandles()).isZero();
    }

    private void put(String key) {
        store.put(bytes(key), bytes("of " + key));
    }

    /** Whether a transaction commits that scans {@code range} to its end, if {@code change} comes then. */
    private boolean commitsAfter(KeyRange range, Direction direction, Runnable change) {
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            try (StoreScan scan = transaction.scan(range, direction)) {
                keys(scan);
            }
            change.run();
            transaction.put(bytes("z"), bytes("own"));
            return transaction.tryCommit();
        }
    }

    private boolean commitsAfter(Runnable change) {
        boolean forward = commitsAfter(C_TO_G, Direction.FORWARD, change);
        store.removeRange(KeyRange.all());
        fill();
        assertThat(commitsAfter(C_TO_G, Direction.BACKWARD, change)).isEqualTo(forward);
        return forward;
    }

    @Test
    void shouldCommitIfNothingHasChanged() {
        assertThat(commitsAfter(() -> {})).isTrue();
        assertThat(Texts.get(store, "z")).isEqualTo("own");
    }

    @Test
    void shouldNotCommitIfAKeyHasCome() {
        assertThat(commitsAfter(() -> put("d"))).isFalse();
        assertThat(Texts.get(store, "z")).isNull();
        assertThat(commitsAfter(() -> put("c\0"))).isFalse();
        assertThat(commitsAfter(() -> put("fffff"))).isFalse();
    }

    @Test
    void shouldNotCommitIfAKeyHasGone() {
        assertThat(commitsAfter(() -> store.remove(bytes("e")))).isFalse();
        assertThat(commitsAfter(() -> store.remove(bytes("c")))).isFalse();
        assertThat(commitsAfter(() -> store.remove(bytes("g")))).isFalse();
    }

    @Test
    void shouldNotCommitIfAValueWasPut() {
        assertThat(commitsAfter(() -> put("c"))).as("the same bytes").isFalse();
        assertThat(commitsAfter(() -> put("g"))).isFalse();
    }

    @Test
    void shouldNotCommitIfOneHasGoneAndAnotherHasCome() {
        assertThat(commitsAfter(() -> {
                    store.remove(bytes("e"));
                    put("d");
                }))
                .isFalse();
        assertThat(commitsAfter(() -> {
                    store.remove(bytes("e"));
                    put("e");
                }))
                .isFalse();
    }

    @Test
    void shouldNotCommitIfARangeHasGone() {
        assertThat(commitsAfter(() -> store.removeRange(KeyRange.closed(bytes("b"), bytes("c")))))
                .isFalse();
        assertThat(commitsAfter(() -> store.removeRange(KeyRange.from(bytes("g")))))
                .isFalse();
        assertThat(commitsAfter(() -> store.removeRange(KeyRange.all()))).isFalse();
    }

    @Test
    void shouldCommitIfTheChangeIsOutside() {
        assertThat(commitsAfter(() -> {
                    put("a");
                    put("b");
                    put("bz");
                    put("g\0");
                    store.remove(bytes("i"));
                    store.removeRange(KeyRange.after(bytes("g")));
                    store.removeRange(KeyRange.below(bytes("c")));
                }))
                .isTrue();
    }

    /** As with a get: the same answer now as then. */
    @Test
    void shouldCommitIfAKeyHasComeAndGone() {
        assertThat(commitsAfter(() -> {
                    put("d");
                    store.remove(bytes("d"));
                    store.removeRange(KeyRange.between(bytes("d"), bytes("e"))); // of no key
                }))
                .isTrue();
    }

    @Test
    void shouldKnowOpenEnds() {
        KeyRange all = KeyRange.all();
        assertThat(commitsAfter(all, Direction.FORWARD, () -> put("\0"))).isFalse();
        assertThat(commitsAfter(all, Direction.BACKWARD, () -> put("\0"))).isFalse();
        assertThat(commitsAfter(all, Direction.FORWARD, () -> store.put(new byte[] {-1, -1}, new byte[1])))
                .isFalse();
        assertThat(commitsAfter(all, Direction.FORWARD, () -> {})).isTrue();
        KeyRange none = KeyRange.between(bytes("e"), bytes("e"));
        assertThat(commitsAfter(none, Direction.FORWARD, () -> put("e"))).isTrue();
        KeyRange empty = KeyRange.between(bytes("e"), bytes("a"));
        assertThat(commitsAfter(empty, Direction.BACKWARD, () -> put("c"))).isTrue();
        KeyRange gap = KeyRange.prefix(bytes("d"));
        assertThat(commitsAfter(gap, Direction.FORWARD, () -> put("d"))).isFalse();
    }

    /** What comes behind the place where the scan has stopped was not read. */
    @Test
    void shouldDependOnWhatItHasPassedOnly() {
        for (Direction direction : Direction.values()) {
            boolean isForward = direction == Direction.FORWARD;
            for (boolean isBehind : new boolean[] {false, true}) {
                put("e");
                try (OptimisticTransaction transaction = store.beginOptimistic();
                        StoreScan scan = transaction.scan(C_TO_G, direction)) {
                    assertThat(scan.next() && scan.next()).isTrue(); // e
                    if (isBehind) {
                        store.removeRange(isForward ? KeyRange.after(bytes("e")) : KeyRange.below(bytes("e")));
                        store.put(bytes(isForward ? "e\0" : "dzzz"), bytes("right behind"));
                    } else {
                        put(isForward ? "dzzz" : "e\0");
                    }
                    assertThat(transaction.tryCommit()).isEqualTo(isBehind);
                }
                store.removeRange(KeyRange.all());
                fill();
            }
        }
    }

    @Test
    void shouldDependOnNothingBeforeItsFirstStep() {
        try (OptimisticTransaction transaction = store.beginOptimistic();
                StoreScan scan = transaction.scan(KeyRange.all(), Direction.FORWARD)) {
            put("a");
            assertThat(transaction.tryCommit()).isTrue();
            assertThatIllegalStateException().isThrownBy(scan::next).withMessageContaining("has ended");
        }
    }

    /** Two scans at once, each with its own moment and its own end; and a get. */
    @Test
    void shouldDependOnAllThatItHasRead() {
        for (String changed : List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j")) {
            try (OptimisticTransaction transaction = store.beginOptimistic();
                    StoreScan one = transaction.scan(KeyRange.all(), Direction.FORWARD);
                    StoreScan other = transaction.scan(KeyRange.all(), Direction.BACKWARD)) {
                assertThat(one.next() && other.next() && one.next()).isTrue(); // a, i, c
                put("f"); // between both
                assertThat(transaction.contains(bytes("f"))).isTrue();
                put(changed);
                assertThat(transaction.tryCommit())
                        .as(changed)
                        .isEqualTo(List.of("d", "e", "g", "h").contains(changed));
            }
            store.removeRange(KeyRange.all());
            fill();
        }
    }

    /** They are of two moments between which something has changed, as the second one has seen. */
    @Test
    void shouldNotCommitTwoScansThatDiffer() {
        try (OptimisticTransaction transaction = store.beginOptimistic();
                StoreScan old = transaction.scan(KeyRange.all(), Direction.FORWARD)) {
            put("d");
            try (StoreScan now = transaction.scan(KeyRange.all(), Direction.FORWARD)) {
                assertThat(keys(now)).isEqualTo("acdegi");
            }
            assertThat(keys(old)).isEqualTo("acegi");
            assertThat(transaction.tryCommit()).isFalse();
        }
    }

    /** It has put nothing, and still knows whether all was of one moment. */
    @Test
    void shouldTellWhetherItsReadsWereOfOneMoment() {
        for (boolean isChanged : new boolean[] {false, true}) {
            try (OptimisticTransaction transaction = store.beginOptimistic()) {
                List<String> seen = new ArrayList<>();
                for (String prefix : List.of("a", "c", "e")) {
                    try (StoreScan scan = transaction.scan(KeyRange.prefix(bytes(prefix)), Direction.FORWARD)) {
                        seen.add(keys(scan));
                    }
                }
                if (isChanged) {
                    put("cc");
                }
                assertThat(transaction.tryCommit()).isEqualTo(!isChanged);
                assertThat(seen).containsExactly("a", "c", "e");
            }
        }
    }

    @Test
    void shouldEndWithItsTransaction() throws Exception {
        OptimisticTransaction transaction = store.beginOptimistic();
        try (StoreScan scan = transaction.scan(KeyRange.all(), Direction.FORWARD)) {
            assertThat(scan.next()).isTrue();
            FutureTask<Boolean> other = new FutureTask<>(scan::next);
            Thread thread = new Thread(other);
            thread.start();
            thread.join();
            assertThat(other).failsWithin(Duration.ZERO).withThrowableThat().withMessageContaining("belongs to");
            transaction.rollback();
            assertThatIllegalStateException().isThrownBy(scan::next).withMessageContaining("has ended");
            assertThatIllegalStateException().isThrownBy(scan::value);
        }
        assertThatIllegalStateException().isThrownBy(() -> transaction.scan(KeyRange.all(), Direction.FORWARD));
        assertThatIllegalStateException().isThrownBy(transaction::firstEntry);
        assertThatIllegalStateException().isThrownBy(() -> transaction.getUntilNext(bytes("a")));
        try (OptimisticTransaction next = store.beginOptimistic()) { // it has read nothing of what the first one has
            put("a");
            assertThat(next.tryCommit()).isTrue();
        }
    }
}

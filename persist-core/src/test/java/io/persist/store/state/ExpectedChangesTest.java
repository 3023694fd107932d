package io.persist.store.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.persist.error.IndexFullException;
import io.persist.format.TransactionLayout;
import io.persist.index.KeyIndex;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.store.OldValues;
import io.persist.store.layer.ChangeOrder;
import io.persist.store.staged.StagedChanges;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which memory is kept for a large transaction: for its new keys, and for those that others remove meanwhile. */
class ExpectedChangesTest {

    private static final int KEYS = 3_000;

    /** So many keys may count as new although they are there: for those is memory that is not used. */
    private static final int FEW = 100;

    private static final long FRAME = 4096;
    private static final int LIMIT = 4 << 20;

    private final StoreState state = new StoreState(new KeyIndex(LIMIT));
    private final StagedChanges large = new StagedChanges(32 << 20, OldValues.OMIT);
    private final StagedChanges other = new StagedChanges(1 << 16, OldValues.OMIT);

    @BeforeEach
    void putHalf() {
        state.live().addSegment(0, 1L << 40);
        for (int i = 0; i < KEYS; i += 2) {
            state.put(new KeyBuffer().set(key(i), 0, key(i).length), FRAME, 1);
        }
    }

    @AfterEach
    void close() {
        state.close();
    }

    /** Long, and like no other. */
    private static byte[] key(int number) {
        byte[] key = new byte[1000];
        new Random(number).nextBytes(key);
        return key;
    }

    private void expect(int step) {
        expect(step, KEYS);
    }

    private void expect(int step, int end) {
        large.clear();
        for (int i = 0; i < end; i += step) {
            large.put(key(i), new byte[1], 0, 1);
        }
        large.enterNew();
        ChangeOrder order = ChangeOrder.ofAll(large.buffer(), large.length(), large.count());
        state.expected().begin(large, order);
        for (int next = 0; next < order.count(); ) {
            next = state.expected().lookUpSome(next);
        }
    }

    private void apply() {
        other.seal(TransactionLayout.TYPE_CHANGES);
        state.apply(other, 1 << 20);
    }

    @Test
    void shouldKeepNoneForKeysThatAreThere() {
        long before = state.index().usedBytes();
        expect(2);
        assertThat(state.expected().newKeys()).isLessThan(FEW);
        assertThat(state.expected().newBytes())
                .isEqualTo(1000L * state.expected().newKeys());
        state.expected().ensureMemory();
        state.layOver(large, 1 << 20);
        while (!state.settle(1)) {
            assertThat(state.index().usedBytes()).isEqualTo(before);
        }
    }

    @Test
    void shouldKeepSomeForKeysThatAreNew() {
        expect(1);
        assertThat(state.expected().newKeys()).isEqualTo(KEYS / 2);
        assertThat(state.expected().newBytes()).isEqualTo(1000L * KEYS / 2);
        assertThatExceptionOfType(IndexFullException.class)
                .isThrownBy(() -> state.expected().ensureMemory());
    }

    /** Memory is made free step by step; who raises the bound has to know what all steps need. */
    @Test
    void shouldSayHowMuchIsMissingInAll() {
        int most = 20_000;
        expect(1, most);
        IndexFullException refused = catchThrowableOfType(IndexFullException.class, () -> {
            while (!state.expected().ensureSomeMemory()) {
                // goes on
            }
        });
        assertThat(missing(refused)).isGreaterThan(1000L * (most - KEYS) - LIMIT);
    }

    private static long missing(IndexFullException refused) {
        return Long.parseLong(refused.getMessage().replaceAll(".*missing=(\\d+),.*", "$1"));
    }

    @Test
    void shouldCountAKeyAsNewThatAnotherTransactionRemoves() {
        expect(2);
        int before = state.expected().newKeys();
        other.clear();
        other.remove(key(0));
        other.remove(key(1));
        other.remove(key(2));
        apply();
        assertThat(state.expected().newKeys()).isEqualTo(before + 2);
        assertThat(state.expected().newBytes()).isEqualTo(1000L * (before + 2));
    }

    /** Of a range it is not known which keys it has. */
    @Test
    void shouldCountAllAsNewWhenAnotherTransactionRemovesARange() {
        expect(2);
        int before = state.expected().newKeys();
        other.clear();
        other.removeRange(new byte[] {0}, new byte[0]);
        apply();
        assertThat(state.expected().newKeys()).isEqualTo(KEYS / 2);
        expect(2);
        assertThat(state.expected().newKeys())
                .as("the index is about to lose them")
                .isEqualTo(KEYS / 2);
        while (!state.settle(KEYS)) {
            // goes on
        }
        expect(2);
        assertThat(state.expected().newKeys()).isEqualTo(KEYS / 2);
    }

    /** What is kept goes down with each key that the index gets, to nothing. */
    @Test
    void shouldKeepLessWithEachNewKey() {
        Location found = new Location();
        expect(1, FEW);
        state.expected().ensureMemory();
        state.layOver(large, 1 << 20);
        while (!state.settle(1)) {
            assertThat(state.index().budget().expected().isReady()).isTrue();
        }
        assertThat(state.get(new KeyBuffer().set(key(FEW - 1), 0, 1000), found)).isTrue();
    }

    /** Of one that does not fit nothing is on the log: that is no reason to refuse what does fit. */
    @Test
    void shouldLeaveMemoryToATransactionThatCannotDoWithout() {
        expect(1);
        other.clear();
        other.put(key(0), new byte[1], 0, 1);
        other.put(key(KEYS + 1), new byte[1], 0, 1);
        state.prepare(other);
        assertThat(state.expected().hasMemory()).as("it was given away").isFalse();
        apply();
        assertThatExceptionOfType(IndexFullException.class)
                .isThrownBy(() -> state.expected().ensureMemory());
        expect(2);
        state.expected().ensureMemory();
        assertThat(state.expected().hasMemory()).as("what the next one needs").isTrue();
    }

    /** What is on the log has to come into the index: others are refused until it has. */
    @Test
    void shouldNotLeaveTheMemoryOfATransactionThatIsOnTheLog() {
        expect(1, FEW);
        state.expected().ensureMemory();
        state.layOver(large, 1 << 20);
        StagedChanges most = new StagedChanges(16 << 20, OldValues.OMIT);
        most.clear();
        for (int i = 0; i < 2 * KEYS; i++) {
            most.put(key(KEYS + i), new byte[1], 0, 1);
        }
        assertThatExceptionOfType(IndexFullException.class).isThrownBy(() -> state.prepare(most));
        assertThat(state.index().budget().expected().isReady())
                .as("what is left to do")
                .isTrue();
        while (!state.settle(1)) {
            assertThat(state.index().budget().expected().isReady()).isTrue();
        }
    }
}

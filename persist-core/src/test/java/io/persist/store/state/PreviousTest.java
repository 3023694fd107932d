package io.persist.store.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.TransactionLayout;
import io.persist.store.OldValues;
import io.persist.store.Texts;
import io.persist.store.staged.StagedChanges;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which entry a change replaces is told anew by each attempt to commit it, as the store is then. */
class PreviousTest {

    private static final byte[] KEY = Texts.bytes("key");
    private static final byte[] VALUE = {1};

    private final StoreState state = new StoreState();
    private final StagedChanges committed = new StagedChanges(1 << 16, OldValues.RECORD);
    private final StagedChanges staged = new StagedChanges(1 << 16, OldValues.RECORD);

    PreviousTest() {
        state.live().addSegment(0, 1 << 20);
        staged.clear();
    }

    @AfterEach
    void close() {
        state.close();
    }

    private void commitPut(long frame) {
        committed.clear();
        committed.put(KEY, VALUE, 0, 1);
        state.apply(committed, frame);
    }

    private void commitRemove(long frame) {
        committed.clear();
        committed.remove(KEY);
        state.apply(committed, frame);
    }

    private long previousOfLast() {
        state.recordPrevious(staged);
        int last = TransactionLayout.HEADER_LENGTH;
        while (staged.next(last) < staged.length()) {
            last = staged.next(last);
        }
        return TransactionLayout.previous(staged.buffer(), last);
    }

    @Test
    void shouldTellNothingBehindARemoveAlsoTheSecondTime() {
        commitPut(1000);
        staged.remove(KEY);
        staged.put(KEY, VALUE, 0, 1);
        assertThat(previousOfLast()).isZero();
        assertThat(previousOfLast()).isZero();
    }

    @Test
    void shouldTellNothingBehindARemovedRangeAlsoTheSecondTime() {
        commitPut(1000);
        staged.put(KEY, VALUE, 0, 1);
        staged.removeRange(KEY, new byte[0]);
        staged.put(KEY, VALUE, 0, 1);
        assertThat(previousOfLast()).isZero();
        assertThat(previousOfLast()).isZero();
    }

    @Test
    void shouldTellWhatIsThereAtTheSecondTime() {
        staged.put(KEY, VALUE, 0, 1);
        commitPut(1000);
        long first = previousOfLast();
        assertThat(first).isGreaterThan(1000);
        commitPut(2000);
        assertThat(previousOfLast()).isEqualTo(first + 1000);
        commitRemove(3000);
        assertThat(previousOfLast()).isZero();
    }
}

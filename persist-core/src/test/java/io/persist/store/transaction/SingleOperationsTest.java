package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.persist.StoreLogger;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.store.Texts;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is said of operations on one key beyond what the model tells. */
class SingleOperationsTest {

    private static final byte[] KEY = Texts.bytes("key");
    private static final byte[] VALUE = Texts.bytes("value");

    private final StoreLogger store = Texts.open(new CrashableStorage());

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void shouldHaveTheLevelThatWasAskedFor() {
        long end = store.put(KEY, VALUE, Durability.SYNCED);
        assertThat(store.syncedPosition()).isEqualTo(end);
        assertThat(store.compareAndSet(KEY, VALUE, KEY, Durability.SYNCED)).isTrue();
        assertThat(store.syncedPosition()).isEqualTo(store.position()).isGreaterThan(end);
        end = store.position();
        assertThat(store.remove(KEY, Durability.SYNCED)).isTrue();
        assertThat(store.syncedPosition()).isEqualTo(store.position()).isGreaterThan(end);
    }

    @Test
    void shouldWriteNothingWhereNothingChanges() {
        long end = store.put(KEY, VALUE);
        assertThat(store.remove(VALUE)).isFalse();
        assertThat(store.compareAndSet(KEY, KEY, VALUE)).isFalse();
        assertThat(store.compareAndSet(KEY, null, VALUE)).isFalse();
        assertThat(store.compareAndSet(VALUE, null, null)).isTrue();
        assertThat(store.position()).isEqualTo(end);
    }

    @Test
    void shouldReturnTheValueBefore() {
        assertThat(store.getAndRemove(KEY)).isNull();
        assertThat(store.position()).as("nothing is written").isEqualTo(SegmentHeader.LENGTH);
        assertThat(store.getAndPut(KEY, VALUE)).isNull();
        ByteBuffer before = store.getAndPut(KEY, KEY, Durability.SYNCED);
        assertThat(store.syncedPosition()).isEqualTo(store.position());
        assertThat(store.get(KEY)).isEqualTo(ByteBuffer.wrap(KEY));
        assertThat(store.getAndRemove(KEY, Durability.SYNCED)).isEqualTo(ByteBuffer.wrap(KEY));
        assertThat(store.syncedPosition()).isEqualTo(store.position());
        assertThat(store.contains(KEY)).isFalse();
        assertThat(before).as("a copy").isEqualTo(ByteBuffer.wrap(VALUE));
        assertThatNullPointerException().isThrownBy(() -> store.getAndPut(KEY, null));
    }

    @Test
    void shouldTellWhatHasChangedSinceATransactionHasReadIt() {
        assertTellsWhatHasChanged(OptimisticTransaction::get);
        assertTellsWhatHasChanged(OptimisticTransaction::contains);
    }

    private void assertTellsWhatHasChanged(BiConsumer<OptimisticTransaction, byte[]> read) {
        assertThat(isUnchangedAfter(read, () -> store.put(KEY, VALUE)))
                .as("there was none")
                .isFalse();
        assertThat(isUnchangedAfter(read, () -> store.put(KEY, VALUE)))
                .as("the same bytes")
                .isFalse();
        assertThat(isUnchangedAfter(read, () -> {
                    store.remove(KEY);
                    store.put(KEY, VALUE);
                }))
                .as("the same bytes, put anew")
                .isFalse();
        assertThat(isUnchangedAfter(read, () -> store.remove(KEY)))
                .as("there is none now")
                .isFalse();
        assertThat(isUnchangedAfter(read, () -> {
                    store.put(KEY, VALUE);
                    store.remove(KEY);
                }))
                .as("there was none, and there is none again")
                .isTrue();
    }

    /** Whether a transaction that has read the key before the change can be committed after it. */
    private boolean isUnchangedAfter(BiConsumer<OptimisticTransaction, byte[]> read, Runnable change) {
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            read.accept(transaction, KEY);
            change.run();
            return transaction.tryCommit();
        }
    }

    /** What it reads counts as read: a transaction that takes what another one has changed is refused. */
    @Test
    void shouldReturnTheValueBeforeWithinATransaction() {
        store.put(KEY, VALUE);
        try (Transaction transaction = store.begin()) {
            assertThat(transaction.getAndPut(KEY, KEY)).isEqualTo(ByteBuffer.wrap(VALUE));
            assertThat(transaction.getAndRemove(KEY)).isEqualTo(ByteBuffer.wrap(KEY));
            assertThat(transaction.getAndRemove(KEY)).isNull();
            transaction.rollback();
        }
        for (boolean isPut : new boolean[] {true, false}) {
            try (OptimisticTransaction transaction = store.beginOptimistic()) {
                ByteBuffer before = isPut ? transaction.getAndPut(KEY, KEY) : transaction.getAndRemove(KEY);
                assertThat(before).isEqualTo(ByteBuffer.wrap(VALUE));
                store.put(KEY, VALUE);
                assertThat(transaction.tryCommit()).isFalse();
            }
        }
        assertThat(store.getBytes(KEY)).isEqualTo(VALUE);
    }

    @Test
    void shouldLeaveTheThreadsOpenTransactionAlone() {
        Transaction transaction = store.begin();
        transaction.put(KEY, VALUE);
        store.put(Texts.bytes("other"), VALUE);
        assertThat(store.contains(KEY)).isFalse();
        assertThat(store.remove(Texts.bytes("other"))).isTrue();
        transaction.commit();
        assertThat(store.contains(KEY)).isTrue();
    }

    @Test
    void shouldRefuseWhatIsNoKeyOrTooLong() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.put(new byte[0], VALUE))
                .withMessageContaining("length=0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.contains(new byte[1025]))
                .withMessageContaining("length=1025");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.compareAndSet(KEY, null, new byte[Texts.SEGMENT_LENGTH]))
                .withMessageContaining("too long");
        assertThat(store.size()).isZero();
        store.put(KEY, VALUE);
        assertThat(Texts.get(store, "key")).isEqualTo("value");
    }

    @Test
    void shouldEndAnOptimisticTransactionOnce() {
        OptimisticTransaction first = store.beginOptimistic();
        assertThatIllegalStateException().isThrownBy(store::begin).withMessageContaining("is open");
        first.rollback();
        OptimisticTransaction second = store.beginOptimistic();
        first.close(); // which is over, and must not end the second one
        assertThatIllegalStateException().isThrownBy(first::tryCommit).withMessageContaining("begin a new one");
        second.put(KEY, VALUE);
        assertThat(second.tryCommit(Durability.SYNCED)).isTrue();
        assertThat(store.syncedPosition()).isEqualTo(store.position());
        assertThat(second.isOpen()).isFalse();
        try (Transaction plain = store.begin()) { // its reads do not matter
            plain.get(KEY);
            store.put(KEY, KEY);
            plain.put(VALUE, VALUE);
            plain.commit();
        }
        assertThat(store.size()).isEqualTo(2);
    }

    @Test
    void shouldRefuseIfWhatWasNotThereHasCome() {
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            assertThat(transaction.get(KEY)).isNull();
            store.put(KEY, VALUE);
            transaction.put(VALUE, VALUE);
            assertThat(transaction.tryCommit()).isFalse();
        }
        assertThat(store.contains(VALUE)).isFalse();
    }

    /** The same bytes, put again, are another value: what was concluded meanwhile may have been undone. */
    @Test
    void shouldRefuseIfTheSameValueWasPutAgain() {
        store.put(KEY, VALUE);
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            assertThat(transaction.getBytes(KEY)).isEqualTo(VALUE);
            store.put(KEY, VALUE);
            assertThat(transaction.tryCommit()).isFalse();
        }
    }
}

package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.StoreLogger;
import io.persist.store.Texts;
import io.persist.testkit.CrashableStorage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A transaction that nobody has any more is in the way of its thread until the thread gives it up. */
class LostTransactionTest {

    private static final byte[] KEY = {1};
    private static final byte[] VALUE = {2};

    private final StoreLogger store = Texts.open(new CrashableStorage());

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void shouldBeGivenUpByTheNextTaskOfTheThread() {
        store.begin().put(KEY, VALUE);
        assertThatIllegalStateException()
                .isThrownBy(store::begin)
                .withMessageStartingWith("a transaction is open in this thread")
                .withMessageEndingWith("call StoreLogger.rollback()");
        store.rollback();
        store.rollback(); // does nothing
        try (Transaction next = store.begin()) {
            assertThat(next.changes()).isZero();
            next.commit();
        }
        assertThat(store.contains(KEY)).isFalse();
    }

    /** It was kept: as a field, or by a block that ends later. */
    @Test
    void shouldNotReachTheNextOneByTheHandleOfOneThatHasEnded() {
        for (int i = 0; i < 3; i++) {
            Transaction ended = store.begin();
            ended.commit();
            try (Transaction next = store.begin()) {
                next.put(KEY, VALUE);
                assertThat(ended.isOpen()).isFalse();
                assertThatIllegalStateException()
                        .isThrownBy(() -> ended.remove(KEY))
                        .withMessage("this transaction has ended: begin a new one");
                assertThatIllegalStateException().isThrownBy(ended::commit);
                ended.close();
                assertThat(next.isOpen()).isTrue();
                assertThat(next.changes()).isEqualTo(1);
            }
        }
    }

    /** A later transaction of the thread is the same object below it. */
    @Test
    void shouldNotReachTheNextOneByTheHandleOfAnOptimisticOne() {
        OptimisticTransaction lost = store.beginOptimistic();
        lost.put(KEY, VALUE);
        store.rollback();
        store.begin().commit();
        try (Transaction next = store.begin()) {
            assertThat(lost.isOpen()).isFalse();
            assertThatIllegalStateException()
                    .isThrownBy(() -> lost.put(KEY, VALUE))
                    .withMessageContaining("this transaction has ended");
            assertThatIllegalStateException().isThrownBy(lost::tryCommit);
            lost.close();
            assertThat(next.isOpen()).isTrue();
            assertThat(next.changes()).isZero();
        }
    }

    @Test
    void shouldNotGiveUpAnythingOfAClosedStore() {
        store.begin();
        store.close();
        assertThatIllegalStateException().isThrownBy(store::rollback).withMessage("store is closed");
    }
}

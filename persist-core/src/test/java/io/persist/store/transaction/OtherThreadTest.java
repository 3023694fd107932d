package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.StoreLogger;
import io.persist.log.Durability;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Texts;
import io.persist.support.Buffers;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A transaction is refused to every thread but the one that began it, whatever the other one calls. */
class OtherThreadTest {

    private static final byte[] KEY = Texts.bytes("key");
    private static final byte[] VALUE = Texts.bytes("value");

    private final StoreLogger store = Texts.open(new CrashableStorage());

    @AfterEach
    void close() {
        store.close();
    }

    private static Map<String, ThrowingCallable> callsOf(Transaction transaction) {
        DirectBuffer buffer = Buffers.direct(KEY);
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("put", () -> transaction.put(KEY, VALUE));
        calls.put("put part", () -> transaction.put(KEY, VALUE, 0, 1));
        calls.put("put buffer", () -> transaction.put(KEY, ByteBuffer.allocate(1)));
        calls.put("put direct", () -> transaction.put(buffer, 0, 1, buffer, 0, 1));
        calls.put("put object", () -> transaction.put(KEY, 7, (number, output) -> output.write(number)));
        calls.put("remove", () -> transaction.remove(KEY));
        calls.put("remove direct", () -> transaction.remove(buffer, 0, 1));
        calls.put("get", () -> transaction.get(KEY));
        calls.put("getBytes", () -> transaction.getBytes(KEY));
        calls.put("contains", () -> transaction.contains(KEY));
        calls.put("getUntilNext", () -> transaction.getUntilNext(KEY));
        calls.put("getAndPut", () -> transaction.getAndPut(KEY, VALUE));
        calls.put("getAndRemove", () -> transaction.getAndRemove(KEY));
        calls.put("scan", () -> transaction.scan(KeyRange.all(), Direction.FORWARD));
        calls.put("changes", transaction::changes);
        calls.put("bytes", transaction::bytes);
        calls.put("maxBytes", transaction::maxBytes);
        calls.put("fits", () -> transaction.fits(1, 1));
        calls.put("isOpen", transaction::isOpen);
        calls.put("commit", transaction::commit);
        calls.put("commit at", () -> transaction.commit(Durability.SYNCED));
        calls.put("commit in time", () -> transaction.commit(Durability.SYNCED, Duration.ZERO));
        calls.put("commitWithin", () -> transaction.commitWithin(Duration.ZERO));
        calls.put("rollback", transaction::rollback);
        calls.put("close", transaction::close);
        return calls;
    }

    private static Map<String, ThrowingCallable> callsOf(OptimisticTransaction transaction) {
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("put", () -> transaction.put(KEY, VALUE));
        calls.put("put buffer", () -> transaction.put(KEY, ByteBuffer.allocate(1)));
        calls.put("remove", () -> transaction.remove(KEY));
        calls.put("get", () -> transaction.get(KEY));
        calls.put("getBytes", () -> transaction.getBytes(KEY));
        calls.put("contains", () -> transaction.contains(KEY));
        calls.put("getAndPut", () -> transaction.getAndPut(KEY, VALUE));
        calls.put("getAndRemove", () -> transaction.getAndRemove(KEY));
        calls.put("changes", transaction::changes);
        calls.put("isOpen", transaction::isOpen);
        calls.put("tryCommit", transaction::tryCommit);
        calls.put("tryCommit in time", () -> transaction.tryCommit(Durability.SYNCED, Duration.ZERO));
        calls.put("tryCommitWithin", () -> transaction.tryCommitWithin(Duration.ZERO));
        calls.put("rollback", transaction::rollback);
        calls.put("close", transaction::close);
        return calls;
    }

    /** The calls that another thread was not refused, by both names. */
    private static List<String> notRefused(Map<String, ThrowingCallable> calls) {
        List<String> notRefused = new ArrayList<>();
        Thread owner = Thread.currentThread();
        Thread other = new Thread(
                () -> calls.forEach((name, call) -> {
                    Throwable refusal = catchThrowable(call);
                    if (!(refusal instanceof IllegalStateException)
                            || !refusal.getMessage().contains("belongs to the thread \"" + owner.getName() + '"')
                            || !refusal.getMessage().contains("the thread \"the other one\"")) {
                        notRefused.add(name + ": " + refusal);
                    }
                }),
                "the other one");
        other.start();
        join(other);
        return notRefused;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldRefuseATransactionToAnotherThread() {
        Transaction transaction = store.begin();
        transaction.put(KEY, VALUE);
        assertThat(notRefused(callsOf(transaction))).isEmpty();
        assertThat(transaction.changes()).isEqualTo(1);
        transaction.commit();
        assertThat(notRefused(callsOf(transaction))).as("an ended one").isEmpty();
        assertThat(store.size()).isEqualTo(1);
    }

    @Test
    void shouldRefuseAnOptimisticTransactionToAnotherThread() {
        OptimisticTransaction transaction = store.beginOptimistic();
        transaction.put(KEY, VALUE);
        assertThat(notRefused(callsOf(transaction))).isEmpty();
        assertThat(transaction.tryCommit()).as("it is still open").isTrue();
    }

    /** The thread may begin the next one only if the first has ended; that of a thread that is gone is nobody's. */
    @Test
    void shouldRefuseTheTransactionOfAThreadThatHasEnded() {
        AtomicReference<Transaction> left = new AtomicReference<>();
        Thread thread = new Thread(() -> left.set(store.begin()), "gone");
        thread.start();
        join(thread);
        Throwable refusal = catchThrowable(() -> left.get().commit());
        assertThat(refusal).isInstanceOf(IllegalStateException.class).hasMessageContaining("\"gone\"");
        store.begin().commit();
    }
}

package io.persist.store.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.error.LogIOException;
import io.persist.format.TransactionLayout;
import io.persist.index.LateLookup;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.index.read.OptimisticLookup;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.read.ChangeReader;
import io.persist.store.staged.StagedChanges;
import io.persist.store.transaction.Transaction;
import io.persist.store.value.ValueReader;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a get takes the store's lock, and when it does not: counted, and tried while another thread has it. */
class LockFreeGetTest {

    private static final int KEYS = 8_000;

    private final CrashableStorage storage = new CrashableStorage();
    private final ExecutorService other = Executors.newSingleThreadExecutor();
    private StoreEngine store;

    private static LogConfig.Builder log() {
        return LogConfig.builder(Path.of("store")).segmentLength(1 << 20);
    }

    private void open(LogConfig.Builder log, long indexMemoryBytes) {
        StoreConfig config = StoreConfig.builder(log.build())
                .indexMemoryBytes(indexMemoryBytes)
                .checkpointPercent(0)
                .maxSpaceRatio(0)
                .build();
        store = new StoreOpener(config, null).open(storage, storage);
    }

    @AfterEach
    void close() {
        store.close();
        other.shutdown();
    }

    private static byte[] key(int number) {
        return Texts.bytes("key/" + (1_000_000 + number));
    }

    private static byte[] value(int number) {
        return ByteBuffer.allocate(8).putInt(number).array();
    }

    private void put(int number, int value) {
        store.single().put(key(number), value(value), Durability.BUFFERED);
    }

    private void putAll() {
        for (int i = 0; i < KEYS; i++) {
            put(i, i);
        }
    }

    /** How often the lock was taken for a key in {@code calls}. */
    private long locked(Runnable calls) {
        long before = store.lookups().count();
        calls.run();
        return store.lookups().count() - before;
    }

    private void shouldBe(int number, int value) {
        assertThat(store.single().getBytes(key(number))).isEqualTo(value(value));
    }

    @Test
    void shouldTakeNoLock() {
        open(log(), 0);
        putAll();
        shouldBe(0, 0); // maps the segment of the first values
        for (int i = 0; i < KEYS; i += 500) {
            shouldBe(i, i);
        }
        assertThat(locked(() -> {
                    for (int i = 0; i < KEYS; i += 7) {
                        shouldBe(i, i);
                        assertThat(store.single().contains(key(i))).isTrue();
                        assertThat(store.single().getBytes(key(KEYS + i))).isNull();
                        byte[] key = key(i);
                        assertThat(store.thread().get(key)).isNotNull();
                        try (Transaction transaction = store.thread().begin()) {
                            assertThat(transaction.getBytes(key)).isEqualTo(value(i));
                        }
                    }
                }))
                .isZero();
    }

    private <T> T inOther(Callable<T> call) {
        try {
            return other.submit(call).get(2, TimeUnit.MINUTES);
        } catch (Exception e) {
            throw new AssertionError("in the other thread", e);
        }
    }

    @Test
    void shouldGetWhileAnotherThreadHasTheLock() {
        open(log(), 0);
        putAll();
        getAllByOther();
        store.core().lock();
        try {
            getAllByOther();
        } finally {
            store.core().unlock();
        }
    }

    private void getAllByOther() {
        inOther(() -> {
            for (int i = 0; i < KEYS; i += 500) {
                shouldBe(i, i);
                assertThat(store.single().contains(key(i))).isTrue();
            }
            return true;
        });
    }

    /** What is half done is nothing that another thread sees, but it sees all else. */
    @Test
    void shouldNotSeeHalfOfATransaction() {
        open(log(), 0);
        putAll();
        getAllByOther();
        StagedChanges staged = new StagedChanges(1 << 16, OldValues.OMIT);
        staged.clear();
        staged.put(key(0), value(1), 0, 8);
        staged.put(key(4_000), value(1), 0, 8);
        staged.seal(TransactionLayout.TYPE_CHANGES);
        store.core().lock();
        try {
            store.core().state().prepare(staged);
            store.core().appendPrepared(staged);
            store.core().writer().commit(Durability.BUFFERED);
            Looker looker = new Looker();
            for (int i = 3_000; i < KEYS; i += 500) {
                boolean isOfHalf = i == 4_000;
                assertThat(looker.look(i)).as("key %s", i).isEqualTo(isOfHalf ? null : (Integer) 8);
            }
            assertThat(looker.look(0)).isNull();
        } finally {
            store.core().unlock();
        }
        shouldBe(0, 1);
        shouldBe(4_000, 1);
        assertThat(locked(() -> shouldBe(0, 1))).as("nothing was shown yet").isEqualTo(1);
        put(1, 2);
        assertThat(locked(() -> shouldBe(0, 1)))
                .as("all is shown with the next commit")
                .isZero();
    }

    /** Looks without the lock only. */
    private final class Looker {

        private final OptimisticLookup lookup = store.core().state().index().optimisticLookup();

        /** The length of the value; null if that takes the lock. */
        Integer look(int number) {
            Location found = new Location();
            byte[] bytes = key(number);
            KeyBuffer key = new KeyBuffer().set(bytes, 0, bytes.length);
            return lookup.look(key, found).isKnown() && lookup.isTrue() ? (Integer) found.length() : null;
        }
    }

    @Test
    void shouldTakeTheLockForWhatIsNotInTheFileYet() {
        open(log().writeMode(WriteMode.FILE).writeBufferLength(1 << 16), 0);
        put(1, 1);
        assertThat(locked(() -> shouldBe(1, 1))).as("it is written first").isEqualTo(1);
        assertThat(locked(() -> shouldBe(1, 1))).isZero();
        put(2, 2);
        assertThat(locked(() -> store.single().contains(key(2)))).isZero();
        store.core().flushes().flush();
        assertThat(locked(() -> shouldBe(2, 2))).isZero();
    }

    @Test
    void shouldTakeTheLockWhileTheIndexIsBehind() {
        open(log(), 0);
        put(1, 1);
        shouldBe(1, 1);
        HeldSettler settler = new HeldSettler(store);
        settler.publish(staged -> {
            for (int i = 0; i < 2_000; i++) {
                staged.put(key(i), value(i + 1), 0, 8);
            }
        });
        assertThat(locked(() -> shouldBe(1, 2))).isEqualTo(1);
        settler.settle(1_999);
        assertThat(locked(() -> shouldBe(1, 2))).isEqualTo(1);
        settler.settle(Integer.MAX_VALUE);
        assertThat(locked(() -> shouldBe(1, 2))).isZero();
    }

    /** What a transaction puts and removes by a range is never there, also for who has begun before it came. */
    @Test
    void shouldNotFindWhatTheSameTransactionRemovesByARange() {
        open(log(), 0);
        StagedChanges staged = new StagedChanges(1 << 16, OldValues.OMIT);
        staged.clear();
        staged.put(key(7), value(7), 0, 8);
        staged.removeRange(KeyRange.prefix(Texts.bytes("key/")));
        staged.seal(TransactionLayout.TYPE_CHANGES);
        shouldNotBeFoundLate(() -> acceptUnsettled(staged));
    }

    /** As a commit does, up to where others may come in between. */
    private void acceptUnsettled(StagedChanges staged) {
        StoreCore core = store.core();
        core.lock();
        try {
            core.state().prepare(staged);
            core.commits().accept(core.appendPrepared(staged), state -> true, Durability.BUFFERED);
        } finally {
            core.unlock();
        }
    }

    /** A range that is in a large transaction goes after its other changes. */
    @Test
    void shouldNotFindWhatALargeTransactionRemovesByARange() {
        open(log(), 0);
        HeldSettler settler = new HeldSettler(store);
        shouldNotBeFoundLate(() -> {
            settler.publish(staged -> {
                for (int i = 0; i < 2_000; i++) {
                    staged.put(key(i), value(i), 0, 8);
                }
                staged.removeRange(KeyRange.prefix(Texts.bytes("key/")));
            });
            assertThat(settler.settle(2_000)).isFalse();
        });
    }

    /** By a thread that has asked whether it may look without the lock, and looks after the commit. */
    private void shouldNotBeFoundLate(Runnable commit) {
        LateLookup late = new LateLookup(store.core().state().index());
        KeyFinder finder = new KeyFinder(store.core(), store.lookups(), late);
        byte[] bytes = key(7);
        KeyBuffer key = new KeyBuffer().set(bytes, 0, bytes.length);
        Location found = new Location();
        late.before(commit);
        assertThat(finder.contains(key, found)).isFalse();
        settle();
        late.before(commit);
        ValueReader reader = new ValueReader();
        assertThat(finder.find(key, found, reader)).isFalse();
        reader.leave();
        settle();
    }

    private void settle() {
        store.core().settler().settle();
        assertThat(store.core().ask(store.core().state()::isSettled)).isTrue();
    }

    @Test
    void shouldTakeTheLockForNodesThatAreNotInMemory() {
        open(log(), 0);
        putAll();
        store.upkeep().checkpoint();
        store.close();
        open(log(), 0);
        assertThat(store.core().state().index().unloadedNodes()).isPositive();
        assertThat(locked(() -> shouldBe(7, 7))).as("reads them").isEqualTo(1);
        assertThat(locked(() -> shouldBe(7, 7))).isZero();
        assertThat(locked(() -> shouldBe(KEYS - 1, KEYS - 1))).isEqualTo(1);
        assertThat(locked(() -> shouldBe(KEYS - 1, KEYS - 1))).isZero();
    }

    @Test
    void shouldGetFromADetachedStore() {
        StoreConfig config =
                StoreConfig.builder(log().build()).checkpointPercent(0).build();
        store = new StoreOpener(config, DetachedConfig.builder().build()).open(storage, storage);
        put(1, 1);
        store.core().flushes().flush();
        shouldBe(1, 1);
        assertThat(locked(() -> shouldBe(1, 1))).isZero();
    }

    /** A record is in the log before the index has its place. */
    @Test
    void shouldFindAChangeThatAReaderHasSeen() throws Exception {
        open(log(), 0);
        put(0, 0);
        StagedChanges staged = new StagedChanges(1 << 16, OldValues.OMIT);
        staged.clear();
        staged.put(key(0), value(1), 0, 8);
        staged.seal(TransactionLayout.TYPE_CHANGES);
        StoreCore core = store.core();
        try (ChangeReader reader = store.changes().open(core.appliedEnd(), TailerConfig.defaults())) {
            FutureTask<Boolean> next = new FutureTask<>(reader::next);
            Thread reading = new Thread(next);
            core.lock();
            try {
                core.writer().append(staged.array(), 0, staged.length());
                reading.start();
                Await.until("it waits", () -> reading.getState() == Thread.State.TIMED_WAITING || next.isDone());
                assertThat(next.isDone()).as("a change that no get finds").isFalse();
            } finally {
                core.unlock();
            }
            assertThat(next.get()).isTrue();
            put(0, 2);
            core.lock();
            try {
                assertThat(inOther(reader::next)).as("without the lock").isTrue();
            } finally {
                core.unlock();
            }
        }
    }

    @Test
    void shouldFindOutThatTheStoreIsClosedOrHasFailed() throws IOException {
        open(log(), 0);
        put(1, 1);
        shouldBe(1, 1);
        store.core().log().fail("a test", new IOException("no device"));
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> store.single().contains(key(1)));
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> store.single().get(key(1)));
        assertThatExceptionOfType(LogIOException.class).isThrownBy(store::close);
        assertThatIllegalStateException().isThrownBy(() -> store.single().get(key(1)));
        open(log(), 0);
        store.close();
        assertThatIllegalStateException().isThrownBy(() -> store.single().contains(key(1)));
        assertThatIllegalStateException().isThrownBy(() -> store.single().get(key(1)));
    }
}

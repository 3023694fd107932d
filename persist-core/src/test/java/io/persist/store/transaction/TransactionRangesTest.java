package io.persist.store.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.StoreLogger;
import io.persist.error.PersistException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.ChangeType;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.StoreEntry;
import io.persist.store.Texts;
import io.persist.store.read.ChangeReader;
import io.persist.store.read.StoreSnapshot;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranges that a transaction removes with its other changes. The model has random ones. */
class TransactionRangesTest {

    private static final KeyRange TIMERS = KeyRange.prefix(Texts.bytes("timer/"));
    private static final int TIMERS_COUNT = 500;

    private final CrashableStorage storage = new CrashableStorage();
    private final StoreLogger store = open(storage);

    private static StoreLogger open(CrashableStorage in) {
        LogConfig log =
                LogConfig.builder(Path.of("store")).segmentLength(1 << 20).build();
        return StoreLogger.open(StoreConfig.builder(log).build(), in, in);
    }

    @AfterEach
    void close() {
        try {
            store.close();
        } catch (PersistException | PowerCut crashed) {
            assertThat(storage.isOff()).isTrue();
        }
    }

    private static byte[] timer(int number) {
        return Texts.bytes("timer/" + (1000 + number));
    }

    private void putTimers() {
        try (Transaction transaction = store.begin()) {
            for (int i = 0; i < TIMERS_COUNT; i++) {
                transaction.put(timer(i), Texts.bytes("t"));
            }
            transaction.put(Texts.bytes("state"), Texts.bytes("with timers"));
            transaction.commit();
        }
    }

    private void removeTimers(Transaction transaction) {
        transaction.put(timer(7), Texts.bytes("gone, too"));
        transaction.removeRange(TIMERS);
        transaction.put(timer(8), Texts.bytes("stays"));
        transaction.put(Texts.bytes("state"), Texts.bytes("without"));
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    void shouldTakeOneShortChangeAndBeThereAfterACrash(Loss loss) {
        putTimers();
        long before = store.position();
        Transaction transaction = store.begin();
        removeTimers(transaction);
        assertThat(transaction.changes()).isEqualTo(4);
        transaction.commit(Durability.SYNCED);
        assertThat(store.position() - before).isLessThan(300);
        assertThat(store.statistics().keys())
                .as("they are out of the index, too")
                .isEqualTo(2);
        store.put(Texts.bytes("z"), new byte[0], Durability.SYNCED);
        try (StoreLogger again = open(storage.crash(new Random(1), loss))) {
            assertThat(again.size()).isEqualTo(3);
            assertThat(Texts.text(again.get(timer(8)))).isEqualTo("stays");
        }
    }

    @Test
    void shouldChangeNothingWithoutACommit() {
        putTimers();
        long before = store.position();
        try (Transaction transaction = store.begin()) {
            removeTimers(transaction);
            assertThat(store.get(timer(9))).isNotNull();
        }
        assertThat(store.size()).isEqualTo(TIMERS_COUNT + 1);
        assertThat(store.position()).isEqualTo(before);
    }

    @Test
    void shouldShowNeighboursAsTheTransactionSeesThem() {
        putTimers();
        try (Transaction transaction = store.begin()) {
            removeTimers(transaction);
            assertEntry(transaction.ceilingEntry(timer(0)), "timer/1008", "stays");
            assertEntry(transaction.lastEntry(), "timer/1008", "stays");
            assertEntry(transaction.lowerEntry(timer(8)), "state", "without");
            assertEntry(store.lastEntry(), "timer/" + (999 + TIMERS_COUNT), "t");
            transaction.remove(timer(8));
            assertThat(transaction.ceilingEntry(timer(0))).isNull();
            assertEntry(transaction.lastEntry(), "state", "without");
            transaction.removeRange(KeyRange.all());
            assertThat(transaction.firstEntry()).isNull();
            assertThat(transaction.lastEntry()).isNull();
            assertThatIllegalArgumentException().isThrownBy(() -> transaction.floorEntry(new byte[0]));
            transaction.rollback();
            assertThatIllegalStateException().isThrownBy(transaction::firstEntry);
        }
    }

    private static void assertEntry(@Nullable StoreEntry entry, String key, String value) {
        assertThat(entry).isNotNull();
        assertThat(entry.key()).isEqualTo(Texts.bytes(key));
        assertThat(entry.value()).isEqualTo(Texts.bytes(value));
    }

    @Test
    void shouldAddNothingForARangeWithoutKeysAndRefuseWhatDoesNotFit() {
        long before = store.position();
        try (Transaction transaction = store.begin()) {
            transaction.removeRange(KeyRange.between(timer(2), timer(1)));
            transaction.removeRange(KeyRange.below(new byte[0]));
            assertThat(transaction.changes()).isZero();
            transaction.commit();
            assertThat(store.position()).isEqualTo(before);
        }
        try (Transaction transaction = store.begin()) {
            KeyRange range = KeyRange.from(new byte[1000]);
            while (transaction.fits(1000, 0)) {
                transaction.removeRange(range);
            }
            int changes = transaction.changes();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> transaction.removeRange(range))
                    .withMessageContaining("too long");
            assertThat(transaction.changes()).isEqualTo(changes);
            transaction.commit();
        }
        assertThat(store.size()).isZero();
    }

    @Test
    void shouldConflictWithAReadOfAKeyOfTheRange() {
        putTimers();
        try (OptimisticTransaction reading = store.beginOptimistic()) {
            assertThat(reading.get(timer(5))).isNotNull();
            reading.put(Texts.bytes("fired"), timer(5));
            commitInAnotherThread();
            assertThat(reading.tryCommit()).isFalse();
        }
        try (OptimisticTransaction removing = store.beginOptimistic()) {
            removing.removeRange(KeyRange.all());
            assertThat(removing.get(timer(8))).isNull();
            assertThat(removing.tryCommit(Durability.SYNCED, Duration.ofMinutes(1)))
                    .isTrue();
        }
        assertThat(store.statistics().keys()).isZero();
    }

    private void commitInAnotherThread() {
        Thread other = new Thread(() -> {
            Transaction transaction = store.begin();
            removeTimers(transaction);
            transaction.commit();
        });
        other.start();
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldTellReadersOfChangesTheRangeInItsPlace() {
        putTimers();
        long before = store.position();
        Transaction transaction = store.begin();
        removeTimers(transaction);
        transaction.commit();
        List<ChangeType> types = new ArrayList<>();
        try (ChangeReader changes = store.changes(before)) {
            while (changes.next()) {
                types.add(changes.type());
                assertThat(changes.endsTransaction()).isEqualTo(types.size() == 4);
            }
        }
        assertThat(types).containsExactly(ChangeType.PUT, ChangeType.REMOVE_RANGE, ChangeType.PUT, ChangeType.PUT);
    }

    /** Readers see all of a transaction or nothing of it, however long the index takes for its range. */
    @Test
    void shouldBeSeenAsAWhole() throws InterruptedException {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        putTimers();
        Thread reader = new Thread(() -> {
            try {
                while (!over.get()) {
                    look();
                }
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        reader.start();
        for (int round = 0; round < 50 && failure.get() == null; round++) {
            Transaction transaction = store.begin();
            removeTimers(transaction);
            transaction.commit();
            putTimers();
        }
        over.set(true);
        reader.join();
        assertThat(failure.get()).isNull();
    }

    private void look() {
        try (StoreSnapshot snapshot = store.snapshot()) {
            boolean isWith = Texts.text(snapshot.get(Texts.bytes("state"))).equals("with timers");
            assertThat(snapshot.size()).isEqualTo(isWith ? TIMERS_COUNT + 1 : 2);
        }
    }
}

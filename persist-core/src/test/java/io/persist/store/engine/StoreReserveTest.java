package io.persist.store.engine;

import static io.persist.store.Texts.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.StoreLogger;
import io.persist.error.LogFullException;
import io.persist.format.TransactionLayout;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.segment.LogFiles;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.read.StoreScan;
import io.persist.store.transaction.OptimisticTransaction;
import io.persist.store.transaction.Transaction;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.nio.file.Path;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** On a full disk a store takes what frees space, as long as its reserve lasts. */
@ParameterizedClass
@EnumSource
class StoreReserveTest {

    private static final int SEGMENT_LENGTH = 64 << 10;
    private static final String VALUE = "v".repeat(1000);
    private static final int MORE_THAN_AT_ONCE = 200;
    private static final int TINY = 2000;

    /** How the log is written. */
    enum Way {
        MAPPED,
        FILE,
        DETACHED
    }

    @Parameter
    Way way;

    private CrashableStorage log = new CrashableStorage();
    private CrashableStorage checkpoints = new CrashableStorage();
    private final TreeMap<String, String> model = new TreeMap<>();
    private StoreLogger store;

    private StoreConfig config() {
        return StoreConfig.builder(LogConfig.builder(Path.of("store"))
                        .segmentLength(SEGMENT_LENGTH)
                        .writeMode(way == Way.FILE ? WriteMode.FILE : WriteMode.MAPPED)
                        .build())
                .maxSpaceRatio(0)
                .build();
    }

    @BeforeEach
    void open() {
        store = openIn(log, checkpoints);
    }

    private StoreLogger openIn(CrashableStorage of, CrashableStorage ofCheckpoints) {
        return way == Way.DETACHED
                ? StoreLogger.open(
                        config(), DetachedConfig.builder().queueDepth(8).build(), of, ofCheckpoints)
                : StoreLogger.open(config(), of, ofCheckpoints);
    }

    @AfterEach
    void close() {
        assertThat(Texts.state(store)).isEqualTo(model);
        store.sync();
        CrashableStorage cut = log.crash(new Random(1), Loss.ALL_LOST);
        try (StoreLogger again = StoreLogger.open(config(), cut, checkpoints.afterKill())) {
            assertThat(Texts.state(again)).isEqualTo(model);
        }
        catchThrowable(store::close); // the power is off
    }

    private void put(String key, String value) {
        store.put(bytes(key), bytes(value), Durability.BUFFERED);
        model.put(key, value);
    }

    private void removeRange(KeyRange range, String first, String below) {
        store.removeRange(range);
        model.subMap(first, below).clear();
    }

    /** Puts until there is no space for the shortest. */
    private void fill() {
        fillUp();
        while (preparedBytes() < SEGMENT_LENGTH / 2) { // a queue was handed more before the disk was found to be full
            log.capacityBytes(1 << 30);
            Await.until("there is space for the queue", this::isWritten);
            fillUp();
        }
        long before = store.logStatistics().refusals();
        assertRefused("long", VALUE);
        assertRefused("long", VALUE); // which counts the one before
        Await.until("it is counted", () -> store.logStatistics().refusals() > before);
    }

    private void fillUp() {
        Await.filled("there is space ahead", () -> preparedBytes() >= 2 * SEGMENT_LENGTH);
        log.fillUp();
        fillWith("long-", VALUE);
        fillWith("s-", "");
    }

    /** What there is for more than was accepted; less than none if the queue has records that wait for space. */
    private long preparedBytes() {
        return LogFiles.of(log.list()).basePositions().last() + SEGMENT_LENGTH - store.position();
    }

    private boolean isWritten() {
        try {
            store.flush();
            return true;
        } catch (LogFullException e) {
            return false;
        }
    }

    private void fillWith(String prefix, String value) {
        assertThatExceptionOfType(LogFullException.class).isThrownBy(() -> {
            for (int i = 0; ; i++) {
                put((prefix + "%05d").formatted(i), value);
            }
        });
    }

    private void assertRefused(String key, String value) {
        assertThatExceptionOfType(LogFullException.class)
                .isThrownBy(() -> store.put(bytes(key), bytes(value), Durability.BUFFERED));
    }

    private static String tiny(int number) {
        return "tiny-%05d".formatted(number);
    }

    private void putTiny() {
        for (int i = 0; i < TINY; i++) {
            put(tiny(i), "");
        }
    }

    /** Returns how many are gone. */
    private int removeTinyUntilRefused() {
        int[] removed = {0};
        assertThatExceptionOfType(LogFullException.class).isThrownBy(() -> {
            for (; removed[0] < TINY; removed[0]++) {
                store.remove(bytes(tiny(removed[0])), Durability.BUFFERED);
                model.remove(tiny(removed[0]));
            }
        });
        return removed[0];
    }

    @Test
    void shouldTakeRemovalsOfEveryKind() {
        for (int i = 0; i < 1000; i++) {
            put("key-%05d".formatted(i), VALUE);
        }
        fill();
        assertThat(store.remove(bytes("key-00000"))).isTrue();
        model.remove("key-00000");
        removeRange(KeyRange.between(bytes("key-00001"), bytes("key-00100")), "key-00001", "key-00100");
        try (Transaction transaction = store.begin()) {
            for (int i = 100; i < 100 + MORE_THAN_AT_ONCE; i++) {
                transaction.remove(bytes("key-%05d".formatted(i)));
                model.remove("key-%05d".formatted(i));
            }
            transaction.commit(Durability.SYNCED);
        }
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            assertThat(transaction.get(bytes("key-00500"))).isNotNull();
            transaction.remove(bytes("key-00500"));
            assertThat(transaction.tryCommit()).isTrue();
            model.remove("key-00500");
        }
        assertRefused("key-00500", "");
    }

    private void removeAndPut(int entryLength) {
        String value = "v".repeat(entryLength - TransactionLayout.ENTRY_HEADER_LENGTH - "other".length());
        try (Transaction transaction = store.begin()) {
            transaction.remove(bytes("key"));
            transaction.put(bytes("other"), bytes(value));
            transaction.commit();
        }
        model.remove("key");
        model.put("other", value);
    }

    @Test
    void shouldTakeALittlePutWithARemoval() {
        put("key", VALUE);
        fill();
        assertThatExceptionOfType(LogFullException.class).isThrownBy(() -> removeAndPut(257));
        assertThat(store.get(bytes("key"))).isNotNull();
        assertRefused("other", "");
        removeAndPut(256);
    }

    @Test
    void shouldRefuseMuchThatIsPutInManyPieces() {
        put("key", VALUE);
        fill();
        try (Transaction transaction = store.begin()) {
            transaction.remove(bytes("key"));
            for (int i = 0; i < 256; i++) {
                transaction.put(bytes("other-" + i), bytes(""));
            }
            assertThatExceptionOfType(LogFullException.class).isThrownBy(transaction::commit);
            assertThat(transaction.isOpen()).isTrue();
        }
    }

    /** With what is left of it a segment can be emptied. */
    @Test
    void shouldTakeRemovalsUntilTheirPartOfTheReserveIsUsedUp() {
        putTiny();
        fill();
        int removed = removeTinyUntilRefused();
        int least = SEGMENT_LENGTH / 4 / 72; // bytes each
        assertThat(removed).isBetween(least - 10, 3 * least + 10);
        log.capacityBytes(1 << 30);
        awaitPut("more");
    }

    /** Each has something that is needed, and without a copy of that none can go. */
    @Test
    void shouldCompactSegmentsWhoseValuesFitIt() {
        for (int i = 0; i < 1000; i++) {
            put((i % 50 == 0 ? "stays-%05d" : "goes-%05d").formatted(i), VALUE);
        }
        store.compact(0); // which writes two checkpoints
        fill();
        removeRange(KeyRange.between(bytes("goes-"), bytes("goes.")), "goes-", "goes.");
        long before = store.statistics().spaceBytes();
        store.compact(1 << 30);
        assertThat(store.statistics().compaction().movedBytes()).isPositive();
        assertThat(store.statistics().spaceBytes()).isLessThan(before - 10 * SEGMENT_LENGTH);
        awaitPut("more");
        try (StoreScan scan = store.scan(KeyRange.prefix(bytes("stays-")), Direction.FORWARD)) {
            assertThat(scan.next()).isTrue();
        }
    }

    /** Also if the removals have used up their part of the reserve before. */
    @Test
    void shouldGoOnAfterARestartOnTheFullDisk() {
        for (int i = 0; i < 1000; i++) {
            put((i % 50 == 0 ? "stays-%05d" : "goes-%05d").formatted(i), VALUE);
        }
        putTiny();
        store.compact(0);
        fill();
        openAgain();
        assertRefused("long", VALUE);
        removeRange(KeyRange.between(bytes("goes-"), bytes("goes.")), "goes-", "goes.");
        assertThat(removeTinyUntilRefused()).isPositive();
        openAgain();
        assertRefused("long", VALUE);
        Await.until("there is space", () -> {
            Throwable unused =
                    catchThrowable(() -> store.compact(1 << 30)); // segments that wait for others are put off
            return puts("more");
        });
    }

    private void openAgain() {
        store.sync();
        log = log.afterKill();
        checkpoints = checkpoints.afterKill();
        catchThrowable(store::close);
        open();
        assertThat(Texts.state(store)).isEqualTo(model);
    }

    private void awaitPut(String key) {
        Await.until("there is space", () -> puts(key));
    }

    private boolean puts(String key) {
        try {
            put(key, VALUE);
            return true;
        } catch (LogFullException e) {
            return false;
        }
    }
}

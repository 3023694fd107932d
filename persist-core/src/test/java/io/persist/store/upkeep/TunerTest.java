package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.MessageLogger;
import io.persist.StoreLogger;
import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.StoreTuning;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreMonitor;
import io.persist.store.engine.StoreOpener;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a store's settings do that are changed while it runs, and what it tells of them. */
class TunerTest {

    private static final Path PLACE = Path.of("place");

    private final CrashableStorage storage = new CrashableStorage();

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(storage.openHandles()).isZero();
    }

    private static LogConfig.Builder log() {
        return LogConfig.builder(PLACE).segmentLength(64 << 10);
    }

    /** It writes no checkpoint by itself. */
    private static StoreConfig config(LogConfig.Builder log) {
        return StoreConfig.builder(log.build())
                .checkpointPercent(0)
                .maxSpaceRatio(0)
                .build();
    }

    private StoreLogger open() {
        return StoreLogger.open(config(log()), storage, storage);
    }

    private static long put(StoreLogger store) {
        return store.put(new byte[] {7}, new byte[100], Durability.BUFFERED);
    }

    private static long written(StoreLogger store) {
        return store.statistics().checkpoint().written();
    }

    @Test
    void shouldBeginWithTheConfiguration() {
        StoreConfig config = StoreConfig.builder(
                        log().syncInterval(Duration.ofMillis(7)).build())
                .checkpointPercent(50)
                .checkpointMinLogBytes(3 << 20)
                .checkpointBytesPerSecond(5 << 20)
                .build();
        try (StoreLogger store = StoreLogger.open(config, storage, storage)) {
            assertThat(store.tuning())
                    .isEqualTo(StoreTuning.defaults()
                            .withCheckpointPercent(50)
                            .withCheckpointMinLogBytes(3 << 20)
                            .withCheckpointBytesPerSecond(5 << 20)
                            .withSyncInterval(Duration.ofMillis(7)));
            StoreTuning other = store.tuning().withCheckpointPercent(51);
            store.tune(other);
            assertThat(store.tuning()).isEqualTo(other);
        }
    }

    @Test
    void shouldBeginACheckpointThatIsDueByTheNewPercent() {
        try (StoreLogger store = open()) {
            store.tune(store.tuning().withCheckpointMinLogBytes(0));
            for (int i = 0; i < 200; i++) { // more than the node that they change
                put(store);
            }
            assertThat(written(store)).isZero();
            store.tune(store.tuning().withCheckpointPercent(1));
            Await.until("a checkpoint is written", () -> written(store) > 0);
        }
    }

    @Test
    void shouldBeginACheckpointThatIsDueByTheNewLengthOfTheLog() {
        try (StoreLogger store = open()) {
            store.tune(store.tuning().withCheckpointMinLogBytes(1L << 40).withCheckpointPercent(1));
            for (int i = 0; i < 200; i++) {
                put(store);
            }
            assertThat(written(store)).isZero();
            store.tune(store.tuning().withCheckpointMinLogBytes(1000));
            Await.until("a checkpoint is written", () -> written(store) > 0);
        }
    }

    /** However short the log has to be: without any there is no checkpoint, and compaction has its turn. */
    @Test
    void shouldComeToRestWithALogOfAnyLength() {
        try (StoreEngine store = new StoreOpener(config(log()), null).open(storage, storage)) {
            store.single().put(new byte[] {7}, new byte[100], Durability.BUFFERED);
            store.upkeep().checkpoint();
            store.tuner().tune(store.tuning().withCheckpointMinLogBytes(0).withCheckpointPercent(1));
            Await.until("it has looked", () -> store.core().ask(store.upkeep()::isWaiting));
            assertThat(store.statistics().checkpoint().written()).isEqualTo(1);
        }
    }

    @Test
    void shouldWriteACheckpointAtARateByHand() {
        try (StoreLogger store = open()) {
            put(store);
            assertThat(store.checkpoint(1L << 40)).isPositive();
            assertThat(written(store)).isEqualTo(1);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> store.checkpoint((1 << 20) - 1))
                    .withMessageStartingWith("bytesPerSecond=1048575, min=1048576");
        }
    }

    /** What is in a write buffer, or in the queue, too. */
    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldSyncByTimeWhatWasCommittedBefore(WriteMode mode) {
        try (StoreLogger store = StoreLogger.open(config(log().writeMode(mode)), storage, storage)) {
            checkSyncInterval(store);
        }
    }

    @Test
    void shouldSyncByTimeWhatIsInTheQueue() {
        StoreConfig config = config(log().writeMode(WriteMode.FILE));
        DetachedConfig queue = DetachedConfig.builder().build();
        try (StoreLogger store = StoreLogger.open(config, queue, storage, storage)) {
            checkSyncInterval(store);
        }
    }

    private static void checkSyncInterval(StoreLogger store) {
        long before = put(store);
        assertThat(store.syncedPosition()).isLessThan(before);
        store.tune(store.tuning().withSyncInterval(Duration.ofMillis(1)));
        Await.until("it is synced", () -> store.syncedPosition() >= before);
        long after = put(store);
        Await.until("the next one is synced", () -> store.syncedPosition() >= after);
        store.tune(store.tuning().withSyncInterval(Duration.ZERO)); // from the ticks back to none
        assertThat(store.tuning().syncInterval()).isZero();
    }

    @Test
    void shouldCheckTheRanges() {
        StoreTuning tuning = StoreTuning.of(config(log()));
        for (int percent : new int[] {-1, 1001}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tuning.withCheckpointPercent(percent))
                    .withMessage("checkpointPercent=" + percent + ", min=0, max=1000");
        }
        for (long bytes : new long[] {-1, (1L << 40) + 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tuning.withCheckpointMinLogBytes(bytes))
                    .withMessageStartingWith("checkpointMinLogBytes=" + bytes);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tuning.withCheckpointBytesPerSecond((1 << 20) - 1))
                .withMessageStartingWith("checkpointBytesPerSecond=1048575");
        Duration least = Duration.ofMillis(1);
        assertThat(tuning.withSyncInterval(least).syncInterval()).isEqualTo(least);
        for (Duration time : List.of(
                Duration.ofNanos(-1),
                Duration.ofNanos(1),
                least.minusNanos(1),
                Duration.ofHours(1).plusNanos(1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> tuning.withSyncInterval(time))
                    .withMessage("syncInterval=" + time + ", min=PT0.001S, max=PT1H, or 0 for none");
        }
    }

    @Test
    @SuppressWarnings("NullAway") // which is the mistake
    void shouldKeepItsSettingsIfThereAreNoOthers() {
        try (StoreLogger store = open()) {
            StoreTuning before = store.tuning();
            assertThatNullPointerException().isThrownBy(() -> store.tune(null)).withMessage("tuning");
            assertThat(store.tuning()).isEqualTo(before);
        }
    }

    @Test
    void shouldRefuseAfterItIsClosed() {
        StoreLogger store = open();
        StoreTuning tuning = store.tuning();
        store.close();
        assertThatThrownBy(() -> store.tune(tuning)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(store::tuning).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldTellOtherProcessesWhatItTellsItsOwn() {
        try (StoreLogger store = open()) {
            for (int i = 0; i < 10; i++) {
                put(store);
            }
            assertSameFromOutside(store);
            store.checkpoint();
            put(store);
            failCheckpoints();
            assertThatThrownBy(store::checkpoint).isInstanceOf(LogIOException.class);
            storage.hook((number, what) -> {});
            store.tune(store.tuning().withCheckpointPercent(70).withCheckpointMinLogBytes(3 << 19));
            assertThat(store.statistics().checkpoint().failures()).isOne();
            assertSameFromOutside(store);
        }
        try (StoreLogger again = StoreLogger.open(
                config(log().durability(Durability.SYNCED).syncInterval(Duration.ofMillis(1))), storage, storage)) {
            assertThat(again.statistics().checkpoint().startedAtMs()).isPositive();
            assertSameFromOutside(again);
        }
    }

    private void failCheckpoints() {
        storage.hook((number, what) -> {
            if (what.contains("checkpoint")) {
                throw new IOException("no checkpoint today");
            }
        });
    }

    /** Another process looks at the control block. */
    private void assertSameFromOutside(StoreLogger store) {
        StoreMonitor.Reading seen = StoreMonitor.read(storage).orElseThrow();
        StoreStatistics now = store.statistics();
        assertThat(seen.commitsSynced()).isEqualTo(store.config().log().durability() == Durability.SYNCED);
        assertThat(seen.tuning()).isEqualTo(store.tuning());
        assertThat(seen.recoveryNs()).isEqualTo(store.recovery().elapsedNs());
        assertThat(seen.checkpoint())
                .usingRecursiveComparison()
                .ignoringFields("lastFailure")
                .isEqualTo(now.checkpoint());
        assertThat(seen.logBytes()).isEqualTo(now.logBytes());
    }

    @Test
    void shouldSeeNothingWhereNoStoreIs() {
        Storage empty = new CrashableStorage();
        assertThat(StoreMonitor.read(empty)).isEmpty();
        try (MessageLogger logger = MessageLogger.open(log().build(), storage)) {
            assertThat(logger.position()).isPositive();
            assertThat(StoreMonitor.read(storage)).isEmpty();
        }
    }
}

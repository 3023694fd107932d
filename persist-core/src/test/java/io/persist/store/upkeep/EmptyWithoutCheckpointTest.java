package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.read.StoreSnapshot;
import io.persist.support.Await;
import io.persist.support.Interposed;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Segments of which nothing is needed go, although the device of the checkpoints has no space for one. */
class EmptyWithoutCheckpointTest {

    private static final int SEGMENT_LENGTH = 4096;
    private static final int SEGMENTS = 30;
    private static final int VALUE_LENGTH = 1000;
    private static final int DUE_BYTES = 10 * SEGMENT_LENGTH;
    private static final String NO_SPACE = "No space left on device";

    private final CrashableStorage log = new CrashableStorage();
    private final CrashableStorage disk = new CrashableStorage();
    private final FaultyStorage checkpoints = new FaultyStorage(disk).message(NO_SPACE);
    private final Storage interposed = Interposed.after(Storage.class, log, this::create);
    private final AtomicInteger refused = new AtomicInteger();

    /** Whether there is no space for placeholders either; read by the store's threads. */
    private volatile boolean isFull;

    private Object create(String call, Object[] arguments, Object result) throws IOException {
        if (isFull && call.equals("create") && isPlaceholder((String) arguments[0])) {
            refused.incrementAndGet();
            ((StorageFile) result).close();
            throw new IOException(NO_SPACE);
        }
        return result;
    }

    private static boolean isPlaceholder(String temporary) {
        String last = LogFileName.segment((long) SEGMENTS * SEGMENT_LENGTH);
        return temporary.endsWith(LogFileName.TEMPORARY_SUFFIX) && temporary.compareTo(last) < 0;
    }

    private StoreEngine open(int checkpointPercent, double maxSpaceRatio) {
        StoreConfig config = StoreConfig.builder(LogConfig.builder(Path.of("log"))
                        .segmentLength(SEGMENT_LENGTH)
                        .build())
                .checkpointPercent(checkpointPercent)
                .checkpointMinLogBytes(DUE_BYTES)
                .maxSpaceRatio(maxSpaceRatio)
                .build();
        return new StoreOpener(config, null)
                .patience(new Patience(1_000_000, Long.MAX_VALUE))
                .open(interposed, checkpoints);
    }

    private static void overwrite(StoreEngine store, int segments) {
        for (int i = 0; i < segments * SEGMENT_LENGTH / VALUE_LENGTH; i++) {
            store.single().put(Texts.bytes("key"), new byte[VALUE_LENGTH], Durability.BUFFERED);
        }
    }

    private static StoreStatistics.Compaction compaction(StoreEngine store) {
        return store.statistics().compaction();
    }

    /** A checkpoint is due, or compaction needs two: both are tried again and again. */
    @ParameterizedTest
    @ValueSource(ints = {1, 0})
    void shouldGoOnceASnapshotIsClosed(int checkpointPercent) {
        try (StoreEngine store = open(checkpointPercent, 1.1)) {
            overwrite(store, 1);
            try (StoreSnapshot snapshot = store.snapshots().open()) {
                overwrite(store, SEGMENTS);
                store.upkeep().compact(Long.MAX_VALUE);
                checkpoints.failFrom(Verb.CREATE, 1);
                overwrite(store, SEGMENTS);
                Await.until(
                        "a checkpoint has failed",
                        () -> store.statistics().checkpoint().failures() > 0);
                assertThat(compaction(store).waitingSegments()).isPositive();
                assertThat(snapshot.getBytes(Texts.bytes("key"))).hasSize(VALUE_LENGTH);
            }
            Await.until("they are gone", () -> compaction(store).waitingSegments() == 0);
            checkpoints.heal();
        }
        try (StoreEngine store = open(0, 0)) {
            assertThat(store.statistics().keys()).isEqualTo(1);
        }
    }

    /** Opened again, nobody knows yet which segments are empty. A checkpoint is due as soon as it is open. */
    private void fillAndClose() {
        try (StoreEngine store = open(0, 0)) {
            overwrite(store, SEGMENTS);
            store.upkeep().checkpoint();
            overwrite(store, 1);
            store.upkeep().checkpoint();
            overwrite(store, 2 * DUE_BYTES / SEGMENT_LENGTH);
        }
        checkpoints.failFrom(Verb.CREATE, 1);
    }

    @Test
    void shouldGoInAStoreThatIsOpenedAgain() {
        fillAndClose();
        try (StoreEngine store = open(1, 1.1)) {
            Await.until("they are gone", () -> compaction(store).vacatedSegments() >= SEGMENTS - 1);
            assertThat(store.statistics().checkpoint().written()).isZero();
            assertThat(store.statistics().checkpoint().failures()).isPositive();
        }
    }

    /** The log's first segment stays: each one behind it needs a placeholder. */
    @Test
    void shouldBeTriedAgainOnceThereIsSpaceForPlaceholders() {
        try (StoreEngine store = open(0, 0)) {
            store.single().put(Texts.bytes("kept"), new byte[1], Durability.BUFFERED);
        }
        fillAndClose();
        isFull = true;
        try (StoreEngine store = open(1, 1.1)) {
            Await.until("as many are put off as are tried", () -> refused.get() >= EmptySegments.MOST_ERRORS);
            isFull = false;
            Await.until("they are gone", () -> compaction(store).vacatedSegments() >= SEGMENTS - 2);
            assertThat(store.statistics().checkpoint().written()).isZero();
        }
    }

    @Test
    void shouldGoByHand() {
        fillAndClose();
        try (StoreEngine store = open(0, 0)) {
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> store.upkeep().compact(Long.MAX_VALUE))
                    .withMessageContaining(NO_SPACE);
            assertThat(compaction(store).vacatedSegments()).isGreaterThanOrEqualTo(SEGMENTS - 1);
        }
    }
}

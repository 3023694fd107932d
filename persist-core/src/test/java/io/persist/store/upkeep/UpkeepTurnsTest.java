package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.transaction.Transaction;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** However much there is to compact, a checkpoint that is due does not wait for all of it, nor the other way round. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UpkeepTurnsTest {

    private static final int SEGMENT_LENGTH = 4096;
    private static final int DEAD_SEGMENTS = 40;
    private static final int DUE_BYTES = 3 * SEGMENT_LENGTH;
    private static final byte[] KEY = Texts.bytes("key");
    private static final byte[] KEPT = Texts.bytes("kept");

    private final CrashableStorage storage = new CrashableStorage();

    /** What the store's thread does, of each segment and each checkpoint its making. */
    private final List<String> made = new CopyOnWriteArrayList<>();

    private final CountDownLatch isCompacting = new CountDownLatch(1);
    private final CountDownLatch isDue = new CountDownLatch(1);

    private StoreLogger open(int checkpointPercent, double maxSpaceRatio) {
        LogConfig log =
                LogConfig.builder(Path.of("log")).segmentLength(SEGMENT_LENGTH).build();
        StoreConfig config = StoreConfig.builder(log)
                .checkpointPercent(checkpointPercent)
                .checkpointMinLogBytes(DUE_BYTES)
                .maxSpaceRatio(maxSpaceRatio)
                .compactionBytesPerSecond(1L << 40)
                .build();
        return StoreLogger.open(config, storage, storage);
    }

    private static void overwrite(StoreLogger store, long bytes) {
        for (long written = 0; written < bytes; written += 1000) {
            try (Transaction transaction = store.begin()) {
                transaction.put(KEY, new byte[1000]);
                transaction.commit();
            }
        }
    }

    /** The store's thread is held in the midst of the first segment until a checkpoint is due. */
    private void watch(String operation) throws InterruptedException {
        boolean isSegment = operation.startsWith("rename") && operation.contains(".log");
        boolean isCheckpoint = operation.startsWith("create " + CheckpointName.PREFIX);
        if (Thread.currentThread().getName().startsWith("tend ") && (isSegment || isCheckpoint)) {
            made.add(isSegment ? "segment" : "checkpoint");
            isCompacting.countDown();
            isDue.await();
        }
    }

    private void makeGarbage() {
        try (StoreLogger store = open(0, 0)) {
            store.put(KEPT, KEPT); // so each of the others needs a placeholder
            overwrite(store, (long) DEAD_SEGMENTS * SEGMENT_LENGTH);
            store.checkpoint();
            overwrite(store, 1);
            store.checkpoint();
        }
    }

    @Test
    void shouldWriteACheckpointBetweenTwoSegments() throws InterruptedException {
        makeGarbage();
        storage.hook((number, what) -> {
            try {
                watch(what);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        try (StoreLogger store = open(1, 1.1)) {
            isCompacting.await();
            overwrite(store, 2 * DUE_BYTES);
            isDue.countDown();
            Await.until(
                    "the store has compacted",
                    () -> store.statistics().compaction().vacatedSegments() > DEAD_SEGMENTS / 2);
        }
        assertThat(made.indexOf("checkpoint")).as("its turn, in %s", made).isBetween(1, 2);
    }

    /** While one is written so much is committed that the next one is due. */
    @Test
    void shouldCompactAlthoughACheckpointIsDueBehindEachOne() {
        Semaphore begun = new Semaphore(0);
        Semaphore mayGoOn = new Semaphore(0);
        storage.hook((number, what) -> {
            if (what.startsWith("create " + CheckpointName.PREFIX)) {
                begun.release();
                mayGoOn.acquireUninterruptibly();
            }
        });
        try (StoreLogger store = open(1, 1.1)) {
            overwrite(store, DUE_BYTES);
            for (int checkpoints = 0; checkpoints < 10; checkpoints++) {
                begun.acquireUninterruptibly();
                overwrite(store, 2 * DUE_BYTES);
                mayGoOn.release();
            }
            begun.acquireUninterruptibly();
            long vacated = store.statistics().compaction().vacatedSegments();
            mayGoOn.release(1000); // as many as there may be
            assertThat(vacated).as("segments that were given back meanwhile").isPositive();
        }
    }
}

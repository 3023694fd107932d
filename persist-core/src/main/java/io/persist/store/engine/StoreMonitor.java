package io.persist.store.engine;

import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.format.control.ControlBlock;
import io.persist.format.control.CounterBlock;
import io.persist.format.control.StoreFigure;
import io.persist.log.control.ControlFile;
import io.persist.log.recovery.LogInspector;
import io.persist.store.StoreStatistics.Checkpoint;
import io.persist.store.StoreTuning;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Looks at what a store that has a log open says of itself, from any process, without a lock and without reading the
 * store: it costs a page that is mapped for a moment. After the store was closed, or has died, that is what it said
 * last, but for a checkpoint that was under way.
 *
 * <p><b>Threads:</b> any.
 */
public final class StoreMonitor {

    /**
     * What a store says of itself.
     *
     * @param commitsSynced whether commits wait for a sync unless they name another level
     * @param tuning what is set now
     * @param recoveryNs how long opening it took
     * @param checkpoint its checkpoints; why one has failed is not told
     * @param logBytes bytes of the log since the last checkpoint
     */
    public record Reading(
            boolean commitsSynced, StoreTuning tuning, long recoveryNs, Checkpoint checkpoint, long logBytes) {}

    private StoreMonitor() {}

    /**
     * What the store says whose log is {@code log}; nothing if there is no control block, or no store has written it,
     * or only one of a version that does not tell this.
     *
     * @throws LogIOException if the control block cannot be read
     */
    public static Optional<Reading> read(Storage log) {
        try (ControlFile control = ControlFile.open(log, Storage.Access.READ)) {
            if (control == null) {
                return Optional.empty();
            }
            boolean isLive = LogInspector.writer(control.block(), log).mayWrite();
            return read(control.block(), control.counters(), isLive);
        } catch (IllegalArgumentException nonsense) {
            return Optional.empty(); // the page has no checksum
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot look at the store: " + e.getMessage(), e);
        }
    }

    private static Optional<Reading> read(ControlBlock block, CounterBlock figures, boolean isLive) {
        long rate = figures.get(StoreFigure.CHECKPOINT_BYTES_PER_SECOND);
        if (rate == 0) {
            return Optional.empty();
        }
        StoreTuning tuning = StoreTuning.defaults()
                .withCheckpointPercent((int) figures.get(StoreFigure.CHECKPOINT_PERCENT))
                .withCheckpointMinLogBytes(figures.get(StoreFigure.CHECKPOINT_MIN_LOG_BYTES))
                .withCheckpointBytesPerSecond(rate)
                .withSyncInterval(Duration.ofNanos(figures.get(StoreFigure.SYNC_INTERVAL_NS)));
        Checkpoint checkpoint = checkpoint(figures, isLive);
        return Optional.of(new Reading(
                figures.get(StoreFigure.COMMITS_SYNCED) != 0,
                tuning,
                figures.get(StoreFigure.RECOVERY_NS),
                checkpoint,
                Math.max(0, block.committed() - checkpoint.position())));
    }

    private static Checkpoint checkpoint(CounterBlock figures, boolean isLive) {
        return new Checkpoint(
                isLive && figures.get(StoreFigure.CHECKPOINT_IN_PROGRESS) != 0,
                figures.get(StoreFigure.CHECKPOINTS),
                figures.get(StoreFigure.CHECKPOINT_FAILURES),
                "",
                figures.get(StoreFigure.CHECKPOINT_STARTED_AT_MS),
                figures.get(StoreFigure.CHECKPOINT_NS),
                figures.get(StoreFigure.CHECKPOINT_BYTES),
                figures.get(StoreFigure.CHECKPOINT_POSITION));
    }
}

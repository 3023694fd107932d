package io.persist.store.checkpoint;

import io.persist.format.control.CounterBlock;
import io.persist.format.control.StoreFigure;
import io.persist.store.StoreStatistics;
import org.jspecify.annotations.Nullable;

/**
 * What became of the checkpoints since the store was opened: for its statistics, and for other processes.
 *
 * <p><b>Threads:</b> the one that has the store's lock.
 */
final class CheckpointTally {

    private final CounterBlock figures;
    private boolean inProgress;
    private long written;
    private long failures;
    private long startedAtMs;
    private long elapsedNs;
    private long bytes;
    private long position;
    private String lastFailure = "";

    /** Begins with {@code newest}, null if there is none; other processes see it in {@code figures}. */
    CheckpointTally(CounterBlock figures, @Nullable ChainSummary newest) {
        this.figures = figures;
        if (newest != null) {
            this.startedAtMs = newest.header().createdAtMs();
            this.bytes = newest.length();
            this.position = newest.header().position();
        }
        tell();
    }

    /** One is being written. */
    void begun(long atMs) {
        inProgress = true;
        startedAtMs = atMs;
        tell();
    }

    /** Whether one is being written. */
    boolean isInProgress() {
        return inProgress;
    }

    /** It is {@code newest} now. */
    void finished(long tookNs, ChainSummary newest) {
        inProgress = false;
        written++;
        elapsedNs = tookNs;
        bytes = newest.length();
        position = newest.header().position();
        tell();
    }

    /** It could not be written, if it was begun at all. */
    void failed(String failure) {
        inProgress = false;
        failures++;
        lastFailure = failure;
        tell();
    }

    /** Why something could not be done. */
    void note(String failure) {
        lastFailure = failure;
    }

    private void tell() {
        figures.set(StoreFigure.CHECKPOINTS, written);
        figures.set(StoreFigure.CHECKPOINT_FAILURES, failures);
        figures.set(StoreFigure.CHECKPOINT_IN_PROGRESS, inProgress ? 1 : 0);
        figures.set(StoreFigure.CHECKPOINT_STARTED_AT_MS, startedAtMs);
        figures.set(StoreFigure.CHECKPOINT_NS, elapsedNs);
        figures.set(StoreFigure.CHECKPOINT_BYTES, bytes);
        figures.set(StoreFigure.CHECKPOINT_POSITION, position);
    }

    StoreStatistics.Checkpoint statistics() {
        return new StoreStatistics.Checkpoint(
                inProgress, written, failures, lastFailure, startedAtMs, elapsedNs, bytes, position);
    }
}

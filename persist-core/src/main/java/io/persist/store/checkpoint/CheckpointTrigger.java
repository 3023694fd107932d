package io.persist.store.checkpoint;

/**
 * When a checkpoint is due: when the log has grown enough since the newest one, both absolutely and relative to what
 * a new one would write. The first condition keeps a small store from making checkpoints all the time, the second one a
 * large store from writing much more than is written to it.
 *
 * @param percent by how much the log must be larger than what the checkpoint would write; 0: no checkpoint is ever due
 * @param minLogBytes how large the log must be, 0 or more
 */
public record CheckpointTrigger(int percent, long minLogBytes) {

    public CheckpointTrigger {
        if (percent < 0 || minLogBytes < 0) {
            throw new IllegalArgumentException(
                    "percent=" + percent + " and minLogBytes=" + minLogBytes + " must not be negative");
        }
    }

    /** Whether the store makes checkpoints by itself. */
    boolean isOn() {
        return percent > 0;
    }

    /**
     * Whether a checkpoint is due.
     *
     * @param logBytes of the log from the newest checkpoint's position on; all of the log if there is no checkpoint
     * @param checkpointBytes what a new one would write
     */
    boolean isDue(long logBytes, long checkpointBytes) {
        boolean hasAny = logBytes > 0; // else a store that is left alone would be due again right behind each one
        return isOn() && hasAny && logBytes >= minLogBytes && 100.0 * logBytes >= (100.0 + percent) * checkpointBytes;
    }
}

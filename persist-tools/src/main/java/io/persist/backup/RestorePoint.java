package io.persist.backup;

import io.persist.error.Limits;

/**
 * Where a log ends that is restored from a backup: where the backup does, or before that. Bounds mean what they mean
 * for the command {@code dump}.
 */
public final class RestorePoint {

    /** The end of the backup. */
    public static final RestorePoint END = new RestorePoint(Long.MAX_VALUE, Long.MAX_VALUE, false);

    private final long toPosition;
    private final long toSequence;
    private final boolean ignoresCommits;

    private RestorePoint(long toPosition, long toSequence, boolean ignoresCommits) {
        this.toPosition = toPosition;
        this.toSequence = toSequence;
        this.ignoresCommits = ignoresCommits;
    }

    /**
     * Before the record that begins at {@code position}, which is not kept.
     *
     * @throws IllegalArgumentException if it is below 0, or {@link Long#MAX_VALUE}, which no log comes to
     */
    public static RestorePoint beforePosition(long position) {
        Limits.check("toPosition", position, 0, Long.MAX_VALUE - 1);
        return new RestorePoint(position, Long.MAX_VALUE, false);
    }

    /**
     * Behind the record number {@code sequence}, which is kept.
     *
     * @throws IllegalArgumentException if it is below 1, or {@link Long#MAX_VALUE}, which no log comes to
     */
    public static RestorePoint afterSequence(long sequence) {
        Limits.check("toSequence", sequence, 1, Long.MAX_VALUE - 1);
        return new RestorePoint(Long.MAX_VALUE, sequence, false);
    }

    /** The same, also if it is within a commit: its first records are kept then, as after a crash. */
    public RestorePoint ignoringCommits() {
        return new RestorePoint(toPosition, toSequence, true);
    }

    boolean isEnd() {
        return toPosition == Long.MAX_VALUE && toSequence == Long.MAX_VALUE;
    }

    boolean isPosition() {
        return toPosition < Long.MAX_VALUE;
    }

    /** The position before which the records begin that are kept; the highest one if that does not matter. */
    long toPosition() {
        return toPosition;
    }

    /** The number of the last record that is kept; the highest one if that does not matter. */
    long toSequence() {
        return toSequence;
    }

    boolean ignoresCommits() {
        return ignoresCommits;
    }

    /** Whether a log that ends before this record ends no later than here. */
    boolean isAtOrBehind(long position, long sequence) {
        return position <= toPosition && sequence - 1 <= toSequence;
    }

    /** The bound. */
    @Override
    public String toString() {
        return isPosition() ? "toPosition=" + toPosition : "toSequence=" + toSequence;
    }
}

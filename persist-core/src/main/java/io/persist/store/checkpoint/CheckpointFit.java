package io.persist.store.checkpoint;

import io.persist.error.UnsupportedFormatException;
import io.persist.format.Frame;
import io.persist.format.SegmentHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.store.checkpoint.CheckpointTable.Decision;
import io.persist.store.checkpoint.CheckpointTable.Facts;
import io.persist.store.checkpoint.CheckpointTable.Row;
import java.util.List;

/**
 * Compares the checkpoints of a store with its log: gathers the facts about each checkpoint, for which {@link
 * CheckpointTable} has a row.
 *
 * <p><b>Threads:</b> any.
 */
public final class CheckpointFit {

    private final List<SegmentHeader> segments;
    private final long logId;
    private final long logEnd;

    /**
     * The row of the table for a checkpoint.
     *
     * @param why in words, for a checkpoint that is not used; else empty
     */
    public record Verdict(Row row, String why) {

        /** Whether recovery uses the checkpoint, as far as is known. */
        boolean isUsed() {
            return row.decision() == Decision.USE;
        }
    }

    /** Begins to judge by the log that has these segments, oldest first, and ends at {@code logEnd}. */
    public CheckpointFit(List<SegmentHeader> segments, long logId, long logEnd) {
        this.segments = segments;
        this.logId = logId;
        this.logEnd = logEnd;
    }

    /**
     * Judges a checkpoint by its whole file.
     *
     * @param misfit why the log does not go on where the checkpoint ends; empty if it does
     */
    public Verdict of(CheckpointFile file, String misfit) {
        return switch (file.state()) {
            case NEWER -> newer(file.fault());
            case DAMAGED ->
                file.isHeaderKnown() ? of(file.position(), file.logId(), file.fault(), "") : damaged(file.fault());
            case GOOD -> of(file.position(), file.logId(), "", misfit);
        };
    }

    /** A checkpoint whose header cannot be read by this version. */
    Verdict newer(String fault) {
        return verdict(Facts.ofNewer(), fault);
    }

    /** A checkpoint whose header is damaged. */
    Verdict damaged(String fault) {
        return verdict(Facts.ofDamagedHeader(), fault);
    }

    /** What can be said of a checkpoint once its header is read. */
    Verdict ofHeader(long position, long ofLog) {
        return of(position, ofLog, "", "");
    }

    /**
     * A checkpoint whose header is good.
     *
     * @param damage what is wrong with its content, empty if nothing is known to be
     * @param misfit why the log does not go on where it ends, empty if nothing is known against it
     */
    Verdict of(long position, long ofLog, String damage, String misfit) {
        long complete = SegmentHeader.completeFrom(segments); // where removes are gone, replay would bring keys back
        boolean isBeyond = position > logEnd;
        boolean isOld = position < complete;
        String fault = damage.isEmpty() && !canGoOnAt(position) ? "no record can begin where it ends" : damage;
        Facts facts = new Facts(false, ofLog != logId, isBeyond, isOld, !fault.isEmpty(), !misfit.isEmpty());
        Row row = CheckpointTable.lookUp(facts);
        String why = switch (row.fit()) {
            case OTHER -> "it belongs to another log";
            case BEYOND -> "the log ends before it, at " + logEnd;
            case OLD -> "it is too old: compaction has taken records after it, before " + complete;
            case DAMAGED -> fault;
            case UNFIT -> misfit;
            case NEWER, GOOD -> "";
        };
        return new Verdict(row, why);
    }

    /** What is thrown for the checkpoint at {@code position} if the store is refused because of that. */
    static UnsupportedFormatException ofAnotherLog(long position) {
        return new UnsupportedFormatException("checkpoint " + CheckpointName.of(position)
                + " belongs to another log; give each store a checkpoint directory of its own,"
                + " or move it away");
    }

    /** The log is asked for a record there only if it can have one. */
    private boolean canGoOnAt(long position) {
        boolean isInAHeader = segments.stream()
                .anyMatch(segment -> position >= segment.basePosition() && position < segment.firstFramePosition());
        return position == 0 || position % Frame.ALIGNMENT == 0 && !isInAHeader;
    }

    private static Verdict verdict(Facts facts, String why) {
        return new Verdict(CheckpointTable.lookUp(facts), why);
    }
}

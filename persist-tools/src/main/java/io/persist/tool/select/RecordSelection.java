package io.persist.tool.select;

import io.persist.log.read.Tailer;

/** Decides record by record which are wanted, and counts those. */
public final class RecordSelection {

    public enum Verdict {
        /** It is not wanted; a later one may be. */
        SKIP,
        TAKE,
        /** Neither it nor any later one is wanted. */
        STOP
    }

    private final RecordRange range;
    private final SkipAndLimit skipAndLimit;
    private long commitsSeen;
    private long skipped;
    private long records;
    private long commits;
    private long bytes;
    private long commitOfLast;

    public RecordSelection(RecordRange range, SkipAndLimit skipAndLimit) {
        this.range = range;
        this.skipAndLimit = skipAndLimit;
    }

    /** Whether no further record is wanted, whatever it is. */
    public boolean isFull() {
        return records >= range.limit() || skipAndLimit.limitCommits() == 0;
    }

    /** Judges the next record; each is judged once. */
    public Verdict judge(Tailer record) {
        if (range.isBehind(record.position(), record.sequence())) {
            return Verdict.STOP;
        }
        if (!range.contains(record.position(), record.sequence())) {
            return Verdict.SKIP;
        }
        if (commitsSeen == 0 || record.startsCommit()) {
            commitsSeen++;
        }
        if (commitsSeen <= skipAndLimit.skipCommits()) {
            return Verdict.SKIP;
        }
        if (commitsSeen - skipAndLimit.skipCommits() > skipAndLimit.limitCommits()) {
            return Verdict.STOP;
        }
        if (skipped < skipAndLimit.skip()) {
            skipped++;
            return Verdict.SKIP;
        }
        count(record);
        return Verdict.TAKE;
    }

    private void count(Tailer record) {
        records++;
        bytes += record.payloadUntilNext().remaining();
        if (commitsSeen != commitOfLast) {
            commits++;
            commitOfLast = commitsSeen;
        }
    }

    /** What was wanted so far. */
    public Counts counts() {
        return new Counts(records, commits, bytes);
    }

    /**
     * Records that were wanted.
     *
     * @param records how many
     * @param commits of how many commits
     * @param bytes of payload
     */
    public record Counts(long records, long commits, long bytes) {}
}

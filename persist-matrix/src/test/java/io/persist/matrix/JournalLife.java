package io.persist.matrix;

import io.persist.Journal;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.RecoveryReport;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.read.Tailer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Each entry is a record. Upkeep takes old segments away. */
abstract class JournalLife extends Life {

    private static final long KEPT_BYTES = 3L * Subject.SEGMENT_LENGTH;

    private final Journal journal;
    private final Retirement retirement;

    /** A commit that has so long does what one does that has as long as it takes. */
    private static final Duration LONG = Duration.ofMinutes(10);

    /** {@code retirement} is what upkeep does with old segments. */
    JournalLife(Journal journal, Retirement retirement) {
        this.journal = journal;
        this.retirement = retirement;
    }

    @Override
    public final void commit(Durability level) {
        journal.commit(level);
    }

    @Override
    public final void commitInTime(Durability level) {
        journal.commit(level, LONG);
    }

    @Override
    public final void handOver() {
        journal.handOver();
    }

    @Override
    public final long flushedPosition() {
        return journal.flushedPosition();
    }

    @Override
    public final boolean await(long position, Durability level, Duration timeout) throws InterruptedException {
        return journal.await(position, level, timeout);
    }

    @Override
    public final CompletableFuture<Long> reached(long position, Durability level) {
        return journal.reached(position, level);
    }

    @Override
    public final void roll() {
        journal.roll();
    }

    @Override
    public final void upkeep(Entries entries) {
        RetentionPlan plan = journal.planRetention(RetentionRule.keepBytes(KEPT_BYTES));
        if (!plan.retired().isEmpty()) {
            long end = plan.retired().get(plan.retired().size() - 1).endPosition();
            entries.mayBeginAt(firstOf(end, entries)); // before it is done: some may be gone although the call fails
        }
        journal.retire(plan, retirement);
    }

    /** The number of the first record in the segment at {@code base}, of which there is one at least. */
    private long firstOf(long base, Entries entries) {
        long position = base + SegmentHeader.LENGTH;
        if (position >= journal.flushedPosition()) {
            return entries.last(); // no tailer sees yet which one it is
        }
        try (Tailer tailer = journal.tailer()) {
            tailer.toPosition(position);
            if (!tailer.next()) {
                throw new AssertionError("no record is there, position=" + position);
            }
            return tailer.sequence();
        }
    }

    @Override
    public final long verify(Entries entries) {
        try (Tailer tailer = journal.tailer()) {
            long last = 0;
            while (tailer.next()) {
                checkFollows(entries, tailer.sequence(), last);
                last = tailer.sequence();
                check(entries, last, tailer);
            }
            return last;
        }
    }

    private static void checkFollows(Entries entries, long number, long last) {
        if (last == 0 && number > entries.oldest()) {
            throw new AssertionError("the oldest record is " + number + " and has to be " + entries.oldest());
        }
        if (last != 0 && number != last + 1) {
            throw new AssertionError("record " + number + " follows " + last);
        }
    }

    /** That the record at which {@code tailer} stands is entry {@code number}. */
    abstract void check(Entries entries, long number, Tailer tailer);

    @Override
    public final boolean hasFailed() {
        return journal.hasFailed();
    }

    @Override
    public final RecoveryReport recovery() {
        return journal.recovery();
    }

    @Override
    public final void close() {
        journal.close();
    }
}

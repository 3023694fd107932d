package io.persist.detached;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.format.SegmentHeader;
import io.persist.log.segment.SegmentPairs;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Producers hand records to the writer thread. */
public final class HandoffQueuePairs {

    private static final int LENGTH = Long.BYTES;
    private static final long ORIGIN = SegmentHeader.LENGTH;

    /** The bytes that a record of {@link #LENGTH} takes in the log. */
    private static final long TAKES = 32;

    private HandoffQueuePairs() {}

    /** A queue to an empty log, and what the writer thread finds in it. */
    private static final class Records {

        final HandoffQueue queue;
        int count;
        int commits;
        private long previousEnd = ORIGIN;
        private boolean whole = true;

        Records(int depth) {
            this(depth, Long.MAX_VALUE);
        }

        /** A queue that takes no more once it has {@code maxBytes}. */
        Records(int depth, long maxBytes) {
            queue = new HandoffQueue(depth, maxBytes, ORIGIN, SegmentPairs.layout());
        }

        /** Hands over a record of eight bytes {@code value}; returns its end, 0 if the queue is full. */
        long append(int value) {
            QueueEntry entry = queue.claim(LENGTH);
            if (entry == null) {
                return 0;
            }
            entry.put(bytes(value), 0);
            return entry.publish();
        }

        private static byte[] bytes(int value) {
            return ByteBuffer.allocate(LENGTH)
                    .putLong(0, value * 0x0101_0101_0101_0101L)
                    .array();
        }

        void drain() {
            queue.drain(this::take, Integer.MAX_VALUE);
        }

        private void take(QueueEntry entry) {
            count++;
            commits += entry.startsCommit() ? 1 : 0;
            ByteBuffer found = ByteBuffer.wrap(entry.bytes());
            long value = found.getLong(0);
            boolean same = value != 0 && value == (value & 0xFF) * 0x0101_0101_0101_0101L;
            whole &= same && entry.length() == LENGTH && entry.end() == previousEnd + TAKES;
            previousEnd = entry.end();
        }

        /** Whether every record that was taken was whole and followed the one before. */
        int areWhole() {
            return whole ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("QueueEntry.publish, isPublishedAfter: the bytes, length and end of the record.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Not published yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Published and whole.")
    @Outcome(expect = FORBIDDEN, desc = "Taken before it was whole.")
    @State
    public static class PublishedThenWhole {

        private final Records records = new Records(2);

        @Actor
        public void producer() {
            records.append(1);
        }

        @Actor
        public void writer(II_Result r) {
            records.drain();
            r.r1 = records.count;
            r.r2 = records.areWhole();
        }
    }

    @JCStressTest
    @Description("HandoffQueue.drain (head, release), claim (head, acquire): an entry that is used again.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The queue was full: the first record only, whole.")
    @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "Both records, each whole.")
    @Outcome(expect = FORBIDDEN, desc = "A record was overwritten before it was taken, or was lost.")
    @State
    public static class TakenThenOverwritten {

        private final Records records = new Records(1);
        private boolean accepted;

        public TakenThenOverwritten() {
            records.append(1);
        }

        @Actor
        public void producer() {
            accepted = records.append(2) != 0;
        }

        @Actor
        public void writer() {
            records.drain();
        }

        @Arbiter
        public void arbiter(II_Result r) {
            records.drain();
            r.r1 = records.count == (accepted ? 2 : 1) ? records.count : -1;
            r.r2 = records.areWhole();
        }
    }

    @JCStressTest
    @Description("HandoffQueue.giveBack (bytes, opaque), claim: bytes that are free again, of an entry that never was.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The queue had bytes enough: the first record only, whole.")
    @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "Both records, each whole.")
    @Outcome(expect = FORBIDDEN, desc = "A record was overwritten before it was taken, or was lost.")
    @State
    public static class BytesGivenBack {

        private final Records records = new Records(2, 1);
        private boolean accepted;

        public BytesGivenBack() {
            records.append(1);
        }

        @Actor
        public void producer() {
            accepted = records.append(2) != 0;
        }

        @Actor
        public void writer() {
            records.drain();
        }

        @Arbiter
        public void arbiter(II_Result r) {
            records.drain();
            r.r1 = records.count == (accepted ? 2 : 1) && records.append(3) != 0 ? records.count : -1;
            r.r2 = records.areWhole();
        }
    }

    @JCStressTest
    @Description("HandoffQueue.claim of two producers (compare-and-set of the tail): entries and positions.")
    @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "Both records, each whole, one right after the other.")
    @Outcome(expect = FORBIDDEN, desc = "They had the same entry, or the same position.")
    @State
    public static class TwoProducers {

        private final Records records = new Records(2);

        @Actor
        public void one() {
            records.append(1);
        }

        @Actor
        public void other() {
            records.append(2);
        }

        @Arbiter
        public void arbiter(II_Result r) {
            records.drain();
            r.r1 = records.count;
            r.r2 = records.areWhole();
        }
    }

    @JCStressTest
    @Description("HandoffQueue.close, claim: what was claimed before is drained, and nothing is claimed after.")
    @Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "Closed first: refused, and the queue is finished.")
    @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "Claimed first: drained, and the queue is finished.")
    @Outcome(expect = FORBIDDEN, desc = "Accepted and lost, or the writer thread ends too early, or never.")
    @State
    public static class CloseAgainstClaim {

        private final Records records = new Records(2);

        @Actor
        public void producer(III_Result r) {
            try {
                r.r1 = records.append(1) != 0 ? 1 : 0;
            } catch (IllegalStateException closed) {
                r.r1 = 0;
            }
        }

        @Actor
        public void closer() {
            records.queue.close();
        }

        @Arbiter
        public void arbiter(III_Result r) {
            boolean finishedEarly = records.queue.isFinished();
            records.drain();
            r.r2 = records.count;
            r.r3 = records.queue.isFinished() && finishedEarly == (records.count == 0) ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("HandoffQueue.close against the writer thread: finished only when nothing is left to take.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Not finished yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Finished after the record was taken.")
    @Outcome(expect = FORBIDDEN, desc = "Finished with a record in the queue.")
    @State
    public static class FinishedThenEmpty {

        private final Records records = new Records(2);

        @Actor
        public void producer() {
            records.append(1);
            records.queue.close();
        }

        @Actor
        public void writer(II_Result r) {
            records.drain();
            boolean finished = records.queue.isFinished();
            r.r1 = finished ? 1 : 0;
            r.r2 = !finished || records.count == 1 ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("HandoffQueue.endCommit, claim (compare-and-set of the tail): the end of a commit.")
    @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "The commit came first: the record starts the next one.")
    @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "The record came first: the commit ends after it.")
    @Outcome(id = "0, 0, .*", expect = FORBIDDEN, desc = "The commit was lost.")
    @Outcome(id = "1, 1, .*", expect = FORBIDDEN, desc = "The commit was ended twice.")
    @Outcome(expect = FORBIDDEN, desc = "The commit ended somewhere else than endCommit said.")
    @State
    public static class EndCommitAgainstClaim {

        private final Records records = new Records(2);
        private long committed;

        @Actor
        public void producer() {
            records.append(1);
        }

        @Actor
        public void committer() {
            committed = records.queue.endCommit();
        }

        @Arbiter
        public void arbiter(III_Result r) {
            records.drain();
            r.r1 = records.commits;
            r.r2 = records.queue.endsWithCommit() ? 1 : 0;
            r.r3 = committed == ORIGIN + (r.r2 == 1 ? TAKES : 0) ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("HandoffQueue.endCommit, drain: a commit that is called while the writer thread takes its record.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Ended after the record, seen when the queue is empty.")
    @Outcome(expect = FORBIDDEN, desc = "The commit was lost, or put before the record.")
    @State
    public static class EndCommitAgainstDrain {

        private final Records records = new Records(2);

        public EndCommitAgainstDrain() {
            records.append(1);
        }

        @Actor
        public void committer() {
            records.queue.endCommit();
        }

        @Actor
        public void writer() {
            records.drain();
        }

        @Arbiter
        public void arbiter(II_Result r) {
            records.drain();
            r.r1 = records.commits;
            r.r2 = records.queue.endsWithCommit() ? 1 : 0;
        }
    }
}

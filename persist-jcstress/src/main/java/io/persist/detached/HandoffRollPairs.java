package io.persist.detached;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.format.SegmentHeader;
import io.persist.log.segment.SegmentPairs;
import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Ends of segments among the records that producers hand to the writer thread. */
public final class HandoffRollPairs {

    private HandoffRollPairs() {}

    @JCStressTest
    @Description(
            "HandoffQueue.drain (bytes given back, then left out), claim (in the other order): an end of a segment.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "There is room for a record.")
    @Outcome(expect = FORBIDDEN, desc = "The queue looked full by bytes that the end of the segment leaves out.")
    @State
    public static class GivenBackThenLeftOut {

        private static final long BYTES = 64; // of two records

        private final HandoffQueue queue = new HandoffQueue(4, BYTES, SegmentHeader.LENGTH, SegmentPairs.layout());

        public GivenBackThenLeftOut() {
            Objects.requireNonNull(queue.claim(Long.BYTES)).publish();
            Objects.requireNonNull(queue.claim(QueueEntry.ROLL)).publish();
        }

        @Actor
        public void producer(I_Result r) {
            r.r1 = queue.claim(Long.BYTES) == null ? 0 : 1;
        }

        @Actor
        public void writer() {
            queue.drain(entry -> {}, Integer.MAX_VALUE);
        }
    }
}

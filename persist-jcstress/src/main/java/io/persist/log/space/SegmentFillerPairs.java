package io.persist.log.space;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.jcstress.DirectMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The filler hands segments and failures to the appender. Its class has a thread and files, too slow for a stress test:
 * these are mirrors of the lines that hand over, and name them; but for {@link Attempts}, which is tested itself.
 */
public final class SegmentFillerPairs {

    private static final long DATA = 0x0102_0304_0506_0708L;

    private SegmentFillerPairs() {}

    @JCStressTest
    @Description("Mirror of FilledSpace.fillTo and Headroom.require: zeros, and how far they go.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Not filled yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Filled, and the bytes are there.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Called filled before it is.")
    @State
    public static class FilledThenZeros {

        final ByteBuffer segment = DirectMemory.zeros(Long.BYTES);
        volatile long filled;

        @Actor
        public void filler() {
            segment.putLong(0, DATA);
            filled = Long.BYTES;
        }

        @Actor
        public void appender(II_Result r) {
            if (filled == Long.BYTES) {
                r.r1 = 1;
                r.r2 = segment.getLong(0) == DATA ? 1 : 0;
            }
        }
    }

    @JCStressTest
    @Description("Mirror of FilledSpace.begin and Headroom.next: a segment, and space in it.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "No space yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Space, and its segment.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Space in no segment.")
    @State
    public static class FilledThenReady {

        final ConcurrentLinkedQueue<Object> ready = new ConcurrentLinkedQueue<>();
        volatile long filled;

        @Actor
        public void filler() {
            ready.add(this);
            filled = 1;
        }

        @Actor
        public void appender(II_Result r) {
            if (filled == 1) {
                r.r1 = 1;
                r.r2 = ready.peek() == null ? 0 : 1;
            }
        }
    }

    @JCStressTest
    @Description("Mirror of SegmentSupply.recycle and make: a spare file, renamed before.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "No spare yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "A spare, and all that was done to it before.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "A spare that is still in use.")
    @State
    public static class SpareThenRetired {

        final ConcurrentLinkedQueue<String> spares = new ConcurrentLinkedQueue<>();
        final ByteBuffer file = DirectMemory.zeros(Long.BYTES);

        @Actor
        public void retention() {
            file.putLong(0, DATA);
            spares.add("spare");
        }

        @Actor
        public void filler(II_Result r) {
            if (spares.poll() != null) {
                r.r1 = 1;
                r.r2 = file.getLong(0) == DATA ? 1 : 0;
            }
        }
    }

    /** Two attempts of the filler: the first began before the appender waits and fails, the second succeeds. */
    @State
    public static class TwoAttempts {

        static final IOException FULL = new IOException("no space");

        final Attempts attempts = new Attempts();

        /** What SpaceWait.until asks for before it waits. */
        final Attempts.Since since = attempts.since();

        void fill() {
            attempts.ended(FULL);
            attempts.ended(null);
        }
    }

    @JCStressTest
    @Description("Attempts, of SegmentFiller.fill and SpaceWait.until: a failure that counts, and how many ended.")
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "Goes on waiting, or has its segment.")
    @Outcome(id = "1", expect = FORBIDDEN, desc = "Told full because of an attempt that began before.")
    public static class AttemptsThenFailure {

        @Actor
        public void filler(TwoAttempts s) {
            s.fill();
        }

        @Actor
        public void appender(TwoAttempts s, I_Result r) {
            r.r1 = s.since.failure() != null ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("Negative control of AttemptsThenFailure: the failure is read before the attempts.")
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "Goes on waiting, or has its segment.")
    @Outcome(id = "1", expect = ACCEPTABLE_INTERESTING, desc = "Told full because of an attempt that began before.")
    public static class FailureThenAttempts {

        @Actor
        public void filler(TwoAttempts s) {
            s.fill();
        }

        @Actor
        public void appender(TwoAttempts s, I_Result r) {
            boolean hasFailed = s.attempts.hasFailed();
            r.r1 = hasFailed && s.since.hasEnded() ? 1 : 0;
        }
    }
}

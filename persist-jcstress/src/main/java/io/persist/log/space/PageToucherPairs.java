package io.persist.log.space;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.format.Frame;
import io.persist.jcstress.DirectMemory;
import io.persist.log.segment.Segment;
import io.persist.log.segment.SegmentPairs;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The thread that touches the pages of a segment ahead of the appender, which stores into them. */
public final class PageToucherPairs {

    private PageToucherPairs() {}

    @JCStressTest
    @Description("PageToucher.touch (compare-and-set), the appender's stores of other widths in the same 8 bytes.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Both halves are as the appender stored them.")
    @Outcome(expect = FORBIDDEN, desc = "The exchange has taken a store back.")
    @State
    public static class TouchAgainstStores {

        final ByteBuffer bytes = DirectMemory.zeros(Frame.HEADER_LENGTH);
        final Segment segment = SegmentPairs.segment(0, Frame.HEADER_LENGTH, bytes);

        @Actor
        public void filler() {
            PageToucher.touchAll(segment);
        }

        @Actor
        public void appender() {
            Frame.putChecksum(bytes, 0, 0x0102_0304);
            Frame.publishRelease(bytes, 0, Frame.HEADER_LENGTH);
        }

        @Arbiter
        public void arbiter(II_Result r) {
            r.r1 = Frame.length(bytes, 0) == Frame.HEADER_LENGTH ? 1 : 0;
            r.r2 = Frame.checksum(bytes, 0) == 0x0102_0304 ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("PageToucher.touch (compare-and-set), the appender's payload: single bytes in the same 8 bytes.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "All bytes are as the appender stored them.")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "The exchange has taken a store back.")
    @State
    public static class TouchAgainstPayload {

        static final byte[] PAYLOAD = {1, 2, 3, 4, 5};

        final ByteBuffer bytes = DirectMemory.zeros(Frame.HEADER_LENGTH);
        final Segment segment = SegmentPairs.segment(0, Frame.HEADER_LENGTH, bytes);

        @Actor
        public void filler() {
            PageToucher.touchAll(segment);
        }

        @Actor
        public void appender() {
            bytes.putLong(0, 0L); // as Frame.clearPadding
            bytes.put(0, PAYLOAD, 0, PAYLOAD.length);
        }

        @Arbiter
        public void arbiter(I_Result r) {
            r.r1 = bytes.getLong(0) == 0x0000_0005_0403_0201L ? 1 : 0;
        }
    }
}

package io.persist.format;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.jcstress.DirectMemory;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The appender publishes a frame by its length, and a tailer of the mapped segment reads it. */
public final class FramePairs {

    private static final long SALT = 0x1234_5678_9ABC_DEF0L;
    private static final long PAYLOAD = 0x0102_0304_0506_0708L;
    private static final int LENGTH = Frame.HEADER_LENGTH + Long.BYTES;

    private FramePairs() {}

    @JCStressTest
    @Description("Frame.publishRelease, Frame.lengthAcquire: payload, header and checksum of the frame.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Not published yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Published and whole.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "The length is there, but not all of the frame.")
    @State
    public static class PublishedThenWhole {

        final ByteBuffer bytes = DirectMemory.zeros(LENGTH);

        @Actor
        public void appender() {
            append(bytes, 0, 1);
        }

        @Actor
        public void tailer(II_Result r) {
            if (Frame.lengthAcquire(bytes, 0) != 0) {
                r.r1 = 1;
                r.r2 = isWhole(bytes, 0, 1) ? 1 : 0;
            }
        }
    }

    @JCStressTest
    @Description("Frame.publishRelease, Frame.lengthAcquire: the frames before the frame.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The second frame is not published yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The second is published, and the first is whole.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "The second is there before the first.")
    @State
    public static class SecondThenFirst {

        final ByteBuffer bytes = DirectMemory.zeros(2 * LENGTH);

        @Actor
        public void appender() {
            append(bytes, 0, 1);
            append(bytes, LENGTH, 2);
        }

        @Actor
        public void tailer(II_Result r) {
            if (Frame.lengthAcquire(bytes, LENGTH) != 0) {
                r.r1 = 1;
                r.r2 = Frame.length(bytes, 0) == LENGTH && isWhole(bytes, 0, 1) ? 1 : 0;
            }
        }
    }

    private static void append(ByteBuffer bytes, int index, long sequence) {
        Frame.clearPadding(bytes, index, LENGTH);
        bytes.putLong(index + Frame.HEADER_LENGTH, PAYLOAD);
        Frame.putHeader(bytes, index, sequence, 0, Frame.TYPE_RECORD, Frame.FLAG_STARTS_COMMIT);
        Frame.putChecksum(bytes, index, new FrameChecksum(bytes).of(index, LENGTH, SALT, index));
        Frame.publishRelease(bytes, index, LENGTH);
    }

    private static boolean isWhole(ByteBuffer bytes, int index, long sequence) {
        return bytes.getLong(index + Frame.HEADER_LENGTH) == PAYLOAD
                && Frame.sequence(bytes, index) == sequence
                && Frame.type(bytes, index) == Frame.TYPE_RECORD
                && Frame.checksum(bytes, index) == new FrameChecksum(bytes).of(index, LENGTH, SALT, index);
    }
}

package io.persist.log.read.window;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.format.Frame;
import io.persist.format.SegmentHeader;
import io.persist.jcstress.DirectMemory;
import io.persist.jcstress.MemoryMapping;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A segment that is read while its file is used again. */
public final class ReadWindowPairs {

    private static final long SALT = 0x1234_5678_9ABC_DEF0L;
    private static final long DATA = 0x0102_0304_0506_0708L;

    private ReadWindowPairs() {}

    @JCStressTest
    @Description("ReadWindow.saltNow, mirror of SegmentFactory.create: a record read while its file is recycled.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The record, and the segment is the same.")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The record, and the segment is another.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Overwritten, and the segment is another.")
    @Outcome(id = "0, 1", expect = FORBIDDEN, desc = "Overwritten, and the tailer does not notice.")
    @State
    public static class RecycledThenSalt {

        static final int RECORD = SegmentHeader.LENGTH + Frame.HEADER_LENGTH;

        final ByteBuffer bytes = DirectMemory.zeros(RECORD + Long.BYTES);
        final ReadWindow.Mapped window = new ReadWindow.Mapped(new MemoryMapping(bytes));

        public RecycledThenSalt() {
            bytes.putLong(SegmentHeader.SALT_OFFSET, SALT);
            bytes.putLong(RECORD, DATA);
        }

        @Actor
        public void filler() {
            bytes.putLong(SegmentHeader.SALT_OFFSET, 0L);
            VarHandle.releaseFence(); // the kernel's, between two writes
            bytes.putLong(RECORD, 0L);
        }

        @Actor
        public void tailer(II_Result r) {
            r.r1 = bytes.getLong(RECORD) == DATA ? 1 : 0;
            r.r2 = window.saltNow() == SALT ? 1 : 0;
        }
    }
}

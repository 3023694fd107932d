package io.persist.log;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.file.Mapping;
import io.persist.file.StorageFile;
import io.persist.format.Frame;
import io.persist.format.SegmentHeader;
import io.persist.jcstress.DirectMemory;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** What happens to the memory and the bounds of a segment while another thread uses it. */
public final class SegmentPairs {

    private static final int SEGMENT_LENGTH = SegmentHeader.MIN_SEGMENT_LENGTH;
    private static final long SALT = 0x1234_5678_9ABC_DEF0L;
    private static final long DATA = 0x0102_0304_0506_0708L;

    private SegmentPairs() {}

    /** A segment in memory: only what is mapped can be used. */
    private record MemoryMapping(ByteBuffer buffer) implements Mapping {

        @Override
        public void force(int offset, int length) {}

        @Override
        public void close() {}
    }

    /** A file that is only synced. That takes a while, so that other threads have to wait for it. */
    private static final class NoFile implements StorageFile {

        private static final int SYNC_SPINS = 100;

        @Override
        public long length() {
            throw new AssertionError();
        }

        @Override
        public void write(long offset, byte[] source, int from, int length, WriteThrough through) {
            throw new AssertionError();
        }

        @Override
        public int read(long offset, byte[] target, int from, int length) {
            throw new AssertionError();
        }

        @Override
        public void sync() {
            for (int i = 0; i < SYNC_SPINS; i++) {
                Thread.onSpinWait();
            }
        }

        @Override
        public Mapping map(int length) {
            throw new AssertionError();
        }

        @Override
        public void close() {}
    }

    private static Segment segment(long base, int length, ByteBuffer bytes) {
        NoFile file = new NoFile();
        return new Segment(new SegmentHeader(base, length, SALT, 1, 0), file, file, new MemoryMapping(bytes));
    }

    /** The first segment, not mapped. */
    static Segment unmapped() {
        NoFile file = new NoFile();
        return new Segment(new SegmentHeader(0, SEGMENT_LENGTH, SALT, 1, 0), file, file, null);
    }

    /** The bounds of a log, for the queues of other tests too. */
    public static SegmentLayout layout() {
        return new SegmentLayout(segment(0, SEGMENT_LENGTH, ByteBuffer.allocate(0)), SEGMENT_LENGTH);
    }

    @JCStressTest
    @Description("SegmentLayout.current: two threads that replace it with different segments.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Each gets the end in its own segment.")
    @Outcome(expect = FORBIDDEN, desc = "One computed with the other's segment.")
    @State
    public static class LayoutOfTwo {

        final SegmentLayout layout = layout();

        @Actor
        public void inFirst(II_Result r) {
            r.r1 = layout.end(SegmentHeader.LENGTH, 8) == SegmentHeader.LENGTH + 32 ? 1 : 0;
        }

        @Actor
        public void inThird(II_Result r) {
            long position = 2L * SEGMENT_LENGTH + SegmentHeader.LENGTH;
            r.r2 = layout.end(position, 8) == position + 32 ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("PageToucher.touch (compare-and-set), the appender's stores of other widths in the same 8 bytes.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Both halves are as the appender stored them.")
    @Outcome(expect = FORBIDDEN, desc = "The exchange has taken a store back.")
    @State
    public static class TouchAgainstStores {

        final ByteBuffer bytes = DirectMemory.zeros(Frame.HEADER_LENGTH);
        final Segment segment = segment(0, Frame.HEADER_LENGTH, bytes);

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
        final Segment segment = segment(0, Frame.HEADER_LENGTH, bytes);

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

    @JCStressTest
    @Description("ReadWindow.saltNow, mirror of SegmentFactory.fill: a record that is read while its file is recycled.")
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

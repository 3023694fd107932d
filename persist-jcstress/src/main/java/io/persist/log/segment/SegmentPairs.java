package io.persist.log.segment;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.file.Mapping;
import io.persist.file.StorageFile;
import io.persist.format.SegmentHeader;
import io.persist.jcstress.MemoryMapping;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** What happens to the bounds of a segment while another thread uses it. */
public final class SegmentPairs {

    private static final int SEGMENT_LENGTH = SegmentHeader.MIN_SEGMENT_LENGTH;
    private static final long SALT = 0x1234_5678_9ABC_DEF0L;

    private SegmentPairs() {}

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

    /** A mapped segment whose memory is {@code bytes}, for the tests of other rooms too. */
    public static Segment segment(long base, int length, ByteBuffer bytes) {
        NoFile file = new NoFile();
        return new Segment(new SegmentHeader(base, length, SALT, 1, 0), 0, file, file, new MemoryMapping(bytes), false);
    }

    /** The first segment, not mapped. */
    public static Segment unmapped() {
        NoFile file = new NoFile();
        return new Segment(new SegmentHeader(0, SEGMENT_LENGTH, SALT, 1, 0), 0, file, file, null, false);
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
}

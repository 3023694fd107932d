package io.persist.format.control;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.file.BootId;
import io.persist.format.Frame;
import io.persist.jcstress.DirectMemory;
import io.persist.monitor.Counter;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The writer keeps its positions in the control block, and readers of other processes look into it. */
public final class ControlBlockPairs {

    /** As much of the block as is used. The two positions differ in both halves. */
    private static final int LENGTH = ControlBlock.WRITTEN_BY_OFFSET + Long.BYTES;

    private static final long FIRST = 0x0000_0001_0000_0008L;
    private static final long SECOND = 0x0000_0002_0000_0010L;
    private static final long DATA = 0x0102_0304_0506_0708L;

    private ControlBlockPairs() {}

    @JCStressTest
    @Description("ControlBlock.flushed(long), flushed(): the position and its complement.")
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "The two do not match, which counts as unknown.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "The first position.")
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "The second position.")
    @Outcome(id = "-1", expect = FORBIDDEN, desc = "A position that nobody stored.")
    @State
    public static class Flushed {

        final ControlBlock block = new ControlBlock(DirectMemory.zeros(LENGTH));

        public Flushed() {
            block.flushed(FIRST);
        }

        @Actor
        public void writer() {
            block.flushed(SECOND);
        }

        @Actor
        public void reader(I_Result r) {
            r.r1 = known(block.flushed());
        }
    }

    @JCStressTest
    @Description("ControlBlock.synced(long), synced(): the first position ever, against a second one.")
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "None yet, or the two do not match, which counts as unknown.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "The first position.")
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "The second position.")
    @Outcome(id = "-1", expect = FORBIDDEN, desc = "A position that nobody stored.")
    @State
    public static class Synced {

        final ControlBlock block = new ControlBlock(DirectMemory.zeros(LENGTH));

        @Actor
        public void writer() {
            block.synced(FIRST);
            block.synced(SECOND);
        }

        @Actor
        public void reader(I_Result r) {
            r.r1 = known(block.synced());
        }
    }

    @JCStressTest
    @Description("ControlBlock.setAside, isSetAside and cut(): where the log goes on without the block.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Not set aside yet.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Not seen yet, where the log goes on is.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Set aside, and where the log goes on.")
    @Outcome(expect = FORBIDDEN, desc = "Set aside, and it is not seen where the log goes on.")
    @State
    public static class SetAsideThenCut {

        final ControlBlock block = new ControlBlock(DirectMemory.zeros(LENGTH));

        @Actor
        public void repair() {
            block.setAside(FIRST);
        }

        @Actor
        public void reader(II_Result r) {
            r.r1 = block.isSetAside() ? 1 : 0;
            long cut = block.cut();
            r.r2 = cut == Long.MAX_VALUE ? 0 : known(cut);
        }
    }

    private static int known(long position) {
        if (position == 0) {
            return 0;
        }
        return position == FIRST ? 1 : position == SECOND ? 2 : -1;
    }

    @JCStressTest
    @Description("ControlBlock.visible(long), visible(): the bytes that were written to the file before.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Not visible yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Visible, and the bytes are there.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Visible before the bytes.")
    @State
    public static class VisibleThenBytes {

        final ControlBlock block = new ControlBlock(DirectMemory.zeros(LENGTH));
        final ByteBuffer file = DirectMemory.zeros(Long.BYTES);

        @Actor
        public void writer() {
            file.putLong(0, DATA);
            block.visible(FIRST);
        }

        @Actor
        public void tailer(II_Result r) {
            if (block.visible() == FIRST) {
                r.r1 = 1;
                r.r2 = file.getLong(0) == DATA ? 1 : 0;
            }
        }
    }

    @JCStressTest
    @Description("ControlBlock.synced(long), syncedOnThisBoot(): without the complement, and the frame before it.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Not synced yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Synced, and the frame is there.")
    @Outcome(expect = FORBIDDEN, desc = "Synced before the frame, or a position that nobody stored.")
    @State
    public static class SyncedThenFrame {

        final ControlBlock block = new ControlBlock(DirectMemory.zeros(LENGTH));
        final ByteBuffer segment = DirectMemory.zeros(Frame.HEADER_LENGTH);

        @Actor
        public void syncer() {
            Frame.publishRelease(segment, 0, Frame.HEADER_LENGTH);
            block.synced(FIRST);
        }

        @Actor
        public void tailer(II_Result r) {
            r.r1 = known(block.syncedOnThisBoot());
            r.r2 = r.r1 == 1 && Frame.length(segment, 0) == Frame.HEADER_LENGTH ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("ControlBlock.flushed(long), flushedOnThisBoot(): without the complement, and the frame before it.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Not flushed yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Flushed, and the frame is there.")
    @Outcome(expect = FORBIDDEN, desc = "Flushed before the frame, or a position that nobody stored.")
    @State
    public static class FlushedThenFrame {

        final ControlBlock block = new ControlBlock(DirectMemory.zeros(LENGTH));
        final ByteBuffer segment = DirectMemory.zeros(Frame.HEADER_LENGTH);

        @Actor
        public void appender() {
            Frame.publishRelease(segment, 0, Frame.HEADER_LENGTH);
            block.flushed(FIRST);
        }

        @Actor
        public void reader(II_Result r) {
            r.r1 = known(block.flushedOnThisBoot());
            r.r2 = r.r1 == 1 && Frame.length(segment, 0) == Frame.HEADER_LENGTH ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("CounterBlock.add, get: a counter that one thread writes and another one reads.")
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "Nothing is counted yet.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "The first number.")
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "Both together.")
    @Outcome(id = "-1", expect = FORBIDDEN, desc = "A number that never was.")
    @State
    public static class CounterIsWhole {

        final CounterBlock block = new CounterBlock(DirectMemory.zeros(DirectMemory.MAX_LENGTH));

        @Actor
        public void appender() {
            block.add(Counter.BYTES, FIRST);
            block.add(Counter.BYTES, SECOND - FIRST);
        }

        @Actor
        public void reader(I_Result r) {
            r.r1 = known(block.get(Counter.BYTES));
        }
    }

    @JCStressTest
    @Description("ControlBlock.hint(long), hint(): the frame that begins at the hint.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "No hint yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "A hint, and the frame is there.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "The hint names a place without a frame.")
    @State
    public static class HintThenFrame {

        final ControlBlock block = new ControlBlock(DirectMemory.zeros(LENGTH));
        final ByteBuffer segment = DirectMemory.zeros(Frame.HEADER_LENGTH);

        @Actor
        public void appender() {
            Frame.publishRelease(segment, 0, Frame.HEADER_LENGTH);
            block.hint(FIRST);
        }

        @Actor
        public void tailer(II_Result r) {
            if (block.hint() == FIRST) {
                r.r1 = 1;
                r.r2 = Frame.length(segment, 0) == Frame.HEADER_LENGTH ? 1 : 0;
            }
        }
    }

    @JCStressTest
    @Description("ControlBlock.committed(long), committed(): the frame that ends at the committed position.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Not committed yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Committed, and the frame is there.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Committed before the frame.")
    @State
    public static class CommittedThenFrame {

        final ControlBlock block = new ControlBlock(DirectMemory.zeros(LENGTH));
        final ByteBuffer segment = DirectMemory.zeros(Frame.HEADER_LENGTH);

        @Actor
        public void appender() {
            Frame.publishRelease(segment, 0, Frame.HEADER_LENGTH);
            block.committed(FIRST);
        }

        @Actor
        public void reader(II_Result r) {
            if (block.committed() == FIRST) {
                r.r1 = 1;
                r.r2 = Frame.length(segment, 0) == Frame.HEADER_LENGTH ? 1 : 0;
            }
        }
    }

    @JCStressTest
    @Description("ControlBlock.open, state(): the boot and the process of the writer.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Not open yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Open, and by whom.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Open before it says by whom.")
    @State
    public static class OpenThenWriter {

        static final BootId BOOT = new BootId(1, 2);

        final ControlBlock block = new ControlBlock(DirectMemory.zeros(LENGTH));

        @Actor
        public void writer() {
            block.open(BOOT, 3);
        }

        @Actor
        public void reader(II_Result r) {
            if (block.state() == ControlBlock.STATE_OPEN) {
                r.r1 = 1;
                r.r2 = block.isBoot(BOOT) && block.pid() == 3 ? 1 : 0;
            }
        }
    }

    @JCStressTest
    @Description("ControlBlock.closed, state(): the tail of a clean log, and its checksum.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Not closed yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Closed, and clean up to the tail.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Closed before the tail.")
    @State
    public static class ClosedThenTail {

        final ControlBlock block = new ControlBlock(DirectMemory.zeros(LENGTH));

        @Actor
        public void writer() {
            block.closed(SECOND, FIRST);
        }

        @Actor
        public void reader(II_Result r) {
            if (block.state() == ControlBlock.STATE_CLOSED) {
                r.r1 = 1;
                r.r2 = block.isClean() && block.cleanTail() == SECOND && block.cleanLast() == FIRST ? 1 : 0;
            }
        }
    }
}

package io.persist.format.control;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.format.Frame;
import io.persist.jcstress.DirectMemory;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two processes that take themselves for the writer of one log, and those who ask who holds it. */
public final class HolderBlockPairs {

    private static final int LENGTH = HolderBlock.PID_OFFSET + Long.BYTES;

    private HolderBlockPairs() {}

    @JCStressTest
    @Description("HolderBlock.holder(Holder), holder(): all that tells the process.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Held by nobody yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Held, and by whom.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Held before it says by whom.")
    @State
    public static class HeldThenHolder {

        final HolderBlock block = new HolderBlock(DirectMemory.zeros(LENGTH));

        @Actor
        public void writer() {
            block.holder(new HolderBlock.Holder(1, 2, 3, 4, 5, 6));
        }

        @Actor
        public void reader(II_Result r) {
            HolderBlock.Holder holder = block.holder();
            if (holder.pid() == 1) {
                r.r1 = 1;
                r.r2 = holder.equals(new HolderBlock.Holder(1, 2, 3, 4, 5, 6)) ? 1 : 0;
            }
        }
    }

    @JCStressTest
    @Description("HolderBlock.holder(Holder), holder(): one follows another.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The one before, whole.")
    @Outcome(id = "7, 1", expect = ACCEPTABLE, desc = "The next one, whole.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Nobody in between.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Parts of both.")
    @Outcome(id = "7, 0", expect = FORBIDDEN, desc = "Parts of both.")
    @State
    public static class ReplacedThenHolder {

        private static final HolderBlock.Holder BEFORE = new HolderBlock.Holder(1, 2, 3, 4, 5, 6);
        private static final HolderBlock.Holder NEXT = new HolderBlock.Holder(7, 8, 9, 10, 11, 12);

        final HolderBlock block = new HolderBlock(DirectMemory.zeros(LENGTH));

        public ReplacedThenHolder() {
            block.holder(BEFORE);
        }

        @Actor
        public void writer() {
            block.holder(NEXT);
        }

        @Actor
        public void reader(II_Result r) {
            HolderBlock.Holder holder = block.holder();
            r.r1 = (int) holder.pid();
            r.r2 = holder.equals(BEFORE) || holder.equals(NEXT) ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("HolderBlock.epoch(long), Syncer.checkHeld: the old writer's record, the new one's look at the log.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Acknowledged by the old writer, and not found by the new one.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Acknowledged, and found.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Not acknowledged, and not found.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Not acknowledged, and found.")
    @State
    public static class EpochAgainstSync {

        final HolderBlock block = new HolderBlock(DirectMemory.zeros(LENGTH));
        final ByteBuffer segment = DirectMemory.zeros(Frame.HEADER_LENGTH);

        @Actor
        public void oldWriter(II_Result r) {
            Frame.publishRelease(segment, 0, Frame.HEADER_LENGTH);
            VarHandle.fullFence();
            r.r1 = block.epoch() == 0 ? 1 : 0;
        }

        @Actor
        public void newWriter(II_Result r) {
            block.epoch(1);
            r.r2 = Frame.lengthAcquire(segment, 0) == Frame.HEADER_LENGTH ? 1 : 0;
        }
    }
}

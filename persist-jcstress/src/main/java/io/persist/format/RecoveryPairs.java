package io.persist.format;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.format.control.ControlBlock;
import io.persist.jcstress.DirectMemory;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** What a writer says in the control block of the end of a recovery, and for the next one. */
public final class RecoveryPairs {

    private static final int LENGTH = ControlBlock.SET_ASIDE_OFFSET + Integer.BYTES;
    private static final long FIRST = 0x0000_0001_0000_0008L;

    private RecoveryPairs() {}

    @JCStressTest
    @Description("ControlBlock.syncedHint(long), syncedHint(): the frame that begins at the hint.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "No hint yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "A hint, and the frame is there.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "The hint names a place without a frame.")
    @State
    public static class SyncedHintThenFrame {

        final ControlBlock block = new ControlBlock(DirectMemory.zeros(LENGTH));
        final ByteBuffer segment = DirectMemory.zeros(Frame.HEADER_LENGTH);

        @Actor
        public void syncer() {
            Frame.publishRelease(segment, 0, Frame.HEADER_LENGTH);
            block.synced(2 * FIRST);
            block.syncedHint(FIRST);
        }

        @Actor
        public void reader(II_Result r) {
            if (block.syncedHint() == FIRST) {
                r.r1 = 1;
                r.r2 = Frame.length(segment, 0) == Frame.HEADER_LENGTH ? 1 : 0;
            }
        }
    }

    @JCStressTest
    @Description("ControlBlock.openedEpoch(long), openedEpoch(): the visible position of the one who opened.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Not opened yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Opened, and the position is its own.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Opened, and the position is that of the writer before.")
    @State
    public static class OpenedThenVisible {

        final ControlBlock block = new ControlBlock(DirectMemory.zeros(LENGTH));

        @Actor
        public void opener() {
            block.visible(FIRST);
            block.openedEpoch(1);
        }

        @Actor
        public void tailer(II_Result r) {
            if (block.openedEpoch() == 1) {
                r.r1 = 1;
                r.r2 = block.visible() == FIRST ? 1 : 0;
            }
        }
    }
}

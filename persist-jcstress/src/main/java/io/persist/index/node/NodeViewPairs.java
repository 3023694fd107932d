package io.persist.index.node;

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

/**
 * A node that the index reads while a snapshot's reader needs it too. The memory of an index is too large for a state:
 * this is a mirror of the lines that hand over, with the same {@code VarHandle}.
 */
public final class NodeViewPairs {

    private static final long DATA = 0x0102_0304_0506_0708L;

    private NodeViewPairs() {}

    @JCStressTest
    @Description("Mirror of IndexMemory.load and NodeView.wrap: a node's bytes, and the frame in which they are.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Not there yet: the reader reads the file itself.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "In a frame, and the bytes are there.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "A frame without the node.")
    @State
    public static class FrameThenNode {

        final ByteBuffer frame = DirectMemory.zeros(Long.BYTES);
        final int[] frameOf = {Node.NONE};

        @Actor
        public void index() {
            frame.putLong(0, DATA);
            NodeView.FRAME.setRelease(frameOf, 0, 7);
        }

        @Actor
        public void reader(II_Result r) {
            if ((int) NodeView.FRAME.getAcquire(frameOf, 0) != Node.NONE) {
                r.r1 = 1;
                r.r2 = frame.getLong(0) == DATA ? 1 : 0;
            }
        }
    }
}

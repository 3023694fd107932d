package io.persist.index.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.index.node.Node;
import io.persist.index.node.NodeSource;
import io.persist.jcstress.DirectMemory;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A node that the index reads while a snapshot's reader needs it too. The memory of an index is too large for a state:
 * this is a mirror of the reader's lines, with the table of the index and bytes of its own.
 */
public final class NodeViewPairs {

    private static final long DATA = 0x0102_0304_0506_0708L;

    private NodeViewPairs() {}

    @JCStressTest
    @Description("FrameTable.put and frame: a node's bytes, and the frame in which they are.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Not there yet: the reader reads the file itself.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "In a frame, and the bytes are there.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "A frame without the node.")
    @State
    public static class FrameThenNode {

        final ByteBuffer frame = DirectMemory.zeros(Long.BYTES);
        final FrameTable table = new FrameTable(1, new ByteBuffer[0], NodeSource.NONE);

        @Actor
        public void index() {
            frame.putLong(0, DATA);
            table.put(0, 7);
        }

        @Actor
        public void reader(II_Result r) {
            if (table.frame(0) != Node.NONE) {
                r.r1 = 1;
                r.r2 = frame.getLong(0) == DATA ? 1 : 0;
            }
        }
    }

    /** A node in a frame, and two nodes' worth of bytes for that. */
    private static class Table {

        final ByteBuffer frame = DirectMemory.zeros(Long.BYTES);
        final FrameTable table = new FrameTable(1, new ByteBuffer[0], NodeSource.NONE);

        Table() {
            frame.putLong(0, DATA);
            table.put(0, 7);
        }

        final void evict() {
            table.evict(0);
            frame.putLong(0, 0);
        }
    }

    @JCStressTest
    @Description("Mirror of FrameTable.evict and read: a frame is given to another node while a reader copies it.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Evicted before: the reader reads the file itself.")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "Evicted meanwhile: the reader looks again.")
    @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "Copied before it was evicted.")
    @Outcome(id = "2, 0", expect = FORBIDDEN, desc = "Bytes of another node are taken for those of this one.")
    @State
    public static class CopiedThenEvicted extends Table {

        @Actor
        public void index() {
            evict();
        }

        @Actor
        public void reader(II_Result r) {
            long place = (long) FrameTable.PLACE.getAcquire(table.places(), 0);
            if (FrameTable.frameOf(place) != Node.NONE) {
                long copy = frame.getLong(0);
                VarHandle.acquireFence();
                boolean isWhole = (long) FrameTable.PLACE.getOpaque(table.places(), 0) == place;
                r.r1 = isWhole ? 2 : 1;
                r.r2 = isWhole && copy == DATA ? 1 : 0;
            }
        }
    }

    @JCStressTest
    @Description("Mirror of ChunkEmptier and FrameTable.read: a node moves to another frame while a reader copies it.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Moved meanwhile: the reader looks again.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Copied from where it was, or from where it is then.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Bytes of another node are taken for those of this one.")
    @State
    public static class CopiedThenMoved extends Table {

        final ByteBuffer other = DirectMemory.zeros(Long.BYTES);

        @Actor
        public void index() {
            other.putLong(0, frame.getLong(0));
            table.move(0, 8);
            frame.putLong(0, 0);
        }

        @Actor
        public void reader(II_Result r) {
            long place = (long) FrameTable.PLACE.getAcquire(table.places(), 0);
            long copy = FrameTable.frameOf(place) == 7 ? frame.getLong(0) : other.getLong(0);
            VarHandle.acquireFence();
            if ((long) FrameTable.PLACE.getOpaque(table.places(), 0) == place) {
                r.r1 = 1;
                r.r2 = copy == DATA ? 1 : 0;
            }
        }
    }

    @JCStressTest
    @Description(
            "Mirror of IndexMemory.source and FrameTable.read: an evicted node is in the source that is seen then.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Still in its frame.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Evicted: read from the source that has it.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Read from a source before that, which has it as it was.")
    @State
    public static class SourceThenEvicted extends Table {

        volatile int source;

        @Actor
        public void index() {
            source = 1;
            evict();
        }

        @Actor
        public void reader(II_Result r) {
            if (table.frame(0) == Node.NONE) {
                r.r1 = 1;
                r.r2 = source;
            }
        }
    }

    /** A source without nodes that can be closed, as a checkpoint's file can. */
    private static final class Closable implements NodeSource {

        private boolean closed;

        synchronized boolean isClosed() {
            return closed;
        }

        @Override
        public boolean has(int id) {
            return NONE.has(id);
        }

        @Override
        public void read(int id, ByteBuffer target, int at) {
            NONE.read(id, target, at);
        }

        @Override
        public RuntimeException damaged(int id, String what) {
            return NONE.damaged(id, what);
        }

        @Override
        public synchronized void close() {
            closed = true;
        }
    }

    @JCStressTest
    @Description("Mirror of Checkpointer.readFromNewest and FrameTable.tryRead: a source is replaced, then closed.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Read before it was replaced.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Read before it was closed, or from the new one.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Closed: the new one is seen, and read from.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Closed, and no other one is seen: the read fails.")
    @State
    public static class SourceThenClosed {

        final Closable first = new Closable();
        final FrameTable table = new FrameTable(1, new ByteBuffer[0], first);

        @Actor
        public void index() {
            table.source(NodeSource.NONE).close();
        }

        @Actor
        public void reader(II_Result r) {
            r.r1 = table.source() == first && first.isClosed() ? 1 : 0;
            r.r2 = table.source() != first ? 1 : 0;
        }
    }
}

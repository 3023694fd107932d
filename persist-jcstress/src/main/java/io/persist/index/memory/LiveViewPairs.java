package io.persist.index.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.index.node.NodeSource;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Nodes that are changed while a thread without the lock reads them. The thread with the lock is {@link FrameTable}
 * itself; the reader is a mirror of the lines of {@link LiveView}, and the bytes of two nodes are two fields, because
 * the memory of an index is too large for a state.
 */
public final class LiveViewPairs {

    /** A tree of height 1 whose root is node 0. */
    private static final long START = 1L << Integer.SIZE;

    private LiveViewPairs() {}

    /** Two nodes, of which the first one is the root. */
    static class Nodes {

        static final int AGAIN = -1;

        final FrameTable table = new FrameTable(2, new ByteBuffer[0], NodeSource.NONE);

        /** The bytes of node 0. */
        int first;

        /** The bytes of node 1. */
        int second;

        Nodes() {
            table.put(0, 0);
            table.put(1, 1);
            table.show(0, 1);
        }

        /** Two stores into node 0. */
        final void changeFirst() {
            table.change(0);
            first = 1;
            second = 1;
            table.show(0, 1);
        }

        final long place(int id) {
            return (long) FrameTable.PLACE.getAcquire(table.places(), id);
        }

        static boolean isChanging(long place) {
            return (place & FrameTable.CHANGING) != 0;
        }

        final boolean isStill(int id, long place) {
            VarHandle.acquireFence();
            return (long) FrameTable.PLACE.getOpaque(table.places(), id) == place;
        }

        final int read(int id) {
            long place = place(id);
            if (isChanging(place)) {
                return AGAIN;
            }
            int found = id == 0 ? first : second;
            return isStill(id, place) ? found : AGAIN;
        }
    }

    @JCStressTest
    @Description("FrameTable.change and LiveView: two stores into one node, and a reader of both.")
    @Outcome(id = "-1, -1", expect = ACCEPTABLE, desc = "The reader has to look again.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "As it was.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "As it is then.")
    @Outcome(expect = FORBIDDEN, desc = "Half of a change was taken for true.")
    @State
    public static class ReadThenChanged extends Nodes {

        @Actor
        public void index() {
            changeFirst();
        }

        @Actor
        public void reader(II_Result r) {
            r.r1 = AGAIN;
            r.r2 = AGAIN;
            long place = place(0);
            if (!isChanging(place)) {
                int one = first;
                int two = second;
                if (isStill(0, place)) {
                    r.r1 = one;
                    r.r2 = two;
                }
            }
        }
    }

    @JCStressTest
    @Description("FrameTable.close, ProcessChunks.take: another index has the memory that a reader is at.")
    @Outcome(id = "-1, 0", expect = ACCEPTABLE, desc = "The index is closed.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Read before that.")
    @Outcome(expect = FORBIDDEN, desc = "What is another index's was taken for true.")
    @State
    public static class ClosedThenTaken extends Nodes {

        private boolean isFree;

        @Actor
        public void index() {
            table.close();
            synchronized (this) {
                isFree = true;
            }
        }

        @Actor
        public void other() {
            boolean isTaken;
            synchronized (this) {
                isTaken = isFree;
            }
            if (isTaken) {
                VarHandle.releaseFence();
                first = 1;
            }
        }

        @Actor
        public void reader(II_Result r) {
            long root = table.root();
            int found = first;
            VarHandle.acquireFence();
            boolean isUnchanged = root == START && table.root() == root;
            r.r1 = isUnchanged ? found : AGAIN;
        }
    }

    @JCStressTest
    @Description("Negative control: the reader does not look at the node's place again.")
    @Outcome(id = "-1, -1", expect = ACCEPTABLE, desc = "The reader has to look again.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "As it was.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "As it is then.")
    @Outcome(
            id = {"0, 1", "1, 0"},
            expect = ACCEPTABLE_INTERESTING,
            desc = "Half of a change.")
    @Outcome(expect = FORBIDDEN, desc = "Something else.")
    @State
    public static class ReadWithoutSecondLook extends Nodes {

        @Actor
        public void index() {
            changeFirst();
        }

        @Actor
        public void reader(II_Result r) {
            r.r1 = AGAIN;
            r.r2 = AGAIN;
            if (!isChanging(place(0))) {
                r.r1 = first;
                r.r2 = second;
            }
        }
    }

    @JCStressTest
    @Description("FrameTable.show: a change of two nodes, and a reader of one after the other.")
    @Outcome(
            id = {"-1, -1", "-1, 0", "-1, 1"},
            expect = ACCEPTABLE,
            desc = "It has to look again at the first.")
    @Outcome(
            id = {"0, -1", "1, -1"},
            expect = ACCEPTABLE,
            desc = "It has to look again at the second.")
    @Outcome(
            id = {"0, 0", "0, 1", "1, 1"},
            expect = ACCEPTABLE,
            desc = "What is seen first is not newer.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Half of a transaction was seen.")
    @State
    public static class ShownTogether extends Nodes {

        @Actor
        public void index() {
            table.change(1);
            second = 1;
            table.change(0);
            first = 1;
            table.show(0, 1);
        }

        @Actor
        public void reader(II_Result r) {
            r.r1 = read(0);
            r.r2 = read(1);
        }
    }

    @JCStressTest
    @Description("FrameTable.show: the root splits, and what was in it is in its new neighbour, or the new root.")
    @Outcome(id = "-1, -1", expect = ACCEPTABLE, desc = "The reader has to look again.")
    @Outcome(
            id = {"0, 1", "1, 1"},
            expect = ACCEPTABLE,
            desc = "It was found where it is.")
    @Outcome(expect = FORBIDDEN, desc = "It was missed: the old root is seen after the split.")
    @State
    public static class RootThenNodes extends Nodes {

        RootThenNodes() {
            first = 1;
        }

        @Actor
        public void index() {
            table.change(0);
            first = 0;
            table.change(1);
            second = 1;
            table.show(1, 2);
        }

        @Actor
        public void reader(II_Result r) {
            r.r1 = AGAIN;
            r.r2 = AGAIN;
            long root = table.root();
            int found = read((int) root);
            if (found != AGAIN && table.root() == root) { // read has a fence before its last look
                r.r1 = (int) root;
                r.r2 = found;
            }
        }
    }
}

package io.persist.index.memory;

import io.persist.index.node.Node;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The nodes of an index as it is now, for one reader without the lock, while the thread with the lock changes them.
 * What the reader finds in a node means something only if {@link #isUnchanged} says so afterwards: until then it may be
 * half of one state and half of another, or of another node.
 *
 * <p>It never waits, never reads a file, and reads nothing but memory of the index. That memory is not given back as
 * long as something refers to it, so a reader may be late: when the index is closed, it reads what it has found, and
 * finds nothing more.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none.
 */
public final class LiveView {

    /** Higher than any tree of real keys; a reader of a higher one needs the lock. */
    private static final int MOST_LEVELS = 16;

    private final FrameTable table;
    private final FrameClock clock;
    private final int[] ids = new int[MOST_LEVELS];
    private final long[] seen = new long[MOST_LEVELS];
    private int count;
    private long root;
    private long[] places;

    LiveView(FrameTable table, FrameClock clock) {
        this.table = table;
        this.clock = clock;
        this.places = table.places();
    }

    /** Begins to read, from the root on; false if the tree is too high. */
    public boolean begin() {
        count = 0;
        root = table.root();
        places = table.places();
        return height() <= MOST_LEVELS;
    }

    /** The id of the root. */
    public int root() {
        return (int) root;
    }

    /** The levels of the tree, 1 for one leaf. */
    public int height() {
        return (int) (root >> Integer.SIZE);
    }

    /** Whether the last node that {@link #wrap} has refused was not in memory: then the lock is needed to read it. */
    public boolean isMissing() {
        return count > 0 && FrameTable.frameOf(seen[count - 1]) == Node.NONE;
    }

    /** Moves {@code window} to node {@code id}, unless that is being changed, or in no frame, or not of that level. */
    public boolean wrap(Node window, int id, int level) {
        if (id < 0 || id >= places.length) {
            return false; // half of an id
        }
        long place = (long) FrameTable.PLACE.getAcquire(places, id); // paired with the releases of FrameTable
        ids[count] = id;
        seen[count++] = place;
        int frame = FrameTable.frameOf(place);
        ByteBuffer[] chunks = table.chunks();
        if (!NodeChunks.has(chunks, frame) || (place & FrameTable.CHANGING) != 0) {
            return false;
        }
        return NodeChunks.wrap(window, chunks, frame, id).level() == level;
    }

    /**
     * Whether nothing of what was read since {@link #begin} has changed. Then it was all there at one moment, since
     * each node was still the same when the ones below it were read. The node that was read last counts as used.
     */
    public boolean isUnchanged() {
        VarHandle.acquireFence(); // paired with the release fences of FrameTable.change and evict
        long[] now = table.places(); // the table may have grown
        if (table.root() != root) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if ((long) FrameTable.PLACE.getOpaque(now, ids[i]) != seen[i]) {
                return false;
            }
        }
        clock.use(FrameTable.frameOf(seen[count - 1]));
        return true;
    }
}

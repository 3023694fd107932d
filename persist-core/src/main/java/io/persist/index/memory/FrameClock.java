package io.persist.index.memory;

import io.persist.index.node.Node;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Which node gives its frame up next: a hand goes round over the frames, and leaves a node that was used since it came
 * by last (CLOCK; Corbató, "A Paging Experiment with the Multics System", 1968). A node that is not a leaf is left for
 * some rounds more, since the way to many leaves leads over it.
 *
 * <p><b>Threads:</b> one at a time, but for {@link #use}. If two threads write the byte of a frame at once, one of its
 * uses may be forgotten.
 */
final class FrameClock {

    private static final byte LEAF_CREDIT = 1;
    private static final byte INNER_CREDIT = 3;
    private static final int FIRST_FRAMES = NodeChunks.NODES_PER_CHUNK;

    private int[] idOf = new int[FIRST_FRAMES];

    /** How often the hand leaves the frame. */
    private volatile byte[] credit = new byte[FIRST_FRAMES];

    /** Whether frames have become scarce, so that it matters which nodes are used. */
    private volatile boolean isStarted;

    private int hand;

    /** The node {@code id} lies in {@code frame} now. */
    void put(int frame, int id) {
        if (frame >= idOf.length) {
            int[] longer = Arrays.copyOf(idOf, Math.max(frame + 1, 2 * idOf.length));
            credit = Arrays.copyOf(credit, longer.length);
            idOf = longer; // last: it says how many frames there are, also if there was no memory for the other
        }
        idOf[frame] = id;
        credit[frame] = LEAF_CREDIT;
    }

    /** The node that lies in the frame, or lay there last. */
    int id(int frame) {
        return idOf[frame];
    }

    /** The node in the frame was read, and is of that level. */
    void noteRead(int frame, int level) {
        credit[frame] = level == Node.LEAF ? LEAF_CREDIT : INNER_CREDIT;
    }

    /** Frames have become scarce: from now on uses count. */
    void start() {
        isStarted = true;
    }

    /** The node in the frame, a leaf, was used. Any thread. */
    void use(int frame) {
        if (isStarted) {
            byte[] now = credit;
            if (frame < now.length && now[frame] == 0) { // mostly it is not, and nothing is written
                now[frame] = LEAF_CREDIT;
            }
        }
    }

    /** Moves on to the next node that may go, of those in the first {@code frames}; {@link Node#NONE} if none may. */
    int next(int frames, IntPredicate mayGo) {
        byte[] now = credit;
        long steps = (INNER_CREDIT + 1L) * frames;
        for (long step = 0; step < steps; step++) {
            int frame = hand < frames ? hand : 0;
            hand = frame + 1;
            int id = idOf[frame];
            if (mayGo.test(id) && now[frame]-- == 0) {
                now[frame] = 0;
                return id;
            }
        }
        return Node.NONE;
    }
}

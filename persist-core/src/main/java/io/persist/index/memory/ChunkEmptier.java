package io.persist.index.memory;

import io.persist.index.node.Node;
import io.persist.index.node.NodeList;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * Empties the last chunk of an index, so that another index can have it: a node in it that can be read again gives its
 * frame up, and any other one moves to a frame of another chunk. It takes time for each free node of the index, and for
 * those of one chunk.
 *
 * <p><b>Threads:</b> the one with the lock, between two changes; no snapshot may be open that reads nodes where they
 * lie.
 */
final class ChunkEmptier {

    private final FrameMemory frames;
    private final FrameTable table;
    private final FrameClock clock;
    private final NodeStates nodes;
    private final FreeIds frameless;
    private final NodeList free;
    private final IntPredicate mayGo;
    private final IntConsumer freeFrame;
    private final Node window = new Node();
    private int first;

    /**
     * Of the index that has these.
     *
     * @param mayGo whether a node can be read again
     * @param freeFrame gives a frame that has no node to a free id
     */
    ChunkEmptier(
            FrameMemory frames,
            FrameTable table,
            FrameClock clock,
            NodeStates nodes,
            FreeIds frameless,
            NodeList free,
            IntPredicate mayGo,
            IntConsumer freeFrame) {
        this.frames = frames;
        this.table = table;
        this.clock = clock;
        this.nodes = nodes;
        this.frameless = frameless;
        this.free = free;
        this.mayGo = mayGo;
        this.freeFrame = freeFrame;
    }

    /**
     * Gives the last chunk back; false if what is in it has to stay in memory, and there is no room for that. Nothing
     * is touched if that is sure before: a checkpoint tries it again and again, until it has the nodes that may not go.
     *
     * @param room so many nodes are free or may go, or fewer
     */
    boolean giveBack(long room) {
        first = frames.lastChunk();
        if (first <= 0 || room < frames.allocated() - first) {
            return false;
        }
        frameless.ensure(2 * NodeChunks.NODES_PER_CHUNK); // those of this chunk, and those whose frames others get
        takeFramesOfFree();
        boolean isEmpty = true;
        for (int frame = first; isEmpty && frame < frames.givenOut(); frame++) {
            isEmpty = !isUsed(frame) || leave(frame);
        }
        if (isEmpty) {
            frames.giveChunkBack();
        } else {
            useAgain();
        }
        return isEmpty;
    }

    private boolean isUsed(int frame) {
        return table.ownFrame(clock.id(frame)) == frame;
    }

    /** Free nodes in the chunk have no frame then. */
    private void takeFramesOfFree() {
        NodeList others = new NodeList();
        while (!free.isEmpty()) {
            int id = free.first();
            wrap(id);
            free.removeFirst(window);
            if (table.ownFrame(id) >= first) {
                table.evict(id);
                frameless.giveBack(id);
            } else {
                others.addFirst(window);
            }
        }
        if (!others.isEmpty()) {
            wrap(others.last());
            free.takeAll(others, window);
        }
    }

    private boolean leave(int frame) {
        int id = clock.id(frame);
        if (mayGo.test(id)) {
            table.evict(id);
            nodes.countEvicted();
            return true;
        }
        int to = takeFrame();
        if (to == Node.NONE) {
            return false;
        }
        NodeChunks.move(frames.chunks(), frame, to);
        clock.put(to, id);
        table.move(id, to);
        return true;
    }

    /** A frame of another chunk. */
    private int takeFrame() {
        int id;
        if (free.isEmpty()) {
            id = clock.next(first, mayGo);
            if (id == Node.NONE) {
                return id;
            }
            nodes.countEvicted();
        } else {
            id = free.first();
            wrap(id);
            free.removeFirst(window);
            frameless.giveBack(id);
        }
        int frame = table.ownFrame(id);
        table.evict(id);
        return frame;
    }

    /** The frames of the chunk that were emptied are the index's as before. */
    private void useAgain() {
        for (int frame = first; frame < frames.givenOut(); frame++) {
            if (!isUsed(frame)) {
                freeFrame.accept(frame);
            }
        }
    }

    private void wrap(int id) {
        NodeChunks.wrap(window, frames.chunks(), table.ownFrame(id), id);
    }
}

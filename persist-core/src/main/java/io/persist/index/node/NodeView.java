package io.persist.index.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The nodes of an index at one moment, for a reader without the lock. None of them changes or goes while a snapshot
 * needs it. Those that were not in memory at that moment may be read by the reader itself, into memory of its own, or
 * be found where the index has put them meanwhile.
 *
 * <p><b>Threads:</b> any, each with windows of its own.
 */
public final class NodeView {

    /** Of the table of frames. */
    static final VarHandle FRAME = MethodHandles.arrayElementVarHandle(int[].class);

    private final ByteBuffer[] chunks;
    private final int frames;
    private final int[] frameOf;
    private final NodeSource source;

    NodeView(ByteBuffer[] chunks, int frames, int[] frameOf, NodeSource source) {
        this.chunks = chunks;
        this.frames = frames;
        this.frameOf = frameOf;
        this.source = source;
    }

    /** Moves {@code window}, which is used for this view only, to node {@code id} at {@code level}. */
    public Node wrap(Node window, int id, int level) {
        int frame = frame(id);
        if (frame != Node.NONE) {
            NodeChunks.wrap(window, chunks, frame, id);
        } else {
            window.own(source, id);
        }
        return window.checkLevel(level, source);
    }

    /** The frame in which the node lies; none if it lies in a chunk that was not there at that moment. */
    private int frame(int id) {
        int frame = (int) FRAME.getAcquire(frameOf, id); // paired with its release in IndexMemory.load
        return frame < frames ? frame : Node.NONE;
    }

    /** Copies node {@code id} to index {@code at} of {@code target}, as an image has it. */
    public void copy(Node window, int id, ByteBuffer target, int at) {
        int frame = frame(id);
        if (frame != Node.NONE) {
            NodeChunks.wrap(window, chunks, frame, id).copyTo(target, at);
        } else {
            source.read(id, target, at);
        }
    }

    /** From where nodes that are not in memory are read. */
    public NodeSource source() {
        return source;
    }
}

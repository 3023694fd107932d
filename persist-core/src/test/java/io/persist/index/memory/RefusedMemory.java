package io.persist.index.memory;

import io.persist.index.node.NodeSet;
import io.persist.index.node.NodeSource;

/** The memory of indexes in a JVM that refuses each chunk. */
public final class RefusedMemory {

    private static final long BYTES = 4L << 20;

    private final ProcessChunks process = new ProcessChunks(() -> BYTES, () -> {
        throw new OutOfMemoryError("Cannot reserve bytes of direct buffer memory");
    });

    public IndexMemory next() {
        return new IndexMemory(BYTES, new NodeSet(new long[1]), 0, NodeSource.NONE, process);
    }

    /** How many indexes have a share. */
    public int indexes() {
        return process.indexes();
    }
}

package io.persist.index.node;

import java.nio.ByteBuffer;

/**
 * Where nodes that are not in memory are read from.
 *
 * <p><b>Threads:</b> any may read, also while it is closed: a read that comes too late finds that out.
 */
public interface NodeSource extends AutoCloseable {

    /** Has no nodes. */
    NodeSource NONE = new NodeSource() {
        @Override
        public boolean has(int id) {
            return false;
        }

        @Override
        public void read(int id, ByteBuffer target, int at) {
            throw new IllegalStateException("there is no node to be read, id=" + id);
        }

        @Override
        public RuntimeException damaged(int id, String what) {
            return new IllegalStateException(what + ", id=" + id);
        }

        @Override
        public void close() {}
    };

    /** Whether there is node {@code id}. */
    boolean has(int id);

    /**
     * Puts the {@value Node#LENGTH} bytes of node {@code id} at index {@code at} of {@code target}, which is
     * little-endian, and verifies them.
     *
     * @throws io.persist.error.CorruptLogException if they are not those that were written, or {@link NodeCheck} finds
     *     a fault
     * @throws io.persist.error.LogIOException if they cannot be read, as after {@link #close}
     */
    void read(int id, ByteBuffer target, int at);

    /** What is thrown when node {@code id} cannot be used although its checksum is right. */
    RuntimeException damaged(int id, String what);

    /** Gives files back. */
    @Override
    void close();
}

package io.persist.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.LogIOException;
import io.persist.index.memory.IndexMemory;
import io.persist.index.node.Node;
import io.persist.index.node.NodeCheck;
import io.persist.index.node.NodeSet;
import io.persist.index.node.NodeSource;
import io.persist.index.read.TreeState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The nodes of the last image and of those before it: the files of a checkpoint, in memory.
 *
 * <p><b>Threads:</b> any may read once no image is taken any more.
 */
final class Images implements NodeSource {

    final Map<Integer, byte[]> nodes = new HashMap<>();
    TreeState state;
    NodeSet live;
    int idLimit;
    volatile int reads;

    /** So many reads go well, and the one after them does not. */
    int readsToFailure = Integer.MAX_VALUE;

    volatile boolean closed;

    /** What another thread does when this one is about to read. */
    Runnable beforeRead = () -> {};

    Images() {}

    /** A copy that a restored index may close. */
    Images(Images other) {
        nodes.putAll(other.nodes);
        state = other.state;
        live = other.live;
        idLimit = other.idLimit;
    }

    void take(IndexImage image) {
        ByteBuffer node = ByteBuffer.allocate(Node.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        for (int id = image.next(0); id != Node.NONE; id = image.next(id + 1)) {
            image.copy(id, node, 0);
            nodes.put(id, node.array().clone());
        }
        state = image.state();
        live = image.nodes();
        idLimit = image.idLimit();
        image.confirm();
    }

    void assertHas(IndexMemory memory) {
        ByteBuffer node = ByteBuffer.allocate(Node.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        for (int id = live.next(0); id != Node.NONE; id = live.next(id + 1)) {
            memory.copyingView().copy(id, node, 0);
            if (!Arrays.equals(nodes.get(id), node.array())) {
                throw new AssertionError("node " + id + " differs");
            }
        }
    }

    KeyIndex restore() {
        return restore(Long.MAX_VALUE);
    }

    /** An index that may have so many bytes of memory. */
    KeyIndex restore(long maxMemoryBytes) {
        return new KeyIndex(maxMemoryBytes, state, new NodeSet(live.words(idLimit)), idLimit, this);
    }

    @Override
    public boolean has(int id) {
        return live.contains(id);
    }

    @Override
    public void read(int id, ByteBuffer target, int at) {
        beforeRead.run();
        if (closed || readsToFailure-- == 0) {
            throw new LogIOException("cannot read a node", new IOException("Input/output error"));
        }
        target.put(at, nodes.get(id));
        assertThat(NodeCheck.findFault(target, at, live, state.version())).isEmpty();
        reads++; // of one thread, where the number matters
    }

    @Override
    public RuntimeException damaged(int id, String what) {
        return new IllegalStateException(what + ", id=" + id);
    }

    @Override
    public void close() {
        closed = true;
    }
}

package io.persist.index;

import io.persist.index.node.NodeSource;
import java.nio.ByteBuffer;

/** A source without nodes, for which the thread that closes it first has no stack left. */
public final class ClosesAtSecondTry implements NodeSource {

    private int tries;

    public boolean isClosed() {
        return tries > 1;
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
    public void close() {
        if (tries++ == 0) {
            throw new StackOverflowError();
        }
    }
}

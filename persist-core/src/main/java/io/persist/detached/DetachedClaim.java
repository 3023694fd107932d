package io.persist.detached;

import io.persist.log.Claim;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A claim in memory of the claiming thread, which is copied into the queue when it is published: so a claim that is
 * open for long, or aborted, holds up nobody.
 */
final class DetachedClaim extends Claim {

    private final Handoff handoff;
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int length;
    private boolean open;

    DetachedClaim(Handoff handoff) {
        this.handoff = handoff;
    }

    DetachedClaim begin(int newLength) {
        checkNotOpen();
        if (buffer.capacity() < newLength) {
            buffer = ByteBuffer.allocate(newLength).order(ByteOrder.LITTLE_ENDIAN);
        }
        length = newLength;
        buffer.limit(length).position(0);
        set(buffer);
        open = true;
        return this;
    }

    /** A thread's claim has to be ended before it does anything else. */
    void checkNotOpen() {
        if (open) {
            throw new IllegalStateException("a claim is open: publish or abort it first");
        }
    }

    @Override
    public long publish() {
        if (!open) {
            throw new IllegalStateException("no claim is open");
        }
        open = false;
        buffer.limit(length).position(0);
        return handoff.append(buffer);
    }

    @Override
    public void abort() {
        open = false;
    }
}

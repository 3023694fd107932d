package io.persist.detached;

import io.persist.log.Claim;
import java.nio.ByteBuffer;

/**
 * A claim that goes into the queue when it is published: a claim that is open for long, or aborted, holds up no other
 * thread.
 */
final class DetachedClaim extends Claim {

    /** Each of 20,000 threads may have so much. */
    private static final int KEPT_LENGTH = 16 << 10;

    private final QueueProducer producer;

    DetachedClaim(QueueProducer producer) {
        super(KEPT_LENGTH);
        this.producer = producer;
    }

    DetachedClaim of(int length) {
        checkNotOpen();
        begin(length);
        return this;
    }

    /** A thread's claim has to be ended before it does anything else. */
    void checkNotOpen() {
        if (isOpen()) {
            throw new IllegalStateException("a claim is open: publish or abort it first");
        }
    }

    /**
     * Appends what remains of {@code source}. It is read before the queue has an entry for it: if it cannot be read, as
     * memory that was closed, the entry would never be published, and the log would be at its end for all threads.
     */
    long append(ByteBuffer source) {
        int length = source.remaining();
        producer.check(length);
        of(length);
        boolean copied = false;
        try {
            payload().put(0, source, source.position(), length);
            copied = true;
        } finally {
            if (!copied) {
                abort();
            }
        }
        return publish();
    }

    @Override
    public long publish() {
        if (!isOpen()) {
            throw new IllegalStateException("no claim is open");
        }
        try {
            return producer.append(whole());
        } finally {
            end();
        }
    }

    @Override
    public void abort() {
        end();
    }
}

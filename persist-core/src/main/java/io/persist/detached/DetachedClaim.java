package io.persist.detached;

import io.persist.log.Claim;

/**
 * A claim that goes into the queue when it is published: a claim that is open for long, or aborted, holds up no other
 * thread.
 */
final class DetachedClaim extends Claim {

    /** Each of 20,000 threads may have so much for its claim, and as much for a {@link SourceCopy}. */
    static final int KEPT_LENGTH = 16 << 10;

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

package io.persist.detached;

import io.persist.log.write.ClaimBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A claim that goes into the queue when it is published: a claim that is open for long, or aborted, holds up no other
 * thread.
 *
 * <p>A thread keeps its claim as long as it lives, also that of a log that was closed: it refers to the log only while
 * it is open.
 */
final class DetachedClaim extends ClaimBuffer {

    /** Each of 20,000 threads may have so much for its claim, and as much for a {@link SourceCopy}. */
    static final int KEPT_LENGTH = 16 << 10;

    /** Of the log that it goes to; null while no claim is open. */
    private @Nullable QueueProducer producer;

    DetachedClaim() {
        super(KEPT_LENGTH);
    }

    DetachedClaim of(QueueProducer newProducer, int length) {
        checkNotOpen();
        begin(length);
        producer = newProducer;
        return this;
    }

    /** A thread's claim has to be ended before it does anything else. */
    void checkNotOpen() {
        if (isOpen()) {
            throw inTheWay();
        }
    }

    @Override
    public long publish() {
        QueueProducer to = producer;
        if (to == null) {
            throw new IllegalStateException("no claim is open");
        }
        try {
            return to.append(whole());
        } finally {
            abort();
        }
    }

    @Override
    public void abort() {
        producer = null;
        end();
    }
}

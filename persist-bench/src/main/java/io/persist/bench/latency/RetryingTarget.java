package io.persist.bench.latency;

import io.persist.error.QueueFullException;

/** Writes, or commits, again what the queue had no place for, until it is accepted. */
public final class RetryingTarget implements Target {

    private final Target target;
    private long refusals;

    public RetryingTarget(Target target) {
        this.target = target;
    }

    @Override
    public void prepare(long index) {
        target.prepare(index);
    }

    @Override
    public long write() {
        while (true) {
            try {
                return target.write();
            } catch (QueueFullException e) {
                refusals++;
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public long commit() {
        while (true) {
            try {
                return target.commit();
            } catch (QueueFullException e) {
                refusals++;
                Thread.onSpinWait();
            }
        }
    }

    /** How often there was no place. */
    public long refusals() {
        return refusals;
    }
}

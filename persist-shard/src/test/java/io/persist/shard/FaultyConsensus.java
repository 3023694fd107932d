package io.persist.shard;

import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.ForwardingConsensus;
import io.persist.shard.location.Version;

/** A consensus that does as a test says. */
final class FaultyConsensus extends ForwardingConsensus {

    /** What becomes of a version. */
    enum Fault {
        NONE,
        REFUSED,
        /** It does not happen, and nobody knows. */
        LOST,
        /** It happens, and nobody knows. */
        ANSWER_LOST
    }

    private volatile Fault fault = Fault.NONE;

    FaultyConsensus(Consensus consensus) {
        super(consensus);
    }

    void set(Fault next) {
        fault = next;
    }

    @Override
    public boolean compareAndSet(String key, long expected, Version next) {
        Fault now = fault;
        if (now == Fault.REFUSED) {
            throw new DeterminateException("the journal is full", null);
        }
        boolean isSet = now != Fault.LOST && super.compareAndSet(key, expected, next);
        if (now != Fault.NONE) {
            throw new IndeterminateException("no answer", null);
        }
        return isSet;
    }

    @Override
    public void close() {}
}

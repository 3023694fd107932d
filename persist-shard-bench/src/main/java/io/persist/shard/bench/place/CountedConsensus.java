package io.persist.shard.bench.place;

import io.persist.shard.bench.place.Traffic.Counter;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.ForwardingConsensus;
import io.persist.shard.location.Version;

/** A consensus that counts. Closing it leaves what is below open. */
final class CountedConsensus extends ForwardingConsensus {

    private final Traffic traffic;

    CountedConsensus(Consensus consensus, Traffic traffic) {
        super(consensus);
        this.traffic = traffic;
    }

    @Override
    public boolean compareAndSet(String key, long expected, Version next) {
        boolean isSet = super.compareAndSet(key, expected, next);
        traffic.add(isSet ? Counter.CAS : Counter.CAS_LOST, 1);
        traffic.add(Counter.CAS_BYTES, isSet ? next.data().length : 0);
        return isSet;
    }

    @Override
    public void close() {}
}

package io.persist.shard.bench.place;

import io.persist.shard.bench.place.Traffic.Counter;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.Version;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A consensus that counts. Closing it leaves what is below open. */
final class CountedConsensus implements Consensus {

    private final Consensus consensus;
    private final Traffic traffic;

    CountedConsensus(Consensus consensus, Traffic traffic) {
        this.consensus = consensus;
        this.traffic = traffic;
    }

    @Override
    public List<String> keys() {
        return consensus.keys();
    }

    @Override
    public @Nullable Version head(String key) {
        return consensus.head(key);
    }

    @Override
    public boolean compareAndSet(String key, long expected, Version next) {
        boolean isSet = consensus.compareAndSet(key, expected, next);
        traffic.add(isSet ? Counter.CAS : Counter.CAS_LOST, 1);
        traffic.add(Counter.CAS_BYTES, isSet ? next.data().length : 0);
        return isSet;
    }

    @Override
    public List<Version> scan(String key, long from, int limit) {
        return consensus.scan(key, from, limit);
    }

    @Override
    public int truncate(String key, long number) {
        return consensus.truncate(key, number);
    }

    @Override
    public void awaitChange(String key, long number, Duration timeout) throws InterruptedException {
        consensus.awaitChange(key, number, timeout);
    }

    @Override
    public void close() {}
}

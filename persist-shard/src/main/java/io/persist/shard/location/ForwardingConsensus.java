package io.persist.shard.location;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A consensus that has another one do all, as {@link ForwardingBlob} is for blobs. */
public abstract class ForwardingConsensus implements Consensus {

    private final Consensus consensus;

    /** Forwards to {@code consensus}. */
    protected ForwardingConsensus(Consensus consensus) {
        this.consensus = consensus;
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
        return consensus.compareAndSet(key, expected, next);
    }

    @Override
    public int mostBytes() {
        return consensus.mostBytes();
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
    public void awaitChange(String key, long number, Duration timeout, Runnable check) throws InterruptedException {
        consensus.awaitChange(key, number, timeout, check);
    }
}

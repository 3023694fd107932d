package io.persist.shard.location;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One handle of a consensus that several handles of the process share. */
public final class SharedConsensus implements Consensus {

    private final Shared<Consensus> all;
    private final String name;
    private final Consensus consensus;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** A handle of the consensus that has {@code name} in {@code all}; {@code opener} opens it if none has. */
    public SharedConsensus(Shared<Consensus> all, String name, Supplier<Consensus> opener) {
        this.all = all;
        this.name = name;
        this.consensus = all.take(name, opener);
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
    public void close() {
        if (closed.compareAndSet(false, true)) {
            all.giveBack(name);
        }
    }
}

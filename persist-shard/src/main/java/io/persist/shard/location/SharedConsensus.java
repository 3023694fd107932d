package io.persist.shard.location;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** One handle of a consensus that several handles of the process share. */
public final class SharedConsensus extends ForwardingConsensus {

    private final Shared<Consensus> all;
    private final Shared.Use<Consensus> use;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** A handle of the consensus that has {@code name} in {@code all}; {@code opener} opens it if none has. */
    public SharedConsensus(Shared<Consensus> all, String name, Supplier<Consensus> opener) {
        this(all, all.take(name, opener));
    }

    private SharedConsensus(Shared<Consensus> all, Shared.Use<Consensus> use) {
        super(use.what());
        this.all = all;
        this.use = use;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            all.giveBack(use);
        }
    }
}

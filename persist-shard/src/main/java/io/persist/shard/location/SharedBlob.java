package io.persist.shard.location;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** One handle of a blob that several handles of the process share. */
public final class SharedBlob extends ForwardingBlob {

    private final Shared<Blob> all;
    private final Shared.Use<Blob> use;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** A handle of the blob that has {@code name} in {@code all}; {@code opener} opens it if none has. */
    public SharedBlob(Shared<Blob> all, String name, Supplier<Blob> opener) {
        this(all, all.take(name, opener));
    }

    private SharedBlob(Shared<Blob> all, Shared.Use<Blob> use) {
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

package io.persist.store.transaction;

import io.persist.index.node.KeyBuffer;
import io.persist.memory.LentBytes;
import io.persist.store.core.Lookups;
import io.persist.store.core.StoreCore;
import io.persist.store.core.WorkspacePool;
import io.persist.store.read.Snapshots;
import io.persist.store.value.SegmentHold;
import org.jspecify.annotations.Nullable;

/**
 * What the store keeps for a thread that has begun a transaction, or called {@code getUntilNext}. A thread that only
 * reads copies and changes single keys has none.
 *
 * <p><b>Threads:</b> one. <b>Allocation:</b> none in the long run.
 */
public final class StoreThread {

    private final ThreadValues values;
    private final Transaction transaction;

    /** For the calling thread, which reads by {@code hold}. */
    public StoreThread(
            StoreCore core, Lookups lookups, WorkspacePool workspaces, Snapshots snapshots, SegmentHold hold) {
        this.values = new ThreadValues(lookups, hold);
        this.transaction = new Transaction(core, workspaces, snapshots, values);
    }

    /** The key that is asked for. */
    public KeyBuffer key() {
        return values.key();
    }

    /** The value of the key that was set last, null if there is none; lent until the next call. */
    public @Nullable LentBytes get() {
        return values.get();
    }

    /** Begins a transaction of this thread. */
    public Transaction begin() {
        return transaction.begin();
    }

    /** Begins a transaction of this thread whose commit is refused if what it has read has changed. */
    public OptimisticTransaction beginOptimistic() {
        return new OptimisticTransaction(transaction.beginChecked());
    }
}

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
 * <p><b>Threads:</b> one, but for {@link #leave}. <b>Allocation:</b> none in the long run.
 */
public final class StoreThread {

    // Both are null once the store is closed. A thread that still sees the old ones is told so by the store.
    private @Nullable ThreadValues values;
    private @Nullable Transaction transaction;

    /** For the calling thread, which reads by {@code hold}. */
    public StoreThread(
            StoreCore core, Lookups lookups, WorkspacePool workspaces, Snapshots snapshots, SegmentHold hold) {
        ThreadValues own = new ThreadValues(lookups, hold);
        this.values = own;
        this.transaction = new Transaction(core, workspaces, snapshots, own);
    }

    /** Lets go of the store, which is closed; any thread. */
    public void leave() {
        values = null;
        transaction = null;
    }

    private static <T> T ofOpen(@Nullable T own) {
        if (own == null) {
            throw new IllegalStateException("store is closed");
        }
        return own;
    }

    /** The key that is asked for. */
    public KeyBuffer key() {
        return ofOpen(values).key();
    }

    /** The value of the key that was set last, null if there is none; lent until the next call. */
    public @Nullable LentBytes get() {
        return ofOpen(values).get();
    }

    /** Begins a transaction of this thread. */
    public Transaction begin() {
        return ofOpen(transaction).begin();
    }

    /** Begins a transaction of this thread whose commit is refused if what it has read has changed. */
    public OptimisticTransaction beginOptimistic() {
        return new OptimisticTransaction(ofOpen(transaction).beginChecked());
    }
}

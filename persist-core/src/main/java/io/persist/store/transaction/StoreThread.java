package io.persist.store.transaction;

import io.persist.memory.LentBytes;
import io.persist.store.core.Lookups;
import io.persist.store.core.StoreCore;
import io.persist.store.core.WorkspacePool;
import io.persist.store.read.Snapshots;
import io.persist.store.value.SegmentHold;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What the store keeps for a thread that has begun a transaction, or called {@code getUntilNext}. A thread that only
 * reads copies and changes single keys has none.
 *
 * <p><b>Threads:</b> one, but for {@link #leave}. <b>Allocation:</b> none in the long run.
 */
public final class StoreThread {

    // All are null once the store is closed. A thread that still sees the old ones is told so by the store.
    private @Nullable ThreadValues values;
    private @Nullable Transaction transaction; // the one that was begun last

    /** The next one. So one that was kept beyond its end is not the one that is open now, and is refused. */
    private @Nullable Transaction next;

    /** For the calling thread, which reads by {@code hold}. */
    public StoreThread(
            StoreCore core, Lookups lookups, WorkspacePool workspaces, Snapshots snapshots, SegmentHold hold) {
        ThreadValues own = new ThreadValues(lookups, hold);
        this.values = own;
        this.transaction = new Transaction(core, workspaces, snapshots, own);
        this.next = new Transaction(core, workspaces, snapshots, own);
    }

    /** Lets go of the store, which is closed; any thread. */
    public void leave() {
        values = null;
        transaction = null;
        next = null;
    }

    private static <T> T ofOpen(@Nullable T own) {
        if (own == null) {
            throw new IllegalStateException("store is closed");
        }
        return own;
    }

    /** The value of {@code key}, null if there is none; lent until the next call. */
    public @Nullable LentBytes get(byte[] key) {
        ThreadValues own = ofOpen(values);
        own.key().set(key, 0, key.length);
        return own.get();
    }

    /** The same of the key that is {@code length} bytes of {@code key} from {@code offset} on. */
    public @Nullable LentBytes get(DirectBuffer key, int offset, int length) {
        ThreadValues own = ofOpen(values);
        own.key().set(key, offset, length);
        return own.get();
    }

    /** Forgets the transaction of this thread, of either kind, if one is open. */
    public void rollback() {
        ofOpen(transaction).close();
    }

    /** Begins a transaction of this thread. */
    public Transaction begin() {
        return next().begin();
    }

    /** Begins a transaction of this thread whose commit is refused if what it has read has changed. */
    public OptimisticTransaction beginOptimistic() {
        return new OptimisticTransaction(next().beginChecked());
    }

    /** The one to begin now. The two take turns. */
    private Transaction next() {
        Transaction last = ofOpen(transaction);
        last.checkEnded();
        Transaction begun = ofOpen(next);
        transaction = begun;
        next = last;
        return begun;
    }
}

package io.persist.store.transaction;

import io.persist.log.thread.LogThread;
import io.persist.memory.LentBytes;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Neighbour;
import io.persist.store.StoreEntry;
import io.persist.store.core.StoreCore;
import io.persist.store.core.Workspace;
import io.persist.store.core.WorkspacePool;
import io.persist.store.read.Snapshots;
import io.persist.store.read.StoreReads;
import io.persist.store.read.StoreScan;
import io.persist.store.staged.ChangedKeys;
import io.persist.store.staged.ScannedRange;
import io.persist.store.staged.StagedChanges;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Transaction} shows of the store and of itself: its own writes, and else what is committed.
 *
 * <p><b>Threads:</b> the thread that began the transaction; a call of another one is refused with an {@link
 * IllegalStateException} that names both.
 */
public abstract sealed class TransactionReads extends StoreWrites implements StoreReads permits Transaction {

    final StoreCore core;
    private final ThreadValues values;
    private final WorkspacePool workspaces;
    private final Snapshots snapshots;

    /** Whose transaction it is, one after the other. */
    private final Thread owner = Thread.currentThread();

    /** While it is open. */
    private @Nullable Workspace workspace;

    /** How many of this thread's transactions have ended. */
    private long ended;

    /** What must not change until the commit, because it was read; null if that does not matter. */
    @Nullable
    ReadSet reads;

    /** Of the calling thread. */
    TransactionReads(StoreCore core, WorkspacePool workspaces, Snapshots snapshots, ThreadValues values) {
        this.snapshots = snapshots;
        this.core = core;
        this.values = values;
        this.workspaces = workspaces;
    }

    /** Throws if this is not the owner's thread: nothing here can be seen by two. */
    final void checkThread() {
        Thread current = Thread.currentThread();
        if (current != owner) {
            throw new IllegalStateException(
                    "this transaction belongs to " + LogThread.describe(owner) + ", and " + LogThread.describe(current)
                            + " has called it; nothing was changed. Begin a transaction in each thread");
        }
    }

    /** Throws if the thread has to end this transaction before it begins another one. */
    final void checkEnded() {
        checkThread();
        if (workspace != null) {
            throw new IllegalStateException("a transaction is open in this thread: commit or roll it back"
                    + " first. If nobody has it any more, call StoreLogger.rollback()");
        }
    }

    /** Begins a transaction for which it does not matter whether what it reads is changed. */
    final void beginUnchecked() {
        checkEnded();
        Workspace taken = workspaces.take();
        taken.leave(); // the thread may end without giving it back
        taken.staged().clear();
        workspace = taken;
        reads = null;
    }

    @Override
    final StagedChanges open() {
        checkThread();
        Workspace own = workspace;
        if (own == null) {
            throw new IllegalStateException("this transaction has ended: begin a new one");
        }
        return own.staged();
    }

    @Override
    final StagedChanges usable() {
        StagedChanges staged = open();
        try {
            core.checkUsable();
        } catch (RuntimeException e) {
            values.leave();
            throw e;
        }
        return staged;
    }

    final void end() {
        Workspace own = workspace;
        if (own != null) {
            workspace = null;
            reads = null; // what it has read, and through that the changes, must not stay as long as the thread
            ended++;
            own.close();
        }
    }

    /** The number of the one that is open, or will be begun next, among this thread's. */
    final long number() {
        return ended;
    }

    /** Whether the transaction was begun, and neither committed nor rolled back since. */
    public boolean isOpen() {
        checkThread();
        return workspace != null;
    }

    @Override
    public @Nullable ByteBuffer get(byte[] key) {
        return LentBytes.copyOf(find(key));
    }

    @Override
    public @Nullable ByteBuffer get(DirectBuffer key, int offset, int length) {
        return LentBytes.copyOf(find(key, offset, length));
    }

    @Override
    public byte @Nullable [] getBytes(byte[] key) {
        return LentBytes.bytesOf(find(key));
    }

    /**
     * {@inheritDoc}
     *
     * <p>Each thread has one buffer, which has the value until the thread's next read in a transaction, or {@code
     * getUntilNext} of the store.
     */
    @Override
    public @Nullable ByteBuffer getUntilNext(byte[] key) {
        return LentBytes.viewOf(find(key));
    }

    @Override
    public @Nullable ByteBuffer getUntilNext(DirectBuffer key, int offset, int length) {
        return LentBytes.viewOf(find(key, offset, length));
    }

    @Override
    public boolean contains(byte[] key) {
        StagedChanges staged = usable();
        values.key().set(key, 0, key.length);
        int own = staged.find(values.key());
        if (own >= 0) {
            return staged.isPut(own);
        }
        long end = shownEnd();
        boolean isThere = true;
        try {
            isThere = values.contains();
        } finally {
            hasRead(isThere, end);
        }
        return isThere;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Later changes of this transaction are not in it either. It belongs to this thread, and throws {@link
     * IllegalStateException} once the transaction has ended. To open it sorts the changes of the transaction that are
     * in the range.
     */
    @Override
    public StoreScan scan(KeyRange range, Direction direction) {
        ChangedKeys changed = ChangedKeys.of(usable(), range);
        long begun = ended;
        ScannedRange scanned = reads == null ? null : reads.scan(range, direction, changed);
        return snapshots.scan(range, direction, changed.layer(), scanned, () -> checkSame(begun));
    }

    /**
     * {@inheritDoc}
     *
     * <p>It goes through the changes of the transaction, and past each committed key near {@code key} that the
     * transaction has removed: to work off many keys, {@link #scan} them.
     */
    @Override
    public @Nullable StoreEntry neighbour(byte[] key, Neighbour which) {
        return values.neighbour(usable(), key, which);
    }

    private void checkSame(long begun) {
        checkThread();
        if (ended != begun) {
            throw new IllegalStateException("the transaction of this scan has ended, and its writes are gone with it:"
                    + " to go on over the committed keys, scan the store");
        }
    }

    private @Nullable LentBytes find(byte[] key) {
        StagedChanges staged = usable();
        values.key().set(key, 0, key.length);
        return find(staged);
    }

    private @Nullable LentBytes find(DirectBuffer key, int offset, int length) {
        StagedChanges staged = usable();
        key.boundsCheck(offset, length);
        values.key().set(key, offset, length);
        return find(staged);
    }

    /** The value of the key that is set. */
    private @Nullable LentBytes find(StagedChanges staged) {
        int own = staged.find(values.key());
        if (own >= 0) {
            return staged.isPut(own) ? values.copyOf(staged, own) : values.nothing();
        }
        long end = shownEnd();
        boolean isThere = true;
        try {
            isThere = values.find();
        } finally { // also if its segment, or the value behind it, is damaged: it was looked for
            hasRead(isThere, end);
        }
        return isThere ? values.read() : null;
    }

    /** Up to where the next lookup finds all, if the commit will depend on what it finds. */
    private long shownEnd() {
        return reads == null ? 0 : core.shown().get();
    }

    /** The key that is set was looked up. */
    private void hasRead(boolean isThere, long end) {
        if (reads != null) {
            byte[] key = Arrays.copyOf(values.key().bytes(), values.key().length());
            reads.add(key, isThere ? values.position() : ReadKeys.ABSENT, end);
        }
    }
}

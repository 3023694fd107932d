package io.persist.store.transaction;

import io.persist.log.Durability;
import io.persist.log.engine.LogWriter;
import io.persist.log.sync.Completion;
import io.persist.store.KeyRange;
import io.persist.store.core.Committer;
import io.persist.store.core.StoreCommits;
import io.persist.store.core.StoreCore;
import io.persist.store.core.WorkspacePool;
import io.persist.store.read.Snapshots;
import io.persist.store.staged.StagedChanges;
import io.persist.store.state.StoreState;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Changes that become part of a store all at once or not at all, also after a crash. Until the commit no other thread
 * sees them, and nothing of them is on the log. Each thread has one open transaction at a time. Do not keep one beyond
 * its end: it is refused while the next transaction is open, but the one after that is the same object.
 *
 * <p>Transactions of several threads are applied one after the other, in the order of their commits. Conflicts are not
 * checked: threads that read a value to change it have to use a lock of their own, or an {@code OptimisticTransaction}.
 *
 * <p><b>Threads:</b> the thread that began it. <b>Allocation:</b> none in the long run; the memory of a transaction of
 * more than 1 MiB is not kept. Reads allocate what {@link io.persist.store.read.StoreReads} says.
 *
 * <p><b>Errors:</b> every method throws an {@link IllegalStateException} that names both threads if another thread
 * calls it; every method but {@link #isOpen} and {@link #close} also if the transaction has ended. Reads and changes
 * throw it also if the store is closed, and a {@link io.persist.error.LogIOException} if the log has failed.
 */
public final class Transaction extends TransactionReads implements AutoCloseable {

    /** Of the commit that was begun last; null if a thread waits for its level. */
    private @Nullable Duration maxDelay;

    private final Committer committer = new Committer() {
        @Override
        public boolean mayCommit(StoreState state) {
            return reads == null || reads.areUnchanged(state);
        }

        /** It is in the log, or in the queue to it, so it must not be committed once more. */
        @Override
        public void accepted() {
            if (reads != null) {
                reads.accepted(core.state()); // before the wait for the device: others would pay for the watches
            }
            end();
        }

        /** Asks for a sync that nobody waits for: what follows, as the removal of a range, may take long or throw. */
        @Override
        public void endCommit(LogWriter writer, Durability level) {
            if (maxDelay == null) {
                writer.commitToAwait(level);
            } else {
                writer.commitWithin(maxDelay);
            }
        }
    };

    Transaction(StoreCore core, WorkspacePool workspaces, Snapshots snapshots, ThreadValues values) {
        super(core, workspaces, snapshots, values);
    }

    Transaction begin() {
        beginUnchecked();
        return this;
    }

    /** Begins a transaction whose commit is refused if something that it has read was changed. */
    Transaction beginChecked() {
        ReadSet none = new ReadSet(); // first: there may be no memory, and then nothing is open
        beginUnchecked();
        reads = none;
        return this;
    }

    /**
     * {@inheritDoc}
     *
     * <p>The transaction's gets, scans and neighbours do not show these keys any more; each range costs each of them a
     * comparison.
     */
    @Override
    public void removeRange(KeyRange range) {
        super.removeRange(range);
    }

    /**
     * Puts, as {@link #put(byte[], byte[])} does.
     *
     * @return the value that the key had in this transaction before, as {@link #get} has it
     */
    public @Nullable ByteBuffer getAndPut(byte[] key, byte[] value) {
        ByteBuffer before = get(key);
        put(key, value);
        return before;
    }

    /**
     * Removes, as {@link #remove(byte[])} does. The value of a committed key may have been changed by another thread
     * before the commit: where that matters, use an {@link OptimisticTransaction}, or the store's own method.
     *
     * @return the value that the key had in this transaction before, as {@link #get} has it
     */
    public @Nullable ByteBuffer getAndRemove(byte[] key) {
        ByteBuffer before = get(key);
        remove(key);
        return before;
    }

    /** Commits with the configured durability, as {@link #commit(Durability)} does. */
    public long commit() {
        return commit(configuredDurability());
    }

    Durability configuredDurability() {
        return core.config().log().durability();
    }

    /**
     * Makes the changes part of the store, and waits for {@code level}. An interrupt does not end the wait. If this
     * throws, {@link #isOpen} tells whether the transaction was accepted. A transaction that is still open was not
     * accepted, and can be committed again. One that has ended is part of the store, but may not have {@code level}.
     *
     * <p>Without changes it writes nothing, and waits until everything that was committed before has {@code level}.
     *
     * @return the position right after the transaction in the log; without changes, the end of the log
     * @throws io.persist.error.LogFullException if there is no space; the transaction is still {@linkplain #isOpen
     *     open}. Detached it may have been accepted: then it is not open any more, other threads see it, and it is
     *     written when there is space
     * @throws io.persist.error.QueueFullException if the queue of a detached store stays full; the transaction is still
     *     open
     * @throws io.persist.error.IndexFullException if the index has no memory left, also after a checkpoint; the
     *     transaction is still open
     * @throws io.persist.error.LogIOException if the log has failed; whether the transaction survives is not known. If
     *     only no segment can be made, the store goes on, and the rest is as with a full disk. Also if the index cannot
     *     be read: then the store goes on, and a transaction that is not open any more may lack {@code level}
     * @throws io.persist.error.CorruptLogException if a part of the index is damaged; the rest is as if it cannot be
     *     read
     * @throws IllegalStateException if the transaction has ended, or the store is closed
     */
    public long commit(Durability level) {
        Objects.requireNonNull(level, "level");
        return commitIfUnchanged(level, null, null);
    }

    /**
     * Makes the changes part of the store, and then waits at most {@code timeout} for {@code level}. Another thread
     * forces the device, so a device that hangs does not hold up this thread. But a commit of another thread without a
     * timeout may hold up the commits after it. The index is brought up to date before the wait, however long that
     * takes. Else as {@link #commit(Durability)}.
     *
     * @param timeout any; a negative one is the same as zero
     * @return the position right after the transaction in the log
     * @throws io.persist.error.CommitTimeoutException if the time ran out first. The transaction is part of the store
     *     all the same, and not open any more; call the store's {@code await} with the exception's position to wait for
     *     the level
     */
    public long commit(Durability level, Duration timeout) {
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(timeout, "timeout");
        return commitIfUnchanged(level, timeout, null);
    }

    /**
     * Makes the changes part of the store, to be SYNCED at most {@code maxDelay} from then, and does not wait for the
     * sync. The delay begins when other threads see the changes, which the index may get later. A background thread
     * syncs as seldom as the delays of all commits allow. It begins early enough for the speed that the device had
     * lately; a device that suddenly takes longer makes it late. The store's {@code syncedPosition}, {@code await},
     * {@code reached} and {@code listen} tell when it is done. Else as {@link #commit(Durability)}.
     *
     * <p>Without changes it has everything synced that was committed before.
     *
     * @param maxDelay 0 or more; more than a day counts as a day
     * @return the position right after the transaction in the log; without changes, the end of the log
     * @throws IllegalArgumentException if {@code maxDelay} is negative; the transaction is still open
     */
    public long commitWithin(Duration maxDelay) {
        Completion.checkDelay(Objects.requireNonNull(maxDelay, "maxDelay"));
        return commitIfUnchanged(Durability.BUFFERED, null, maxDelay);
    }

    private long commitIfUnchanged(Durability level, @Nullable Duration timeout, @Nullable Duration delay) {
        StagedChanges staged = open();
        maxDelay = delay;
        ReadSet read = reads;
        if (read == null) {
            return core.commits().commit(staged, committer, level, timeout);
        }
        try {
            try {
                long end = StoreCommits.REFUSED;
                if (read.beginCommit(core)) {
                    end = core.commits().commit(staged, committer, level, timeout);
                }
                if (end == StoreCommits.REFUSED && read.lookIfWanted(core)) {
                    end = core.commits().commit(staged, committer, level, timeout);
                }
                return end;
            } finally {
                read.endCommit(core);
            }
        } finally {
            read.endCommit(core); // see Turn
        }
    }

    /** Forgets the changes and ends the transaction. */
    public void rollback() {
        open();
        end();
    }

    /** Forgets the changes if the transaction is still open. */
    @Override
    public void close() {
        checkThread();
        end();
    }
}

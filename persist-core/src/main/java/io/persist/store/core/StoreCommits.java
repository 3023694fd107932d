package io.persist.store.core;

import io.persist.error.IndexFullException;
import io.persist.format.TransactionLayout;
import io.persist.log.Durability;
import io.persist.log.engine.LogWriter;
import io.persist.log.space.Headroom.Reserve;
import io.persist.store.OldValues;
import io.persist.store.staged.StagedChanges;
import io.persist.store.state.StoreState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Makes transactions part of a store: a small one in one step, a large one in many.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none for a small transaction, a few small objects for a large one.
 */
public final class StoreCommits {

    /** In place of a commit's position: the commit was refused. */
    public static final long REFUSED = -1;

    /** A transaction of more changes is large. */
    static final int MOST_AT_ONCE = 1024;

    /** In place of a position: there is no space in the log yet. */
    static final long NO_SPACE = -3;

    /** In a log of short segments, which has small transactions only, one of these is large. */
    private static final int BYTES_PER_CHANGE = 512;

    private final StoreCore core;
    private final LogWriter writer;
    private final LogSpace space;
    private final LargeCommits large;
    private final int mostAtOnce;

    StoreCommits(StoreCore core) {
        this.core = core;
        this.writer = core.writer();
        this.space = core.space();
        this.large = new LargeCommits(core, this);
        this.mostAtOnce = Math.min(MOST_AT_ONCE, core.log().layout().maxPayload() / BYTES_PER_CHANGE);
    }

    /**
     * Appends changes and takes them over, if {@code committer} says so; returns the position right after them, or
     * {@link #REFUSED}. Without changes it only waits for what was committed before.
     *
     * <p>Before the wait begins the index has all of a large transaction, and no key of a range that is removed; unless
     * there is no memory for that: then upkeep sees to it.
     *
     * @param timeout to wait for {@code level}, without being held up in the device; null for as long as it takes
     * @throws io.persist.error.CommitTimeoutException if that was not enough; the changes are part of the store
     */
    public long commit(StagedChanges staged, Committer committer, Durability level, @Nullable Duration timeout) {
        MemoryTries tries = null;
        while (true) {
            try {
                return staged.count() > mostAtOnce
                        ? large.tryCommit(staged, committer, level, timeout)
                        : tryCommit(staged, committer, level, timeout);
            } catch (IndexFullException e) {
                tries = tries == null ? new MemoryTries(core) : tries;
                tries.freeMemory(e);
            }
        }
    }

    /** Moves the log's end on by a transaction without changes, to the position that it returns. Any thread. */
    public long appendNothing() {
        StagedChanges nothing = new StagedChanges(core.log().layout().maxPayload(), OldValues.OMIT);
        nothing.clear();
        nothing.seal(TransactionLayout.TYPE_MOVES);
        try {
            space.enter(nothing.length(), Reserve.USE, core::lock); // for checkpoints, without which nothing is freed
            long end = core.appendMoves(nothing);
            writer.commit(Durability.BUFFERED);
            return end;
        } finally {
            core.unlock();
            space.leave();
        }
    }

    private long tryCommit(StagedChanges staged, Committer committer, Durability level, @Nullable Duration timeout) {
        boolean removesRange = !staged.ranges().isEmpty();
        long end = append(staged, committer, level);
        if (end == REFUSED) {
            return end;
        }
        if (removesRange) {
            core.settler().settleIfPossible(); // before the wait, which may end with an exception
        }
        await(end, level, timeout);
        return end;
    }

    private long append(StagedChanges staged, Committer committer, Durability level) {
        core.checkOutside(); // else a call within a flush would give back the turn for space of the one around it
        try {
            try {
                long end = appendIfSpace(staged, committer, level);
                while (end == NO_SPACE) {
                    space.await(staged);
                    end = appendIfSpace(staged, committer, level);
                }
                return end;
            } finally {
                space.leave();
            }
        } finally {
            space.leave(); // see Turn
        }
    }

    private long appendIfSpace(StagedChanges staged, Committer committer, Durability level) {
        boolean recordsOldValues = recordsOldValues();
        if (!recordsOldValues) {
            staged.seal(TransactionLayout.TYPE_CHANGES);
        }
        StoreState state = core.state();
        try {
            core.lockToChange();
            try {
                if (!committer.mayCommit(state)) {
                    return REFUSED;
                }
                state.prepare(staged); // from here on the index reads nothing, and has the memory
                if (recordsOldValues) {
                    state.recordPrevious(staged);
                    staged.seal(TransactionLayout.TYPE_CHANGES);
                }
                if (staged.count() > 0 && !space.has(staged)) {
                    return NO_SPACE;
                }
                long end = staged.count() == 0 ? core.appliedEnd() : core.appendPrepared(staged);
                accept(end, committer, level);
                return end;
            } finally {
                state.unpin();
                core.unlock();
            }
        } finally {
            core.unlock(); // see Turn
        }
    }

    /**
     * What ends at {@code end} of the log is part of the store, whatever comes now, as a queue that takes no commit
     * because the disk is full: so it is shown. Under the lock.
     */
    void accept(long end, Committer committer, Durability level) {
        try {
            committer.accepted();
            committer.endCommit(writer, level);
        } finally {
            if (!writer.positions().hasFailed()) { // else all threads have to find that out
                core.listener().committed(end);
                core.state().index().showChanges();
                core.shown().set(end);
            }
        }
    }

    boolean recordsOldValues() {
        return core.config().oldValues() == OldValues.RECORD;
    }

    /** Waits until everything before {@code end} has the level. Without the lock: the device may take long. */
    void await(long end, Durability level, @Nullable Duration timeout) {
        if (level == Durability.BUFFERED || writer.positions().reached(level) >= end) {
            return; // also if the store is being closed meanwhile
        }
        if (timeout == null) {
            writer.awaitUninterruptibly(end, level);
        } else {
            writer.awaitCommit(end, level, timeout);
        }
    }
}

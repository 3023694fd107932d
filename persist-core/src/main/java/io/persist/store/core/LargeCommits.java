package io.persist.store.core;

import io.persist.format.TransactionLayout;
import io.persist.log.Durability;
import io.persist.log.thread.Turn;
import io.persist.store.layer.ChangeOrder;
import io.persist.store.staged.StagedChanges;
import io.persist.store.state.StoreState;
import java.time.Duration;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes large transactions part of a store, one after the other, in steps between which other threads have the store's
 * lock:
 *
 * <ol>
 *   <li>what the changes need is read of the index, memory for them is made free and kept, and space is made in the
 *       log;
 *   <li>the record is appended, and with one reference all changes are seen, before the index has any of them;
 *   <li>the index gets them, in the order of their keys. Until then a lookup asks the transaction first, and a thread
 *       that goes through the keys merges both.
 * </ol>
 *
 * <p>A failure in the first part changes nothing. One in the third part changes nothing that a thread sees: the next
 * thread that needs the index whole goes on with it.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> a few small objects for each transaction, and before it is appended its
 * {@link ChangeOrder}.
 */
final class LargeCommits {

    private static final long NOT_YET = -2;

    /** So often it is prepared in steps, because other threads have changed a key or used the memory meanwhile. */
    private static final int ROUNDS = 4;

    /** A log has so much space ahead that a shorter record need not be prepared for. */
    private static final int LONG_LENGTH = 1 << 20;

    private final StoreCore core;
    private final StoreState state;
    private final StoreCommits commits;

    /** Made here: where it is needed there may be no memory for it. */
    private final Runnable expectedEnds;

    /** One large transaction at a time. It is taken before the store's lock. */
    private final Turn turn = new Turn();

    LargeCommits(StoreCore core, StoreCommits commits) {
        this.core = core;
        this.state = core.state();
        this.commits = commits;
        this.expectedEnds = state.expected()::end;
    }

    /** As {@link StoreCommits#commit} says; throws if there is no memory for the changes. */
    long tryCommit(StagedChanges staged, Committer committer, Durability level, @Nullable Duration timeout) {
        core.checkOutside(); // a listener must not give back the turn of the commit that has called it
        ChangeOrder order = ChangeOrder.ofAll(staged.buffer(), staged.length(), staged.count());
        if (!commits.recordsOldValues()) {
            staged.enterNew();
            staged.seal(TransactionLayout.TYPE_CHANGES);
        }
        long end;
        try {
            turn.take();
            try {
                core.settler().settle(); // what the transaction before may have left for want of memory
                end = publish(staged, order, committer, level);
                core.settler().settleIfPossible();
            } finally {
                turn.giveBack();
            }
        } finally {
            turn.giveBack(); // see Turn
        }
        if (end != StoreCommits.REFUSED) {
            commits.await(end, level, timeout);
        }
        return end;
    }

    private long publish(StagedChanges staged, ChangeOrder order, Committer committer, Durability level) {
        LogSpace space = core.space();
        try {
            try {
                for (int round = 1; ; round++) {
                    prepare(staged, order);
                    prepareSpace(staged.length());
                    long end = tryPublish(staged, committer, level, round);
                    while (end == StoreCommits.NO_SPACE) {
                        space.await(staged);
                        end = tryPublish(staged, committer, level, round);
                    }
                    if (end != NOT_YET) {
                        return end;
                    }
                }
            } finally {
                space.leave();
            }
        } finally {
            space.leave(); // see Turn
            expectNothing();
        }
    }

    private void expectNothing() {
        core.lockedAnyway(expectedEnds);
    }

    private void prepare(StagedChanges staged, ChangeOrder order) {
        boolean recordsOldValues = commits.recordsOldValues();
        if (recordsOldValues) {
            expectNothing(); // nobody may look at the changes while these change
            staged.beginPrevious();
            inOneStep(() -> state.expected().beginWatched(staged, order));
        } else {
            inOneStep(() -> state.expected().begin(staged, order));
        }
        inSteps(0, order.count(), first -> state.expected().lookUpSome(first));
        inSteps(0, 1, first -> state.expected().ensureSomeMemory() ? 1 : first);
        if (recordsOldValues) {
            int beginning = TransactionLayout.HEADER_LENGTH;
            inSteps(beginning, staged.length(), first -> state.recordSomePrevious(staged, first));
            staged.seal(TransactionLayout.TYPE_CHANGES);
        }
    }

    /** Or the thread that appends might wait for it, with the store's lock. */
    private void prepareSpace(int length) {
        if (length >= LONG_LENGTH) {
            core.writer().recordSpace().prepare(length);
        }
    }

    /** The step does something for changes from a number or an offset on; it returns the one up to which it is done. */
    private void inSteps(int beginning, int end, IntUnaryOperator step) {
        int[] first = {beginning};
        while (first[0] < end) {
            core.letOthersGo();
            inOneStep(() -> first[0] = step.applyAsInt(first[0]));
        }
    }

    private void inOneStep(Runnable step) {
        core.locked(() -> {
            state.step().begin();
            step.run();
        });
    }

    private long tryPublish(StagedChanges staged, Committer committer, Durability level, int round) {
        core.letOthersGo();
        try {
            core.lockToChange();
            try {
                if (round < ROUNDS
                        && (!state.expected().hasMemory() || state.expected().isTouched())) {
                    return NOT_YET;
                }
                if (!committer.mayCommit(state)) {
                    return StoreCommits.REFUSED;
                }
                if (state.expected().isTouched()) {
                    state.recordPrevious(staged);
                    staged.seal(TransactionLayout.TYPE_CHANGES);
                }
                state.expected().ensureMemory(); // what was looked up meanwhile was read into some of it
                if (!core.space().has(staged)) {
                    return StoreCommits.NO_SPACE;
                }
                long end = core.appendExpected(staged);
                commits.accept(end, committer, level);
                return end;
            } finally {
                core.unlock();
            }
        } finally {
            core.unlock(); // see Turn
        }
    }
}

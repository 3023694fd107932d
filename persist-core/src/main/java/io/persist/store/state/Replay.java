package io.persist.store.state;

import io.persist.error.CorruptLogException;
import io.persist.error.IndexFullException;
import io.persist.event.OpeningProgress;
import io.persist.event.OpeningProgress.Step;
import io.persist.store.layer.ReplayedChanges;

/**
 * Brings a store's state to where its log ends. Changes are not made one by one as they come: they are gathered, and
 * the index gets of each key the last one, in the order of the keys. So it searches and reads each node once, however
 * the keys came.
 *
 * <p>What is gathered last can be left to be done when the store is open. Like a large transaction it lies over the
 * index then.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> what is gathered, a sixth of the heap at most.
 */
public final class Replay {

    /** Of the heap one part in so many at most; as much again is needed while it grows, and to put it in order. */
    private static final int PART_OF_HEAP = 6;

    private static final int MOST_LENGTH = 256 << 20;

    /** Each lookup asks all removals of ranges, so there must not be many. */
    private static final int MOST_RANGES = 16;

    /** So many changes go to the index before it is told how far that is. */
    private static final int CHANGES_PER_LOOK = 1 << 14;

    private final StoreState state;
    private final int mostLength;
    private final OpeningProgress progress;
    private ReplayedChanges changes;
    private int ranges;
    private long transactions;
    private long changeCount;

    /** Brings {@code state} on, and tells {@code progress} how far the index is. */
    public Replay(StoreState state, OpeningProgress progress) {
        this(state, progress, (int) Math.min(MOST_LENGTH, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    }

    /** With {@code mostLength} bytes for what is gathered. */
    Replay(StoreState state, OpeningProgress progress, int mostLength) {
        this.state = state;
        this.progress = progress;
        this.mostLength = mostLength;
        this.changes = new ReplayedChanges(mostLength);
    }

    /**
     * Takes the next transaction of the log.
     *
     * @throws CorruptLogException if it is none, or a node of the index is damaged
     * @throws IndexFullException if there is no memory
     */
    public void apply(EntryCursor entries) {
        while (entries.next()) {
            if (!entries.removesRange() && !changes.fits(entries.keyLength()) || ranges == MOST_RANGES) {
                settle();
            }
            if (entries.removesRange()) {
                state.removeRange(entries);
                ranges++;
            } else {
                entries.addTo(changes);
            }
        }
        transactions++;
        changeCount += entries.count();
    }

    /** Has the index get all that was taken; throws as {@link #apply} does. */
    public void settle() {
        layOver();
        if (state.left() > 0 && !reserveMemory()) {
            state.index().frames().awaitTurn();
        }
        int all = state.left();
        while (!state.settle(CHANGES_PER_LOOK)) {
            progress.within(Step.SETTLE, all - state.left(), all);
        }
    }

    /**
     * Leaves it to later, if that is worth it, and the memory that it needs will be there; else it does as {@link
     * #settle} does.
     *
     * @return of how many keys the index has not got the last change
     */
    public int settleLater() {
        layOver();
        boolean isWorthIt = state.left() > StoreState.CHANGES_PER_STEP;
        if (!isWorthIt || !reserveMemory()) {
            settle();
        }
        return state.left();
    }

    private boolean reserveMemory() {
        return state.index().budget().later().reserve(state.left(), state.leftBytes());
    }

    /** From here on a lookup finds what was gathered. */
    private void layOver() {
        if (!changes.isEmpty()) {
            state.layOver(changes);
            changes = new ReplayedChanges(mostLength);
        }
        ranges = 0;
    }

    /** How many transactions there were. */
    public long transactions() {
        return transactions;
    }

    /** How many changes these had. */
    public long changes() {
        return changeCount;
    }
}

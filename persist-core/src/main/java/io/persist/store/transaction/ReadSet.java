package io.persist.store.transaction;

import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.core.StoreCore;
import io.persist.store.layer.LayeredSnapshot;
import io.persist.store.staged.ChangedKeys;
import io.persist.store.staged.ScannedRange;
import io.persist.store.state.MovedPlaces;
import io.persist.store.state.RangeWatch;
import io.persist.store.state.StoreState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has read, and what must not have changed when it is committed: single keys, and what its scans
 * have gone past. The commit looks at it under the store's lock, unless that would take long, or read files for scans:
 * then it looks without the lock, at a snapshot, while a {@link RangeWatch} is told of what others commit.
 *
 * <p><b>Threads:</b> the transaction's. <b>Allocation:</b> some for each key that was read by itself, and for each
 * scan.
 */
final class ReadSet {

    /** So many keys are counted under the lock at most, or as much is done in another way: some 10 microseconds. */
    static final int MOST_UNDER_LOCK = 4096;

    private final ReadKeys keys = new ReadKeys();

    /** Those that were opened; null until the first is, as most transactions have none. */
    private @Nullable List<ScannedRange> scans;

    /** Of the commit that is under way; null if there is none, or no scan. */
    private @Nullable ScanCheck check;

    /** Null if nothing was looked at without the lock. */
    private @Nullable RangeWatch watch;

    /** Whether the lock was given back because the scans had to be looked at without it. */
    private boolean wantsLook;

    /**
     * This key was read; its value lay at {@code place}, or it was {@link ReadKeys#ABSENT}.
     *
     * @param end before the key was looked up, lookups found all that was committed before this position
     */
    void add(byte[] key, long place, long end) {
        keys.add(key, place, end);
    }

    /** A scan is about to be opened: it has to tell how far it goes. */
    ScannedRange scan(KeyRange range, Direction direction, ChangedKeys own) {
        List<ScannedRange> opened = scans == null ? new ArrayList<>() : scans;
        scans = opened;
        if (!opened.isEmpty()) {
            opened.get(opened.size() - 1).shrink(); // there may be very many, one after the other
        }
        ScannedRange scanned = new ScannedRange(range, direction, own);
        opened.add(scanned);
        return scanned;
    }

    /**
     * A commit begins. Later {@link #endCommit} is to be called, also if this throws.
     *
     * @return false if something that was read has changed: then it need not be tried
     */
    boolean beginCommit(StoreCore core) {
        wantsLook = false;
        ScanCheck scanned = scans == null ? null : new ScanCheck(scans);
        check = scanned == null || scanned.work() == 0 ? null : scanned; // none has begun
        long work = keys.work() + (check == null ? 0 : check.work());
        return work <= MOST_UNDER_LOCK || look(core);
    }

    /**
     * Looks without the lock if the commit was refused for want of that; returns whether it did, and all was unchanged:
     * then the commit is to be tried again.
     */
    boolean lookIfWanted(StoreCore core) {
        return wantsLook && look(core);
    }

    private boolean look(StoreCore core) {
        ScanCheck scanned = check;
        RangeWatch begun = new RangeWatch(scanned == null ? List.of() : scanned.parts(), keys.all());
        StoreState state = core.state();
        MovedPlaces moved;
        LayeredSnapshot moment;
        try {
            core.settler().lockToSnapshot();
            try {
                moved = state.recent().moved().copy();
                watch = begun;
                state.recent().watch(begun);
                moment = state.snapshot(); // last, since nobody else would close it
            } finally {
                core.unlock();
            }
        } finally {
            core.unlock(); // see Turn
        }
        try {
            return keys.areUnchanged(moment::get, moved)
                    && (scanned == null || scanned.areUnchanged(moment.cursor(), moved));
        } finally {
            core.lockedAnyway(moment::close);
        }
    }

    /** Whether all is as it was when it was read; false too if that could not be said. Under the store's lock. */
    boolean areUnchanged(StoreState state) {
        wantsLook = false;
        MovedPlaces moved = state.recent().moved();
        if (watch != null) {
            return isUntouched(watch) && (!watch.isUnsureOfKeys() || keys.areUnchanged(state::get, moved));
        }
        if (!keys.areUnchanged(state::get, moved)) {
            return false;
        }
        if (check == null) {
            return true;
        }
        wantsLook = !state.isSettled() || state.index().unloadedNodes() > 0;
        return !wantsLook && check.areUnchanged(state.index().cursor(), moved);
    }

    /** As far as it knows; what it does not know of scans is taken for a change. */
    private boolean isUntouched(RangeWatch by) {
        return !by.isTouched() && (check == null || !by.isUnsure());
    }

    /** The commit has come to its end, whatever that was. Has no effect the second time. */
    void endCommit(StoreCore core) {
        RangeWatch begun = watch;
        if (begun != null) {
            core.lockedAnyway(() -> core.state().recent().unwatch(begun));
            watch = null;
        }
        check = null;
    }
}

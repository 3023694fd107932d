package io.persist.store.transaction;

import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.core.StoreCore;
import io.persist.store.layer.LayeredSnapshot;
import io.persist.store.staged.ChangedKeys;
import io.persist.store.staged.ScannedRange;
import io.persist.store.state.KeyWatch;
import io.persist.store.state.MovedPlaces;
import io.persist.store.state.RangeWatch;
import io.persist.store.state.RecentChanges;
import io.persist.store.state.StoreState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has read, and what must not have changed when it is committed: single keys, and what its scans
 * have gone past. The commit looks at it under the store's lock, unless that would take long, or read files for scans.
 * Then it looks before that, while a {@link RecentChanges.Watch} is told of what others commit: at keys in steps, and
 * at scans without the lock, in a snapshot.
 *
 * <p><b>Threads:</b> the transaction's. <b>Allocation:</b> some for each key that was read by itself, and for each
 * scan.
 */
final class ReadSet {

    /** So many keys of scans are counted under the lock at most, or as much is done for gets: some 10 microseconds. */
    static final int MOST_UNDER_LOCK = 4096;

    private final ReadKeys keys = new ReadKeys();

    /** Those that were opened; null until the first is, as most transactions have none. */
    private @Nullable List<ScannedRange> scans;

    /** Of the commit that is under way; null if there is none, or no scan. */
    private @Nullable ScanCheck check;

    /** Of what was looked at before the commit; null while nothing was, or none is under way. */
    private @Nullable KeyWatch keyWatch;

    private @Nullable RangeWatch scanWatch;

    /** Whether the lock was given back because the scans have to be looked at without it. */
    private boolean wantsLook;

    /**
     * This key, which is kept, was read; its value lay at {@code place}, or it was {@link ReadKeys#ABSENT}.
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
        return (keys.work() <= MOST_UNDER_LOCK || lookAtKeys(core))
                && (check == null || check.work() <= MOST_UNDER_LOCK || lookAtScans(core, check));
    }

    /**
     * Looks at the scans without the lock if the commit was refused for want of that; returns whether it did, and they
     * were unchanged: then the commit is to be tried again.
     */
    boolean lookIfWanted(StoreCore core) {
        return wantsLook && check != null && lookAtScans(core, check);
    }

    /**
     * In steps between which others commit. What is as it was when it is looked up stays so, unless the watch says
     * something else. A snapshot would cost these others memory of the index.
     */
    private boolean lookAtKeys(StoreCore core) {
        KeyWatch begun = new KeyWatch(keys.all());
        core.locked(() -> {
            keyWatch = begun;
            core.state().recent().watch(begun);
        });
        ReadKeys.Look look = keys.look();
        boolean areUnchanged = true;
        while (areUnchanged && look.hasNext()) {
            core.letOthersGo();
            areUnchanged = core.ask(() -> !begun.isTouched() && look.step(core.state()));
        }
        return areUnchanged;
    }

    private boolean lookAtScans(StoreCore core, ScanCheck scanned) {
        RangeWatch begun = new RangeWatch(scanned.parts());
        StoreState state = core.state();
        MovedPlaces moved;
        LayeredSnapshot moment;
        try {
            core.settler().lockToSnapshot();
            try {
                moved = state.recent().moved().copy();
                scanWatch = begun;
                state.recent().watch(begun);
                moment = state.snapshot(); // last, since nobody else would close it
            } finally {
                core.unlock();
            }
        } finally {
            core.unlock(); // see Turn
        }
        try {
            return scanned.areUnchanged(moment.cursor(), moved);
        } finally {
            core.settler().close(moment);
        }
    }

    /** Whether all is as it was when it was read; false too if that could not be said. Under the store's lock. */
    boolean areUnchanged(StoreState state) {
        wantsLook = false;
        return areKeysUnchanged(state) && areScansUnchanged(state);
    }

    /** What a watch does not know is looked up: gets were never refused for what somebody does elsewhere. */
    private boolean areKeysUnchanged(StoreState state) {
        KeyWatch by = keyWatch;
        if (by != null && by.isTouched()) {
            return false;
        }
        return by != null && !by.isUnsure() || keys.areUnchanged(state);
    }

    /** What a watch does not know is taken for a change: it would take too long. */
    private boolean areScansUnchanged(StoreState state) {
        if (check == null) {
            return true;
        }
        if (scanWatch != null) {
            return !scanWatch.isTouched() && !scanWatch.isUnsure();
        }
        wantsLook = !state.isSettled() || state.index().unloadedNodes() > 0;
        return !wantsLook
                && check.areUnchanged(state.index().cursor(), state.recent().moved());
    }

    /** The transaction is part of the store, and what others change from now on is nothing to it. Under the lock. */
    void accepted(StoreState state) {
        endWatches(state);
    }

    private void endWatches(StoreState state) {
        if (keyWatch != null) {
            state.recent().unwatch(keyWatch);
            keyWatch = null;
        }
        if (scanWatch != null) {
            state.recent().unwatch(scanWatch);
            scanWatch = null;
        }
    }

    /**
     * The commit has come to its end, whatever that was. Has no effect the second time. It makes no object: the end may
     * be an {@code OutOfMemoryError}, and without memory the watches would stay for ever.
     */
    void endCommit(StoreCore core) {
        if (keyWatch != null || scanWatch != null) {
            try {
                core.lockAnyway();
                try {
                    endWatches(core.state());
                } finally {
                    core.unlock();
                }
            } finally {
                core.unlock(); // see Turn
            }
        }
        check = null;
    }
}

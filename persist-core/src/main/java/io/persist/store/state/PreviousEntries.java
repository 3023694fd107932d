package io.persist.store.state;

import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.store.staged.StagedChanges;

/**
 * Notes for changes which entry they replace: in the log, or an earlier one of the same transaction.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none.
 */
final class PreviousEntries {

    private final StoreState state;
    private final KeyBuffer key = new KeyBuffer();
    private final Location replaced = new Location();

    PreviousEntries(StoreState state) {
        this.state = state;
    }

    /** For {@code most} changes from {@code first} on; returns the offset of the next one. */
    int record(StagedChanges staged, int first, int most) {
        int entry = first;
        for (int i = 0; entry < staged.length() && i < most; entry = staged.next(entry), i++) {
            if (!staged.removesRange(entry)) {
                record(staged, entry);
            }
        }
        return entry;
    }

    private void record(StagedChanges staged, int entry) {
        staged.key(entry, key);
        int removed = staged.ranges().lastBefore(entry, staged.buffer(), entry);
        if (staged.replacesEarlier(entry)) {
            int earlier = (int) TransactionLayout.previous(staged.buffer(), entry);
            if (!staged.isPut(earlier) || earlier < removed) {
                TransactionLayout.putPrevious(staged.buffer(), entry, 0, (byte) 0);
            }
        } else {
            boolean isThere = removed < 0 && state.get(key, replaced);
            TransactionLayout.putPrevious(staged.buffer(), entry, isThere ? replaced.position() : 0, (byte) 0);
        }
    }
}

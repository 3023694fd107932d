package io.persist.store.state;

import io.persist.format.TransactionLayout;
import io.persist.store.staged.StagedChanges;

/**
 * What the commits of optimistic transactions have to know of the records that came since they have read.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none.
 */
public final class RecentChanges {

    private final MovedPlaces moved = new MovedPlaces();
    private final LiveBytes live;

    /** {@code live} has the segments. */
    RecentChanges(LiveBytes live) {
        this.live = live;
    }

    /** What is staged was appended; from {@code start} to {@code end} the log has nothing else. */
    public void note(StagedChanges staged, long start, long end) {
        if (TransactionLayout.type(staged.buffer(), 0) == TransactionLayout.TYPE_MOVES && staged.count() > 0) {
            noteMoves(staged, start, end);
        }
    }

    /** All out of one segment; each entry says where it lay. */
    private void noteMoves(StagedChanges moves, long start, long end) {
        long source = -1;
        long bound = 0;
        for (int entry = TransactionLayout.HEADER_LENGTH; entry < moves.length(); entry = moves.next(entry)) {
            source = TransactionLayout.previous(moves.buffer(), entry);
            bound = Math.max(bound, moved.putBefore(source));
        }
        moved.add(start, end, live.baseOf(source), bound);
    }

    /** Where compaction has put values lately. */
    public MovedPlaces moved() {
        return moved;
    }
}

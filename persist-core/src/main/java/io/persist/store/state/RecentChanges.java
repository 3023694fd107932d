package io.persist.store.state;

import io.persist.format.TransactionLayout;
import io.persist.store.staged.StagedChanges;
import java.util.ArrayList;
import java.util.List;

/**
 * What the commits of optimistic transactions have to know of the records that came since: what compaction has moved,
 * and which of their keys others change while they look. And how much of the log is compaction's.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none, but to begin a watch.
 */
public final class RecentChanges {

    /**
     * Notices whether keys are changed, from when it is {@linkplain #watch begun} on: so what was looked at before the
     * commit need not be looked at again in it. In a bounded time: of a transaction of more than {@value #MOST_CHANGES}
     * changes it does not look at the keys, and cannot say.
     */
    public abstract static class Watch {

        static final int MOST_CHANGES = 1024;

        /** Of its keys. */
        enum Seen {
            NOTHING,
            CHANGE,
            CANNOT_SAY
        }

        private Seen seen = Seen.NOTHING;

        /** Whether a key was changed since it was begun, as far as it knows. */
        public final boolean isTouched() {
            return seen == Seen.CHANGE;
        }

        /** Whether it cannot say that none was changed. */
        public final boolean isUnsure() {
            return seen == Seen.CANNOT_SAY;
        }

        /** A transaction is committed. */
        private void note(StagedChanges staged) {
            if (seen == Seen.NOTHING && staged.count() > MOST_CHANGES) {
                seen = Seen.CANNOT_SAY;
            }
            int entry = TransactionLayout.HEADER_LENGTH;
            while (seen == Seen.NOTHING && entry < staged.length()) {
                seen = look(staged, entry);
                entry = staged.next(entry);
            }
        }

        /** What the change at {@code entry} does to its keys. */
        abstract Seen look(StagedChanges staged, int entry);
    }

    private final MovedPlaces moved = new MovedPlaces();
    private final List<Watch> watches = new ArrayList<>();
    private final LiveBytes live;
    private long movesLength;

    /** {@code live} has the segments. */
    RecentChanges(LiveBytes live) {
        this.live = live;
    }

    /** What is staged was appended; from {@code start} to {@code end} the log has nothing else. */
    public void note(StagedChanges staged, long start, long end) {
        if (TransactionLayout.type(staged.buffer(), 0) != TransactionLayout.TYPE_MOVES) {
            for (int i = 0; i < watches.size(); i++) {
                watches.get(i).note(staged);
            }
            return;
        }
        movesLength += end - start;
        if (staged.count() > 0) {
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

    /** By how much compaction has made the log longer: what it left over at the ends of segments counts. */
    public long movesLength() {
        return movesLength;
    }

    /** Where compaction has put values lately. */
    public MovedPlaces moved() {
        return moved;
    }

    /** From now on {@code watch} is told of each transaction. */
    public void watch(Watch watch) {
        watches.add(watch);
    }

    /** It is told of none any more; has no effect if it was not. */
    public void unwatch(Watch watch) {
        watches.remove(watch);
    }

    /** How many are told. */
    public int watches() {
        return watches.size();
    }
}

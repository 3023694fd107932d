package io.persist.shard.batch;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges sorted runs: times before {@code since} become that, the diffs of one key, value and time are summed, and
 * zeros are left out. One thread.
 */
public final class RowMerge implements Rows {

    /** A run and its next row. */
    private static final class Head {
        private final Rows rows;
        private Row row;

        /** The one behind it, which was read; there may have been no memory to advance it. */
        private @Nullable Row read;

        private Head(Rows rows, Row row) {
            this.rows = rows;
            this.row = row;
        }

        /** The row behind the first one, or null. If it fails it can be called again. */
        private @Nullable Row following(long since) {
            Row next = read == null ? rows.next() : read;
            read = next;
            Row advanced = next == null ? null : next.advancedTo(since);
            read = null;
            return advanced;
        }
    }

    /**
     * A heap: each comes before the two below it, at twice its index. Often the next row of a run is the next of all:
     * then it stays at the top, after two comparisons.
     */
    private final Head[] heads;

    private int count;
    private final long since;

    /** The row that is being summed, and the sum up to now. */
    private @Nullable Row current;

    private long sum;

    /** Each of {@code runs} is sorted; advancing keeps it so. */
    public RowMerge(List<? extends Rows> runs, long since) {
        this.since = since;
        this.heads = new Head[runs.size()];
        for (Rows rows : runs) {
            Row row = rows.next();
            if (row != null) {
                heads[count++] = new Head(rows, row.advancedTo(since));
            }
        }
        for (int at = count / 2 - 1; at >= 0; at--) {
            sink(at);
        }
    }

    /** Puts the head at {@code from} where it belongs: below it all is in order. */
    private void sink(int from) {
        Head head = heads[from];
        int at = from;
        for (int least = leastBelow(at); least < count; least = leastBelow(at)) {
            if (Row.ORDER.compare(head.row, heads[least].row) <= 0) {
                break;
            }
            heads[at] = heads[least];
            at = least;
        }
        heads[at] = head;
    }

    /** The lesser one of the two below {@code at}; {@link #count} or more if there is none. */
    private int leastBelow(int at) {
        int left = 2 * at + 1;
        int right = left + 1;
        return right < count && Row.ORDER.compare(heads[right].row, heads[left].row) < 0 ? right : left;
    }

    @Override
    public @Nullable Row next() {
        while (true) {
            Row first = current;
            Head head = count == 0 ? null : heads[0];
            if (first != null && (head == null || Row.ORDER.compare(head.row, first) != 0)) {
                Row summed = sum == 0 ? null : first.with(sum); // before this goes on: memory may be short
                current = null;
                if (summed != null) {
                    return summed;
                }
            } else if (head == null) {
                return null;
            } else {
                add(head);
            }
        }
    }

    /** Adds the first row of all to the sum. If the one behind it cannot be read the sum is the same. */
    private void add(Head head) {
        if (current != null) {
            current = head.row; // the same; of one run's rows only the last one stays when the next is read
        }
        Row next = head.following(since);
        sum = current == null ? head.row.diff() : sum + head.row.diff();
        current = head.row;
        if (next != null) {
            head.row = next;
        } else {
            heads[0] = heads[--count];
        }
        if (count > 1) {
            sink(0);
        }
    }
}

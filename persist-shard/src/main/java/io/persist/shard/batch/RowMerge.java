package io.persist.shard.batch;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
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

        private Head(Rows rows, Row row) {
            this.rows = rows;
            this.row = row;
        }
    }

    private final PriorityQueue<Head> heads = new PriorityQueue<>(Comparator.comparing(head -> head.row, Row.ORDER));
    private final long since;

    /** The row that is being summed, and the sum up to now. */
    private @Nullable Row current;

    private long sum;

    /** Each of {@code runs} is sorted; advancing keeps it so. */
    public RowMerge(List<Rows> runs, long since) {
        this.since = since;
        for (Rows rows : runs) {
            Row row = rows.next();
            if (row != null) {
                heads.add(new Head(rows, row.advancedTo(since)));
            }
        }
    }

    @Override
    public @Nullable Row next() {
        while (true) {
            Row first = current;
            Head head = heads.peek();
            if (first != null && (head == null || Row.ORDER.compare(head.row, first) != 0)) {
                current = null;
                if (sum != 0) {
                    return first.with(sum);
                }
            } else if (head == null) {
                return null;
            } else {
                add(head);
            }
        }
    }

    /** Adds the first row of all to the sum. If the one behind it cannot be read nothing has changed. */
    private void add(Head head) {
        Row next = head.rows.next();
        heads.poll();
        sum = current == null ? head.row.diff() : sum + head.row.diff();
        current = head.row;
        if (next != null) {
            head.row = next.advancedTo(since);
            heads.add(head);
        }
    }
}

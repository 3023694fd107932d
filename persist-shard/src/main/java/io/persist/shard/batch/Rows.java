package io.persist.shard.batch;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows one after the other; if {@link #next} throws, it can be called again and skips nothing. A row may be used until
 * the second call behind the one that has given it out, as its bytes are used again then. One thread.
 */
public interface Rows {

    /** The next one, or null at the end. */
    @Nullable
    Row next();

    /** {@code rows} in their order, those of the same key, value and time summed, zeros gone. */
    static List<Row> summed(List<Row> rows) {
        List<Row> sorted = new ArrayList<>(rows);
        sorted.sort(Row.ORDER);
        List<Row> summed = new ArrayList<>(sorted.size());
        Row current = null;
        for (Row row : sorted) {
            if (current != null && Row.ORDER.compare(current, row) == 0) {
                current = current.with(current.diff() + row.diff());
            } else {
                addUnlessZero(current, summed);
                current = row;
            }
        }
        addUnlessZero(current, summed);
        return summed;
    }

    /** A sum of zero says nothing. */
    private static void addUnlessZero(@Nullable Row row, List<Row> rows) {
        if (row != null && row.diff() != 0) {
            rows.add(row);
        }
    }
}

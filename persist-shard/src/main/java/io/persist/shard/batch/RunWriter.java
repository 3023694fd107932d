package io.persist.shard.batch;

import io.persist.shard.state.BatchPart;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes sorted rows as one run: in the state if all of it is short, else as objects of about the same length. */
public final class RunWriter {

    private final PartStore store;
    private final String writer;
    private final int partBytes;
    private final int inlineBytes;

    /**
     * A writer of runs.
     *
     * @param writer whose objects they become
     * @param partBytes where an object is cut
     * @param inlineBytes the longest part that stays in the state; 0 for none
     */
    public RunWriter(PartStore store, String writer, int partBytes, int inlineBytes) {
        this.store = store;
        this.writer = writer;
        this.partBytes = partBytes;
        this.inlineBytes = inlineBytes;
    }

    /** The parts of the run; none if there are no rows. */
    public List<BatchPart> write(Rows rows) {
        List<BatchPart> parts = new ArrayList<>();
        List<Row> pending = new ArrayList<>();
        long bytes = 0;
        for (Row row = rows.next(); row != null; row = rows.next()) {
            pending.add(row);
            bytes += row.bytes();
            if (bytes >= partBytes) {
                parts.add(store.write(writer, pending));
                pending.clear();
                bytes = 0;
            }
        }
        BatchPart last = pending.isEmpty() ? null : last(parts, pending, bytes);
        if (last != null) {
            parts.add(last);
        }
        return parts;
    }

    private @Nullable BatchPart last(List<BatchPart> parts, List<Row> rows, long bytes) {
        if (parts.isEmpty() && bytes <= inlineBytes) {
            return store.inline(rows);
        }
        return store.write(writer, rows);
    }
}

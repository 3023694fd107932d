package io.persist.shard.batch;

import io.persist.shard.state.BatchPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes sorted rows as one run: in the state if all of it is short, else as objects of about the same length. The last
 * whole part is held until it is clear that what follows is not so short that it joins it.
 *
 * <p>One thread.
 */
public final class RunWriter {

    private final PartStore store;
    private final Writing writing;
    private final String writer;
    private final int partBytes;
    private final List<BatchPart> parts = new ArrayList<>();
    private @Nullable PartBuilder held;

    /**
     * A run with no rows.
     *
     * @param writing knows when the objects are there
     * @param writer whose objects they become
     * @param partBytes where an object is cut
     */
    public RunWriter(PartStore store, Writing writing, String writer, int partBytes) {
        this.store = store;
        this.writing = writing;
        this.writer = writer;
        this.partBytes = partBytes;
    }

    /** Whether {@code sorted} comes in order behind all rows of the run. */
    public boolean isFollowedBy(PartBuilder sorted) {
        Row last = held == null ? null : held.last();
        Row first = sorted.first();
        return last == null || first == null || Row.ORDER.compare(last, first) < 0;
    }

    /** Adds rows that come in order behind all others. {@code sorted} is used up. */
    public void add(PartBuilder sorted) {
        PartBuilder before = held;
        if (sorted.count() == 0) {
            sorted.release();
        } else if (before != null && before.hasRoomFor(sorted)) {
            before.append(sorted);
            sorted.release();
        } else {
            held = sorted;
            if (before != null) {
                parts.add(store.write(writer, before, writing));
            }
        }
    }

    /** Adds rows that come in order behind all others. */
    public void add(Rows rows) {
        PartBuilder part = store.newPart(writer, partBytes);
        for (Row row = rows.next(); row != null; row = rows.next()) {
            part.addInOrder(row);
            if (part.isWhole()) {
                add(part);
                part = store.newPart(writer, partBytes);
            }
        }
        add(part);
    }

    /**
     * Ends the run.
     *
     * @param inlineBytes the longest part that stays in the state; 0 for none
     * @return its parts; none if there are no rows
     * @throws io.persist.shard.error.LocationException if an object could not be written
     */
    public List<BatchPart> finish(int inlineBytes) {
        writing.checkWell(); // what has failed is not in the parts
        PartBuilder last = held;
        held = null;
        if (last != null) {
            boolean isInline = parts.isEmpty() && last.rowBytes() <= inlineBytes;
            parts.add(isInline ? store.inline(last) : store.write(writer, last, writing));
        }
        return parts;
    }

    /** The objects that were begun by now. */
    public List<String> objects() {
        return parts.stream().map(BatchPart::object).filter(Objects::nonNull).toList();
    }
}

package io.persist.shard.batch;

import io.persist.shard.state.BatchPart;
import io.persist.shard.state.BatchState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The rows of one run with the times that are wanted; one part at a time is in memory. One thread. */
public final class RunReader implements Rows {

    private final PartStore store;
    private final List<BatchPart> parts;
    private final LongPredicate wanted;
    private int nextPart;
    private Rows rows = () -> null;

    private RunReader(PartStore store, List<BatchPart> run, LongPredicate wanted) {
        this.store = store;
        this.parts = run;
        this.wanted = wanted;
    }

    /** A reader for each run of {@code batch}. */
    public static List<Rows> of(PartStore store, BatchState batch, LongPredicate wanted) {
        List<Rows> readers = new ArrayList<>();
        if (batch.lower().isEmpty()) {
            return readers;
        }
        long lower = batch.lower().time(); // what lies below it was in the shard before
        for (List<BatchPart> run : batch.runs()) {
            readers.add(new RunReader(store, run, time -> time >= lower && wanted.test(time)));
        }
        return readers;
    }

    @Override
    public @Nullable Row next() {
        while (true) {
            Row row = rows.next();
            if (row != null || nextPart == parts.size()) {
                return row;
            }
            rows = store.read(parts.get(nextPart), wanted);
            nextPart++; // not before it was read
        }
    }
}

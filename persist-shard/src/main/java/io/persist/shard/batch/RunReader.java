package io.persist.shard.batch;

import io.persist.shard.state.BatchPart;
import io.persist.shard.state.BatchState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The rows of one run with the times that are wanted; one part at a time is in memory, or a piece. One thread. */
public final class RunReader implements Rows, AutoCloseable {

    private static final Rows NONE = () -> null;

    /** How a part is read. */
    private interface Opener {
        Rows open(BatchPart part, LongPredicate wanted);
    }

    private final Opener opener;
    private final List<BatchPart> parts;
    private final LongPredicate wanted;
    private int nextPart;
    private Rows rows = NONE;

    private RunReader(Opener opener, List<BatchPart> run, LongPredicate wanted) {
        this.opener = opener;
        this.parts = run;
        this.wanted = wanted;
    }

    /** A reader for each run of {@code batch}, with whole parts in memory. */
    public static List<Rows> of(PartStore store, BatchState batch, LongPredicate wanted) {
        return new ArrayList<>(of(batch, wanted, () -> store::read));
    }

    /** The same with a piece of each in memory, if the blob has pieces; they have to be closed. */
    static List<RunReader> inPieces(PartStore store, BatchState batch, LongPredicate wanted, PartStore.Check check) {
        return of(batch, wanted, () -> {
            RowWindow window = new RowWindow();
            return (part, times) -> store.stream(part, window, times, check);
        });
    }

    private static List<RunReader> of(BatchState batch, LongPredicate wanted, Supplier<Opener> opener) {
        List<RunReader> readers = new ArrayList<>();
        if (batch.lower().isEmpty()) {
            return readers;
        }
        long lower = batch.lower().time(); // what lies below it was in the shard before
        for (List<BatchPart> run : batch.runs()) {
            readers.add(new RunReader(opener.get(), run, time -> time >= lower && wanted.test(time)));
        }
        return readers;
    }

    @Override
    public @Nullable Row next() {
        while (true) {
            Row row = rows.next();
            if (row != null) {
                return row;
            }
            rows = NONE; // whoever keeps a reader that has ended keeps no object with it
            if (nextPart == parts.size()) {
                return null;
            }
            rows = opener.open(parts.get(nextPart), wanted);
            nextPart++; // not before it was read
        }
    }

    /** Lets go of what is open. */
    @Override
    public void close() {
        if (rows instanceof PartStream open) {
            open.close();
        }
    }
}

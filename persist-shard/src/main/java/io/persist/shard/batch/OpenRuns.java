package io.persist.shard.batch;

import io.persist.shard.state.BatchState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/** Runs of batches that are read side by side, a piece of each in memory if the blob has pieces. One thread. */
public final class OpenRuns implements AutoCloseable {

    private final List<RunReader> readers = new ArrayList<>();

    /**
     * The runs of {@code batches}; nothing is read yet.
     *
     * @param wanted tells by the time which rows
     */
    public OpenRuns(PartStore store, List<BatchState> batches, LongPredicate wanted, PartStore.Check check) {
        for (BatchState batch : batches) {
            readers.addAll(RunReader.inPieces(store, batch, wanted, check));
        }
    }

    /** Merges them; the first row of each is read now. */
    public Rows merged(long since) {
        return new RowMerge(readers, since);
    }

    /** Lets go of what is open. */
    @Override
    public void close() {
        readers.forEach(RunReader::close);
    }
}

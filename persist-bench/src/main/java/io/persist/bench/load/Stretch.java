package io.persist.bench.load;

import java.util.List;

/**
 * What a run has appended to a log.
 *
 * @param firstSequence the number of its first record
 * @param startPosition where its first record begins
 * @param perProducer what each producer has written
 */
public record Stretch(long firstSequence, long startPosition, List<WriteLoop.Written> perProducer) {

    /** How many writes it was. */
    public long count() {
        return perProducer.stream().mapToLong(WriteLoop.Written::count).sum();
    }
}

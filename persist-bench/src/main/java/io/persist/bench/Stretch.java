package io.persist.bench;

import java.util.List;

/**
 * What a run has appended to a log.
 *
 * @param firstSequence the number of its first record
 * @param startPosition where its first record begins
 * @param perProducer what each producer has written
 */
record Stretch(long firstSequence, long startPosition, List<WriteLoop.Written> perProducer) {

    /** How many writes it was. */
    long count() {
        return perProducer.stream().mapToLong(WriteLoop.Written::count).sum();
    }
}

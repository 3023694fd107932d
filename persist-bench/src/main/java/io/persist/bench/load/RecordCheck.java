package io.persist.bench.load;

import io.persist.bench.record.Records;
import io.persist.log.read.Tailer;
import java.nio.ByteBuffer;

/**
 * Compares record after record with what was written: those of each producer from its first one on, in order.
 *
 * <p><b>Threads:</b> one. <b>Allocation:</b> none.
 */
final class RecordCheck {

    private final Records records;
    private final int producers;
    /** The index of each producer's next record. */
    private final long[] next;

    private long sequence;

    /**
     * @param producers how many threads wrote the records in turn
     * @param firstSequence the number of the first record
     */
    RecordCheck(Records records, int producers, long firstSequence) {
        this.records = records;
        this.producers = producers;
        this.sequence = firstSequence;
        this.next = new long[producers];
        for (int producer = 0; producer < producers; producer++) {
            next[producer] = producer;
        }
    }

    /** Compares the record at which the tailer is. */
    void check(Tailer tailer) throws ReadPass.VerificationException {
        int producer = producers == 1 ? 0 : producer(tailer);
        if (tailer.sequence() != sequence) {
            throw new ReadPass.VerificationException(
                    describe(tailer) + " comes where record " + sequence + " was expected");
        }
        String difference = records.difference(tailer.payloadUntilNext(), next[producer]);
        if (difference != null) {
            throw new ReadPass.VerificationException(describe(tailer) + " " + difference);
        }
        next[producer] += producers;
        sequence++;
    }

    /** Whose record it is, by its index, which has to be that producer's next one. */
    private int producer(Tailer tailer) throws ReadPass.VerificationException {
        ByteBuffer actual = tailer.payloadUntilNext();
        long index = records.index(actual);
        if (index < 0) {
            throw new ReadPass.VerificationException(describe(tailer) + " has " + actual.remaining()
                    + " bytes, too few for the number of its " + records.noun());
        }
        int producer = Math.floorMod(index, producers);
        if (index != next[producer]) {
            throw new ReadPass.VerificationException(describe(tailer) + " has " + records.noun() + " " + index
                    + ", but " + records.noun() + " " + next[producer] + " is the next one of producer " + producer);
        }
        return producer;
    }

    private static String describe(Tailer tailer) {
        return "record " + tailer.sequence() + " at position " + tailer.position();
    }
}

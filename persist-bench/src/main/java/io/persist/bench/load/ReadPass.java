package io.persist.bench.load;

import io.persist.bench.record.Records;
import io.persist.command.Text;
import io.persist.log.read.Tailer;

/** Reads records back, and compares each with what was written. */
public final class ReadPass {

    private final Records records;
    private final int producers;
    private final Stop stop;

    /** @param producers how many threads wrote the records in turn */
    public ReadPass(Records records, int producers, Stop stop) {
        this.records = records;
        this.producers = producers;
        this.stop = stop;
    }

    /**
     * Reads {@code count} records, which have to be those of each producer from its first one on, in order.
     *
     * @param firstSequence the number of the first one
     * @return how many were read, fewer only if a stop was requested, and in how long
     */
    public Read read(Tailer tailer, long firstSequence, long count) throws VerificationException {
        tailer.toSequence(firstSequence);
        RecordCheck check = new RecordCheck(records, producers, firstSequence);
        long startNs = System.nanoTime();
        long read = 0;
        while (read < count && !stop.requested()) {
            if (!tailer.next()) {
                throw new VerificationException("the log ends after " + Text.grouped(read) + " of the "
                        + Text.grouped(count) + " " + records.noun() + "s that were written");
            }
            check.check(tailer);
            read++;
        }
        return new Read(read, System.nanoTime() - startNs);
    }

    /** How many were read, in how long. */
    public record Read(long count, long elapsedNs) {

        public long perSecond() {
            return Rate.perSecond(count, elapsedNs);
        }
    }

    /** What was read is not what was written. */
    public static final class VerificationException extends Exception {

        private static final long serialVersionUID = 1L;

        public VerificationException(String message) {
            super("verification failed: " + message);
        }
    }
}

package io.persist.bench;

import io.persist.log.Tailer;
import java.nio.ByteBuffer;

/** Reads records back, and compares each with the message that was written. */
final class ReadPass {

    private final Messages messages;
    private final int producers;
    private final Stop stop;

    /**
     * @param messages {@link NumberedMessages} if there were several producers
     * @param producers how many threads wrote them in turn
     */
    ReadPass(Messages messages, int producers, Stop stop) {
        this.messages = messages;
        this.producers = producers;
        this.stop = stop;
    }

    /**
     * Reads {@code count} records, which have to be the messages of each producer from its first one on, in order.
     *
     * @param firstSequence the number of the first one's record
     * @return how many were read, fewer only if a stop was requested, and in how long
     */
    Read read(Tailer tailer, long firstSequence, long count) throws VerificationException {
        tailer.toSequence(firstSequence);
        long[] next = new long[producers];
        for (int producer = 0; producer < producers; producer++) {
            next[producer] = producer;
        }
        long startNs = System.nanoTime();
        long read = 0;
        while (read < count && !stop.requested()) {
            if (!tailer.next()) {
                throw new VerificationException("the log ends after " + Text.grouped(read) + " of the "
                        + Text.grouped(count) + " messages that were written");
            }
            int producer = producers == 1 ? 0 : producer(tailer, next);
            verify(tailer, firstSequence + read, messages.message(next[producer]));
            next[producer] += producers;
            read++;
        }
        return new Read(read, System.nanoTime() - startNs);
    }

    /** Whose record it is, by the number of its message, which has to be that producer's next one. */
    private int producer(Tailer tailer, long[] next) throws VerificationException {
        ByteBuffer actual = tailer.payload();
        if (actual.remaining() < NumberedMessages.NUMBER_LENGTH) {
            throw new VerificationException(
                    describe(tailer) + " has " + actual.remaining() + " bytes, too few for the number of its message");
        }
        long number = NumberedMessages.number(actual);
        int producer = Math.floorMod(number, producers);
        if (number != next[producer]) {
            throw new VerificationException(describe(tailer) + " has message " + number + ", but message "
                    + next[producer] + " is the next one of producer " + producer);
        }
        return producer;
    }

    private static void verify(Tailer tailer, long sequence, ByteBuffer expected) throws VerificationException {
        ByteBuffer actual = tailer.payload();
        if (tailer.sequence() == sequence && expected.equals(actual)) {
            return;
        }
        String record = describe(tailer);
        if (tailer.sequence() != sequence) {
            throw new VerificationException(record + " comes where record " + sequence + " was expected");
        }
        if (actual.remaining() != expected.remaining()) {
            throw new VerificationException(
                    record + " has " + actual.remaining() + " bytes, but " + expected.remaining() + " were written");
        }
        throw new VerificationException(record + " differs from what was written at byte " + expected.mismatch(actual));
    }

    private static String describe(Tailer tailer) {
        return "record " + tailer.sequence() + " at position " + tailer.position();
    }

    /** How many messages were read, in how long. */
    record Read(long messages, long elapsedNs) {

        long perSecond() {
            return Rate.perSecond(messages, elapsedNs);
        }
    }

    /** What was read is not what was written. */
    static final class VerificationException extends Exception {

        private static final long serialVersionUID = 1L;

        VerificationException(String message) {
            super("verification failed: " + message);
        }
    }
}

package io.persist.bench;

import io.persist.log.Tailer;
import java.nio.ByteBuffer;

/** Reads records back, and compares each with the message that was written. */
final class ReadPass {

    private final Messages messages;
    private final Stop stop;

    ReadPass(Messages messages, Stop stop) {
        this.messages = messages;
        this.stop = stop;
    }

    /**
     * Reads {@code count} records, which have to be the messages from index 0 on.
     *
     * @param firstSequence the number of the first one's record
     * @return how many were read, fewer only if a stop was requested, and in how long
     */
    Read read(Tailer tailer, long firstSequence, long count) throws VerificationException {
        tailer.toSequence(firstSequence);
        long startNs = System.nanoTime();
        long index = 0;
        while (index < count && !stop.requested()) {
            if (!tailer.next()) {
                throw new VerificationException("the log ends after " + Text.grouped(index) + " of the "
                        + Text.grouped(count) + " messages that were written");
            }
            verify(tailer, firstSequence + index, messages.message(index));
            index++;
        }
        return new Read(index, System.nanoTime() - startNs);
    }

    private static void verify(Tailer tailer, long sequence, ByteBuffer expected) throws VerificationException {
        ByteBuffer actual = tailer.payload();
        if (tailer.sequence() == sequence && expected.equals(actual)) {
            return;
        }
        String record = "record " + tailer.sequence() + " at position " + tailer.position();
        if (tailer.sequence() != sequence) {
            throw new VerificationException(record + " comes where record " + sequence + " was expected");
        }
        if (actual.remaining() != expected.remaining()) {
            throw new VerificationException(
                    record + " has " + actual.remaining() + " bytes, but " + expected.remaining() + " were written");
        }
        throw new VerificationException(record + " differs from what was written at byte " + expected.mismatch(actual));
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

package io.persist.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Records whose bytes follow from their number, so that whoever reads one can tell a wrong one. */
public final class Records {

    private static final int MAX_LENGTH = 200;

    private Records() {}

    /** The record number {@code sequence}; 0 to 199 bytes. */
    public static byte[] of(long sequence) {
        return of(sequence, (int) Long.remainderUnsigned(scramble(sequence), MAX_LENGTH));
    }

    /** The same with a length of the caller's. */
    public static byte[] of(long sequence, int length) {
        ByteBuffer record = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        long state = sequence;
        for (int i = 0; i < length; i += Long.BYTES) {
            state = scramble(state + i + 1);
            if (record.remaining() >= Long.BYTES) {
                record.putLong(state);
            } else {
                for (long rest = state; record.hasRemaining(); rest >>>= Byte.SIZE) {
                    record.put((byte) rest);
                }
            }
        }
        return record.array();
    }

    /** Appends the log's next record; returns the position right after it. */
    public static long append(Log log) {
        byte[] record = of(log.lastSequence() + 1);
        return log.append(record, 0, record.length);
    }

    /** Appends the log's next {@code count} records. */
    public static void append(Log log, int count) {
        for (int i = 0; i < count; i++) {
            append(log);
        }
    }

    /** Appends until the log has rolled {@code count} more times. */
    public static void appendUntilRolled(Log log, int count) {
        long goal = log.statistics().rolls() + count;
        while (log.statistics().rolls() < goal) {
            append(log);
        }
    }

    /**
     * Reads all that {@code tailer} has, each record being checked, the first of which must have the number {@code next}.
     *
     * @return the number of the record that will be next
     */
    public static long readOn(Tailer tailer, long next) {
        long expected = next;
        while (tailer.next()) {
            check(tailer.sequence(), tailer.payload(), expected);
            expected++;
        }
        return expected;
    }

    /** The number of the last record of a log that is whole from record 1 on. */
    public static long readAll(Tailer tailer) {
        tailer.toStart();
        return readOn(tailer, 1) - 1;
    }

    /** The number of the last record of a log that is whole from record 1 on. */
    public static long readAll(Log log) {
        try (Tailer tailer = log.tailer()) {
            return readAll(tailer);
        }
    }

    /** Checks one record, as a handler of {@link Tailer#poll} gets it. */
    public static void check(long sequence, ByteBuffer payload, long expected) {
        if (sequence != expected || !payload.equals(ByteBuffer.wrap(of(expected)))) {
            assertThat(sequence).as("sequence").isEqualTo(expected);
            byte[] bytes = new byte[payload.remaining()];
            payload.get(payload.position(), bytes);
            assertThat(bytes).as("record " + expected).isEqualTo(of(expected));
        }
    }

    /** The finalizer of SplitMix64. */
    private static long scramble(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}

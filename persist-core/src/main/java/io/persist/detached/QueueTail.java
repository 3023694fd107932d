package io.persist.detached;

import io.persist.memory.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The tail of the queue and of the log in one long, so that one compare-and-set gives a record its entry in the queue
 * and its position in the log:
 *
 * <pre>
 *   63                                  18       17        16    15           0
 *   +-------------------------------------+--------+---------+----------------+
 *   | position / 8, from where it opened  | closed | commit  | entry's number |
 *   +-------------------------------------+--------+---------+----------------+
 * </pre>
 *
 * <ul>
 *   <li>position: where the log will end when all that is in the queue is written; 46 bits, that is 512 TiB for each
 *       opening. It grows with each record, so no value comes twice.
 *   <li>closed: nothing more is accepted.
 *   <li>commit: a commit was called after the last record.
 *   <li>number: of the next entry, modulo 2^16; there are at most half as many entries.
 * </ul>
 */
final class QueueTail {

    static final int NUMBER_MASK = 0xFFFF;
    static final long MAX_POSITION = 1L << 49;

    private static final long COMMIT = 1L << 16;
    private static final long CLOSED = 1L << 17;
    private static final int POSITION_SHIFT = 18;
    private static final int POSITION_UNIT_SHIFT = 3;

    private QueueTail() {}

    /** The tail after a record that ends at {@code position} went into the next entry. */
    static long next(long tail, long position) {
        return position >>> POSITION_UNIT_SHIFT << POSITION_SHIFT | (tail + 1) & NUMBER_MASK;
    }

    static long withCommit(long tail) {
        return tail | COMMIT;
    }

    static long withClosed(long tail) {
        return tail | CLOSED;
    }

    static long position(long tail) {
        return tail >>> POSITION_SHIFT << POSITION_UNIT_SHIFT;
    }

    static int number(long tail) {
        return (int) tail & NUMBER_MASK;
    }

    static boolean hasCommit(long tail) {
        return (tail & COMMIT) != 0;
    }

    static boolean isClosed(long tail) {
        return (tail & CLOSED) != 0;
    }

    /** Where producers write, the tail among it: two cache lines. */
    @SuppressWarnings("UnusedVariable") // the padding is not read
    private static class Producers {
        long a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
        long tail;
    }

    /** Keeps what producers write and what the writer thread writes 128 bytes apart. */
    @SuppressWarnings("UnusedVariable")
    private static class Padding extends Producers {
        long b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;
    }

    /** Both ends of a queue, for the handles of {@link HandoffQueue}. */
    @SuppressWarnings("UnusedVariable")
    static final class Ends extends Padding {
        long head;

        /** Where the last of the records ends whose bytes count no more, from where the log was opened. */
        long givenBack;

        /** What the ends of segments in the queue leave out of the log: no bytes of the queue. */
        long leftOut;

        long c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15;

        static VarHandle handle(String field) {
            return FieldHandle.of(MethodHandles.lookup(), Ends.class, field, long.class);
        }
    }
}

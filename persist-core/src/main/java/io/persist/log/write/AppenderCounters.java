package io.persist.log.write;

import io.persist.format.control.CounterBlock;
import io.persist.log.sync.LogPositions;
import io.persist.monitor.Counter;

/**
 * The counters of the appender, in plain fields, which are written to the control block together. So an append stores
 * nothing there.
 *
 * <p><b>Threads:</b> the appender's.
 */
final class AppenderCounters {

    private final CounterBlock block;
    private final LogPositions positions;
    private final long firstSequence;
    private long bytes;
    private long commits;

    /** The number of the first record behind the last commit. */
    private long committedSequence;

    private long rolls;

    /** Counters of an appender whose first record will have the number {@code firstSequence}. */
    AppenderCounters(CounterBlock block, LogPositions positions, long firstSequence) {
        this.block = block;
        this.positions = positions;
        this.firstSequence = firstSequence;
        this.committedSequence = firstSequence;
    }

    void appended(int payloadLength) {
        bytes += payloadLength;
    }

    /** A commit has ended; it has no records if the appender has only gone on in another segment since the last. */
    void committed(long nextSequence) {
        if (nextSequence != committedSequence) {
            committedSequence = nextSequence;
            commits++;
        }
    }

    void rolled(long nextSequence) {
        rolls++;
        write(nextSequence);
    }

    /** Brings the control block up to date, unless it is another writer's by now. */
    void write(long nextSequence) {
        if (positions.isOvertaken()) {
            return;
        }
        block.set(Counter.RECORDS, nextSequence - firstSequence);
        block.set(Counter.BYTES, bytes);
        block.set(Counter.COMMITS, commits);
        block.set(Counter.ROLLS, rolls);
    }
}

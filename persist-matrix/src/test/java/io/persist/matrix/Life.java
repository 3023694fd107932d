package io.persist.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.log.RecoveryReport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A {@link Subject} that is open. Entries go in by number, and are looked at.
 *
 * <p><b>Threads:</b> one at a time, if the subject is attached; {@link #verify} never at the same time as others.
 */
public abstract class Life implements AutoCloseable {

    /** Appends entry {@code number}, as {@code entries} has it; without a commit where the logger has appends. */
    public abstract void append(Entries entries, long number);

    /** Makes what was appended safe at {@code level}. */
    public abstract void commit(Durability level);

    /** The same by a commit that has only so much time, which is enough; {@link #commit} where there is none. */
    public void commitInTime(Durability level) {
        commit(level);
    }

    /** The next thread that appends or commits may be another one. */
    public void handOver() {}

    /** The end of what survives the process. Any thread. */
    public abstract long flushedPosition();

    /** Waits until everything before {@code position} has {@code level}; false if the time ran out. Any thread. */
    public abstract boolean await(long position, Durability level, Duration timeout) throws InterruptedException;

    /** Done once everything before {@code position} has {@code level}. Any thread. */
    public abstract CompletableFuture<Long> reached(long position, Durability level);

    /** Ends the segment that is written. */
    public abstract void roll();

    /**
     * What the logger does beside: a checkpoint and compaction of a store; else retention that takes old segments away,
     * of which {@code entries} is told before.
     */
    public abstract void upkeep(Entries entries);

    /** Writes a checkpoint, if it is a store: what opening it reads begins there. */
    public void checkpoint() {
        // The others have none.
    }

    /**
     * Looks at all that is there: a whole number of entries of {@code entries}, without a gap, each as it was appended,
     * from its oldest one on.
     *
     * @return the number of the last one, 0 if there is none
     */
    public abstract long verify(Entries entries);

    /** Whether the log has failed, and takes no more until it is opened anew. Any thread. */
    public abstract boolean hasFailed();

    /** What opening the log has found and done. */
    public abstract RecoveryReport recovery();

    @Override
    public abstract void close();

    /** That {@code found} is entry {@code number}. */
    static void check(Entries entries, long number, ByteBuffer found) {
        check(number, entries);
        check(entries.bytes(number), number, found);
    }

    /** That there was an entry {@code number}. */
    static void check(long number, Entries entries) {
        if (number < 1 || number > entries.last()) {
            throw new AssertionError("an entry was read that was not appended, number=" + number);
        }
    }

    /** That {@code found} is entry {@code number}, which is {@code expected}. */
    static void check(byte[] expected, long number, ByteBuffer found) {
        if (!found.equals(ByteBuffer.wrap(expected))) { // an assertion for each would take most of the time
            byte[] bytes = new byte[found.remaining()];
            found.get(found.position(), bytes);
            assertThat(bytes).as("entry %d", number).isEqualTo(expected);
        }
    }
}

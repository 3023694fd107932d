package io.persist.bench.subject;

import io.persist.bench.latency.Operation;
import io.persist.bench.load.Follower;
import io.persist.bench.load.Journal;
import io.persist.bench.load.ReadPass;
import io.persist.bench.load.Stretch;
import io.persist.command.Text;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the programs differ in: the logger that is measured, what one write to it is, and how it is read back. */
public interface Subject {

    Operation operation();

    /** One of what is written, and their rate, as the output calls them: "message", "msgs/sec". */
    String noun();

    String rateUnit();

    /** Opens the logger, detached if there is a configuration for that. */
    Journal open(LogConfig config, @Nullable DetachedConfig detached);

    /** What is said about a log that has records already. */
    default String describeExisting(Journal journal) {
        return "The log has " + Text.number(journal.lastSequence(), noun())
                + " already; this run appends to them, and reads back only its own.";
    }

    /** What reads while it is being written, in the order of their series. */
    default List<Follower.Starter> readers() {
        return List.of();
    }

    /** Reads back so that the code of the real read passes gets compiled; up to so many writes of the scratch log. */
    void warmUpReading(Journal journal, Stretch stretch, long limit) throws ReadPass.VerificationException;

    /** Right after the writing: reads what the logger can be asked while it is open, and prints it. */
    default void readOpen(Journal journal, Stretch stretch) throws ReadPass.VerificationException {}

    /** Whether there is something to read after the logger was opened again. */
    default boolean reopens() {
        return true;
    }

    /** Reads back what was written from the reopened logger, and prints how fast. */
    void readReopened(Journal journal, Stretch stretch) throws ReadPass.VerificationException;
}

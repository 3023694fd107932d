package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.Program.Kind;
import io.persist.bench.flags.StoreLoggerParameters;
import io.persist.bench.latency.Target;
import io.persist.bench.load.Journal;
import io.persist.bench.load.Stop;
import io.persist.bench.record.PatternMessages;
import io.persist.bench.subject.StoreSubject;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreJournalTest {

    private static final int AT_A_TIME = 100;
    private static final long MOST_PUTS = 8_000;

    @TempDir
    Path directory;

    private long puts;

    /** Else a run whose store compacts would have written more than it has, and more cheaply. */
    @Test
    void shouldNotCountWhatCompactionMovesAsWritten() {
        StoreLoggerParameters flags = (StoreLoggerParameters)
                Kind.STORE.parse(("--keys 300 --keyOrder random --maxSpaceRatio 1.1 --compactionRate 1000"
                                + " --segmentSize 1 -i 0 -l " + directory)
                        .split(" "));
        PatternMessages messages = new PatternMessages(2000);
        try (Stop stop = Stop.onInterrupt();
                Journal journal = new StoreSubject(flags, messages, flags.keyPattern(1), stop, System.out)
                        .open(flags.logConfig(), null)) {
            Target target = journal.target(0);
            put(target, 1);
            long each = journal.statistics().bytes();
            assertThat(each).isGreaterThan(2000);
            Program.await("a move", () -> {
                put(target, puts < MOST_PUTS ? AT_A_TIME : 0);
                return journal.statistics().bytes() > (puts + 2) * each;
            });
            // While it moves, the two numbers of which this is made may be of different moments. A store adds a few
            // bytes of its own.
            Program.await("bytes of " + puts + " puts", () -> journal.recordBytes() / each == puts);
        }
    }

    private void put(Target target, long count) {
        for (long i = 0; i < count; i++) {
            target.prepare(puts++);
            target.write();
            target.commit();
        }
    }
}

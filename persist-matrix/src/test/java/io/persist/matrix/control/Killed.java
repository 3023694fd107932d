package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.PowerCut;
import io.persist.testkit.UncaughtErrors;

/** The process dies right after a commit that is FLUSHED, which is there when the log is opened again. */
public final class Killed implements Exercise {

    private static final int LIVES = 5;
    private static final int COMMITS = 7;

    @Override
    public Row row() {
        return Row.KILL;
    }

    @Override
    @SuppressWarnings("try") // the handler is there for the threads
    public void run(Subject subject, Effort effort) {
        Entries entries = new Entries();
        CrashableStorage storage = new CrashableStorage();
        try (UncaughtErrors ofThreads = new UncaughtErrors()) {
            for (int number = 1; number <= LIVES; number++) {
                Life life = subject.open(storage);
                entries.forgetAfter(life.verify(entries));
                for (int i = 0; i < COMMITS; i++) {
                    life.append(entries, entries.add(number));
                    life.append(entries, entries.add(number));
                    life.commit(Durability.FLUSHED);
                }
                long flushed = entries.last();
                life.append(entries, entries.add(number));
                CrashableStorage left = storage.afterKill();
                end(life);
                try (Life next = subject.open(left)) {
                    assertThat(next.verify(entries)).as("the last entry").isBetween(flushed, entries.last());
                }
                storage = left;
                effort.tried(1);
            }
        }
    }

    private static void end(Life killed) {
        try {
            killed.close();
        } catch (RuntimeException | PowerCut dead) {
            // It is.
        }
    }
}

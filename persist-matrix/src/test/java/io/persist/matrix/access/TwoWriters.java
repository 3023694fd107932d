package io.persist.matrix.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.LogMonitor;
import io.persist.error.LogLockedException;
import io.persist.file.disk.DirectoryStorage;
import io.persist.log.RecoveryReport;
import io.persist.log.read.Tailer;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.ChildJvm;
import io.persist.support.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * Two processes open one log at the same time, again and again: one of them gets it, and appends. Readers in the
 * process that has it, which open and close the log's files, do not take the lock away from it; its death does.
 */
public final class TwoWriters implements Exercise {

    /** A hundred for all subjects. */
    private static final int RACES = 34;

    /** If one of them always wins, which is a matter of the CPUs that there are. */
    private static final int MOST_RACES = 10 * RACES;

    /** A thousand for all subjects. */
    private static final int READERS = 334;

    @Override
    public Row row() {
        return Row.TWO_WRITERS;
    }

    /** The lock is the log's and not the writer's: one of each logger. */
    @Override
    public List<Subject> subjects() {
        return Subject.ofEachLogger();
    }

    @Override
    public void run(Subject subject, Effort effort) {
        effort.random(1, 10, RACES, (random, races) -> {
            try (ScratchDirectory scratch = ScratchDirectory.create();
                    ChildJvm other = ChildJvm.startBriefly(LoggerProcess.class, subject.name(), scratch.path())) {
                Rivals rivals = new Rivals(subject, scratch.path(), other);
                rivals.race(races, random);
                rivals.read();
                rivals.refuseEachOther();
                rivals.kill();
            }
            effort.tried(races - 1);
        });
    }

    /** This process and the other one. */
    private static final class Rivals {

        private final Subject subject;
        private final Path directory;
        private final ChildJvm other;
        private final Entries entries = new Entries();

        Rivals(Subject subject, Path directory, ChildJvm other) {
            this.subject = subject;
            this.directory = directory;
            this.other = other;
        }

        /** The log, null if another one has it. */
        private Life tryOpen() throws IOException {
            try {
                return subject.open(directory);
            } catch (LogLockedException locked) {
                return null;
            }
        }

        /** One entry more for each race: whoever wins appends it. */
        void race(int races, Random random) throws IOException {
            assertThat(other.ask("open 0")).isEqualTo(LoggerProcess.OPEN); // by now it is as warm as this process
            assertThat(other.ask(LoggerProcess.CLOSE)).isEqualTo(LoggerProcess.CLOSE);
            double headStartNs = 100_000;
            int won = 0;
            boolean isEven = races < RACES; // a smaller case
            for (int race = 1; race <= races || !isEven && race <= MOST_RACES; race++) {
                long number = entries.last() + 1;
                LoggerProcess.fill(entries, number);
                other.tell("open " + number);
                spin((long) (headStartNs * 2 * random.nextDouble()));
                Life mine = tryOpen();
                String answer = other.hear();
                boolean isMine = mine != null;
                assertThat(answer)
                        .as("race %d, which I have won: %s", race, isMine)
                        .startsWith(isMine ? "LogLockedException" : LoggerProcess.OPEN);
                won += isMine ? 1 : 0;
                isEven = won > 0 && won < race;
                headStartNs = Math.max(1000, headStartNs * (isMine ? 1.2 : 0.8)); // so that both win
                if (isMine) {
                    LoggerProcess.append(mine, entries, number);
                    mine.close();
                } else {
                    assertThat(other.ask(LoggerProcess.CLOSE)).isEqualTo(LoggerProcess.CLOSE);
                }
            }
            System.out.println(subject + ": races that this process has won, " + won);
            verify(RecoveryReport.Left.CLOSED);
        }

        private static void spin(long ns) {
            long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < ns) {
                Thread.onSpinWait();
            }
        }

        private void verify(RecoveryReport.Left left) throws IOException {
            try (Life life = subject.open(directory)) {
                assertThat(life.recovery().start()).isEqualTo(left);
                assertThat(life.verify(entries)).isEqualTo(entries.last());
            }
        }

        /** A process loses its lock on a file when it closes any stream on it. */
        void read() throws IOException {
            try (Life mine = subject.open(directory)) {
                LoggerProcess.append(mine, entries, entries.last() + 1);
                for (int i = 0; i < READERS; i++) {
                    try (Tailer tailer = subject.tailer(DirectoryStorage.open(directory))) {
                        assertThat(tailer.next()).isTrue();
                    }
                    if (i % 10 == 0) {
                        LogMonitor.open(directory).read();
                    }
                }
                assertThat(other.ask("open 0"))
                        .startsWith("LogLockedException")
                        .contains("pid=" + ProcessHandle.current().pid());
                assertThat(other.ask(LoggerProcess.READ))
                        .as("a reader needs no lock")
                        .isNotEqualTo("0");
            }
        }

        /** Each of them while the other one has it, for certain. */
        void refuseEachOther() throws IOException {
            assertThat(other.ask("open 0")).isEqualTo(LoggerProcess.OPEN);
            assertThatExceptionOfType(LogLockedException.class)
                    .isThrownBy(() -> subject.open(directory))
                    .withMessageContaining("pid=" + other.pid());
            assertThat(other.ask(LoggerProcess.CLOSE)).isEqualTo(LoggerProcess.CLOSE);
            verify(RecoveryReport.Left.CLOSED);
        }

        void kill() throws IOException, InterruptedException {
            long number = entries.last() + 1;
            LoggerProcess.fill(entries, number);
            assertThat(other.ask("open " + number)).isEqualTo(LoggerProcess.OPEN);
            other.kill();
            verify(RecoveryReport.Left.KILLED);
        }
    }
}

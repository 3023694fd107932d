package io.persist.matrix.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.log.Durability;
import io.persist.log.RecoveryReport;
import io.persist.log.read.Tailer;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.OwnThreads;
import io.persist.support.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that append, commit and read are interrupted at any moment, on real files, because it is their channels which
 * an interrupt closes: the log stays open, and nothing is lost.
 */
public final class Interruption implements Exercise {

    private static final int INTERRUPTS = 1000;
    private static final int INTERRUPTS_OF_A_BUILD = 300;

    @Override
    public Row row() {
        return Row.INTERRUPT;
    }

    @Override
    public void run(Subject subject, Effort effort) {
        effort.random(1, 100, effort.times(INTERRUPTS_OF_A_BUILD, INTERRUPTS), (random, interrupts) -> {
            OwnThreads.run(() -> {
                try (ScratchDirectory scratch = ScratchDirectory.create()) {
                    new Torment(subject, scratch.path(), random).run(interrupts);
                }
            });
            effort.tried(interrupts - 1);
        });
    }

    /** One log, and who uses it. */
    private static final class Torment {

        /** So much each of them does at least, however quick the interrupts come. */
        private static final int ROUNDS = 20;

        private static final Duration DEADLINE = Duration.ofSeconds(30);

        private final Subject subject;
        private final Random random;
        private final Path directory;
        private final Storage storage;
        private final Entries entries = new Entries();
        private final Life life;
        private volatile boolean isOver;

        Torment(Subject subject, Path directory, Random random) throws IOException {
            this.subject = subject;
            this.random = random;
            this.directory = directory;
            this.storage = DirectoryStorage.open(directory);
            this.life = subject.open(storage);
        }

        void run(int interrupts) throws Exception {
            Random ofAppender = new Random(random.nextLong());
            Random ofCommitter = new Random(random.nextLong());
            List<Victim> victims = List.of(
                    new Victim(() -> append(ofAppender)),
                    new Victim(() -> commit(ofCommitter)),
                    new Victim(new Reader()::read));
            victims.forEach(Thread::start);
            for (int done = 0; done < interrupts || victims.stream().anyMatch(Victim::isNeeded); done++) {
                victims.get(random.nextInt(victims.size())).interrupt();
                LockSupport.parkNanos(1 + random.nextInt(50_000));
            }
            isOver = true;
            for (Victim victim : victims) {
                victim.await();
            }
            life.close();
            try (Life again = subject.open(directory)) {
                assertThat(again.recovery().start()).isEqualTo(RecoveryReport.Left.CLOSED);
                assertThat(again.verify(entries)).isEqualTo(entries.last());
            }
        }

        private void append(Random draws) {
            for (int i = 1 + draws.nextInt(20); i > 0; i--) {
                life.append(entries, entries.add(1));
            }
            life.commit(Durability.values()[draws.nextInt(3)]);
            if (draws.nextInt(50) == 0) {
                life.upkeep(entries);
            }
        }

        /** Who writes an attached log is the only one to call it; all others wait. */
        private void commit(Random draws) {
            Durability level = Durability.values()[draws.nextInt(3)];
            boolean isAnyThreads = subject.isDetached() || subject.logger() == Subject.Logger.STORE;
            if (isAnyThreads && draws.nextBoolean()) {
                life.commit(level);
            } else {
                await(life.flushedPosition(), level);
            }
        }

        private void await(long position, Durability level) {
            try {
                assertThat(life.await(position, level, DEADLINE))
                        .as("it was reached in time")
                        .isTrue();
            } catch (InterruptedException expected) {
                // It is what interrupts are for; the next round shows that nothing else came of it.
            }
        }

        /** Follows the log by a reader of its own, and begins anew when that falls behind. */
        private final class Reader {

            private long last;

            void read() {
                try (Tailer tailer = subject.tailer(storage)) {
                    if (last > 0) {
                        tailer.toSequence(last);
                    }
                    for (int i = 0; i < 100 && tailer.next(); i++) {
                        // What is under way at a time may be read twice, and compaction leaves numbers out.
                        boolean goesOn = tailer.sequence() >= last
                                && (last == 0
                                        || tailer.sequence() <= last + 1
                                        || subject.logger() == Subject.Logger.STORE);
                        assertThat(goesOn)
                                .as("%d comes after %d", tailer.sequence(), last)
                                .isTrue();
                        last = tailer.sequence();
                    }
                } catch (RetiredException tooSlow) {
                    last = 0;
                }
            }
        }

        /** A thread that does the same again and again. */
        private final class Victim extends Thread {

            private final Runnable round;
            private final AtomicInteger rounds = new AtomicInteger();
            private volatile Throwable failure;

            Victim(Runnable round) {
                this.round = round;
            }

            @Override
            public void run() {
                try {
                    while (!isOver) {
                        round.run();
                        rounds.incrementAndGet();
                    }
                } catch (Throwable e) {
                    failure = e;
                }
            }

            boolean isNeeded() {
                return rounds.get() < ROUNDS && failure == null;
            }

            void await() throws InterruptedException {
                join();
                if (failure != null) {
                    throw new AssertionError("an interrupt did harm: " + failure, failure);
                }
            }
        }
    }
}

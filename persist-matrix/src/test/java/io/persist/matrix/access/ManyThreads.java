package io.persist.matrix.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.disk.DirectoryStorage;
import io.persist.log.Durability;
import io.persist.log.RecoveryReport.Left;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.ScratchDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Two to four threads use one attached logger, which another one closes meanwhile or afterwards. By mistake: one of them
 * has it, and the others are told so. Under a lock: all of them have it, one after the other. What was appended is there
 * then, and nothing else.
 */
public final class ManyThreads implements Exercise {

    private static final int SIZE = 300;

    @Override
    public Row row() {
        return Row.MANY_THREADS;
    }

    /** A store is for any thread, and so is what is detached. */
    @Override
    public List<Subject> subjects() {
        return Subject.attached().stream()
                .filter(subject -> subject.logger() != Subject.Logger.STORE)
                .toList();
    }

    @Override
    public void run(Subject subject, Effort effort) {
        effort.random(4, 200, SIZE, (random, size) -> {
            useByMistake(subject, random, size);
            useUnderALock(subject, random, size);
        });
    }

    private interface Use {
        void run(int thread, Random random) throws Exception;
    }

    /** Runs {@code use} in several threads, and closes {@code life} when they are done, or at some moment before. */
    private static void use(Life life, Random random, Use use) throws Exception {
        int count = 2 + random.nextInt(3);
        boolean isClosedMeanwhile = random.nextBoolean();
        CyclicBarrier begin = new CyclicBarrier(count + 1);
        CyclicBarrier end = new CyclicBarrier(count); // a thread that has ended would leave the log to the next one
        Queue<Throwable> unexpected = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            Random own = new Random(random.nextLong());
            Thread thread = new Thread(() -> {
                try {
                    begin.await();
                    use.run(number, own);
                } catch (Throwable e) {
                    if (!isRefusal(e)) {
                        unexpected.add(e);
                    }
                } finally {
                    pass(end, unexpected);
                }
            });
            thread.start();
            threads.add(thread);
        }
        begin.await();
        if (isClosedMeanwhile) {
            life.close();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        life.close();
        assertThat(unexpected).isEmpty();
    }

    private static boolean isRefusal(Throwable e) {
        return e instanceof IllegalStateException
                && (e.getMessage().startsWith("this log is written by")
                        || e.getMessage().equals("logger is closed"));
    }

    private static void pass(CyclicBarrier end, Queue<Throwable> unexpected) {
        try {
            end.await();
        } catch (Exception e) {
            unexpected.add(e);
        }
    }

    private static void commit(Life life, Random random) {
        if (random.nextInt(10) == 0) {
            life.commit(Durability.values()[random.nextInt(3)]);
        }
    }

    private static void useByMistake(Subject subject, Random random, int size) throws Exception {
        try (ScratchDirectory scratch = ScratchDirectory.create()) {
            Life life = subject.open(scratch.path());
            List<Entries> appended = List.of(new Entries(), new Entries(), new Entries(), new Entries());
            use(life, random, (thread, own) -> {
                for (int i = 0; i < size; i++) {
                    append(life, appended.get(thread), thread + 1);
                    commit(life, own);
                }
            });
            List<Entries> some =
                    appended.stream().filter(entries -> entries.last() > 0).toList();
            assertThat(some).as("threads that have appended").hasSizeLessThan(2);
            verify(subject, scratch, some.isEmpty() ? new Entries() : some.get(0));
        }
    }

    /** As an entry of {@code entries}, unless it is refused. */
    private static void append(Life life, Entries entries, int by) {
        long number = entries.add(by);
        boolean isAppended = false;
        try {
            life.append(entries, number);
            isAppended = true;
        } finally {
            if (!isAppended) {
                entries.forgetAfter(number - 1);
            }
        }
    }

    private static void useUnderALock(Subject subject, Random random, int size) throws Exception {
        try (ScratchDirectory scratch = ScratchDirectory.create()) {
            ReentrantLock lock = new ReentrantLock();
            Life life = subject.open(
                    DirectoryStorage.open(scratch.path()),
                    subject.configuring(scratch.path()).guardedBy(lock).build());
            Entries entries = new Entries();
            use(life, random, (thread, own) -> {
                for (int i = 0; i < size; i++) {
                    lock.lock();
                    try {
                        append(life, entries, thread + 1);
                        commit(life, own);
                    } finally {
                        lock.unlock();
                    }
                }
            });
            verify(subject, scratch, entries);
        }
    }

    private static void verify(Subject subject, ScratchDirectory scratch, Entries entries) throws Exception {
        try (Life again = subject.open(scratch.path())) {
            assertThat(again.recovery().start()).isEqualTo(Left.CLOSED);
            assertThat(again.verify(entries)).as("the last entry").isEqualTo(entries.last());
        }
    }
}

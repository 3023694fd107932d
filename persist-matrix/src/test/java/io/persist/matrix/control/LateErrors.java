package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.PersistException;
import io.persist.log.Durability;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The JVM throws the error of a missing page at any return of a method, also of those that take and give back what
 * other threads wait for. No thread hangs, no future stays incomplete, closing returns, nothing is left open, and what
 * was synced is there. To be run in a build with {@link LateError.Places}.
 */
public final class LateErrors implements Exercise {

    private static final String VICTIM = "victim";

    /** The threads of the library, that of a detached logger included. */
    private static final String OF_THE_LIBRARY = ", persist ";

    private static final int CASES = 10;
    private static final int CASES_AT_NIGHT = 400;
    private static final int ROUNDS = 6;
    private static final long LONGEST_MS = TimeUnit.SECONDS.toMillis(60);

    @Override
    public Row row() {
        return Row.DEAD_WRITER;
    }

    @Override
    public List<Subject> subjects() {
        return List.of(
                Subject.named("store-mapped-attached"),
                Subject.named("store-file-attached"),
                Subject.named("store-mapped-detached"),
                Subject.named("message-mapped-attached"),
                Subject.named("message-mapped-detached"));
    }

    @Override
    public void run(Subject subject, Effort effort) throws Exception {
        int most = Seeds.isNightly() ? CASES_AT_NIGHT : CASES;
        int gap = Seeds.isNightly() ? 16 : 2;
        for (String name : List.of(VICTIM, OF_THE_LIBRARY)) {
            Random random = new Random(7);
            int n = 1;
            for (int i = 0; i < most && strike(subject, name, n); i++) {
                n += 1 + random.nextInt(1 + n / gap); // the first ones all, the later ones ever more rarely
                effort.tried(1);
            }
        }
        effort.tried(1);
    }

    /** False if there were fewer places. */
    private static boolean strike(Subject subject, String name, int nth) throws Exception {
        CrashableStorage storage = new CrashableStorage();
        Entries entries = new Entries();
        Life life = subject.open(storage);
        AtomicReference<Throwable> uncaught = new AtomicReference<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.set(thrown));
        long[] synced = new long[1];
        List<CompletableFuture<Long>> futures = new CopyOnWriteArrayList<>();
        boolean struck;
        try {
            LateError.arm(name, nth);
            List<Thread> threads = new ArrayList<>(List.of(start(VICTIM, () -> work(life, entries, synced, futures))));
            for (int i = 0; i < 2; i++) {
                threads.add(start("waiter", () -> await(life)));
            }
            join(threads, nth);
            join(List.of(start("closer", life::close)), nth);
            struck = LateError.disarm();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
        String place = "place " + nth + ": " + LateError.where();
        assertThat(uncaught.get()).as("uncaught, %s", place).isNull();
        assertThat(storage.openHandles()).as("files that are open, %s", place).isZero();
        assertThat(futures).as("futures of a log that is closed, %s", place).allMatch(CompletableFuture::isDone);
        try (Life again = subject.open(storage.afterKill())) {
            assertThat(again.verify(entries)).as("records, %s", place).isGreaterThanOrEqualTo(synced[0]);
        }
        return struck;
    }

    private static void await(Life life) {
        try {
            life.await(life.flushedPosition(), Durability.SYNCED, Duration.ofSeconds(30));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void work(Life life, Entries entries, long[] synced, List<CompletableFuture<Long>> futures) {
        for (int round = 0; round < ROUNDS; round++) {
            futures.add(life.reached(life.flushedPosition() + 1, Durability.FLUSHED));
            for (int i = 0; i < 3; i++) {
                life.append(entries, entries.add(1));
            }
            life.commit(Durability.SYNCED);
            synced[0] = entries.last();
            if (round % 2 == 0) {
                roll(life);
            }
            if (round % 3 == 2) {
                life.upkeep(entries);
            }
        }
    }

    /** Whatever comes of it: a log that has not failed has the next record where the last one ends. */
    private static void roll(Life life) {
        try {
            life.roll();
        } catch (InternalError e) {
            if (life.hasFailed()) {
                throw e;
            }
        }
    }

    static Thread start(String name, Runnable work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (PersistException | InternalError | IllegalStateException expected) {
                        // What is asked here is whether anybody waits for ever.
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void join(List<Thread> threads, int nth) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(LONGEST_MS);
            assertThat(thread.isAlive())
                    .as(() -> "it hangs, place " + nth + ": " + thread.getName() + stacks())
                    .isFalse();
        }
    }

    /** Of the threads that may wait for each other. */
    private static String stacks() {
        StringBuilder all = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (Arrays.stream(stack).anyMatch(at -> at.getClassName().startsWith("io.persist."))) {
                all.append(System.lineSeparator()).append(thread.getName()).append(Arrays.toString(stack));
            }
        });
        return all.toString();
    }
}

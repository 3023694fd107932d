package io.persist.matrix.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.matrix.Entries;
import io.persist.matrix.Life;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** A life to which something happens, and what those were told that used it and waited for it. */
final class Witness {

    /** A position that is not reached. */
    private static final long FAR = 1L << 40;

    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final Subject subject;
    private final Blow blow;
    private final Random random;
    private final int steps;
    private final Entries entries = new Entries();
    private long flushed;
    private long synced;

    Witness(Subject subject, Blow blow, Random random, int steps) {
        this.subject = subject;
        this.blow = blow;
        this.random = random;
        this.steps = steps;
    }

    long flushed() {
        return Math.max(flushed, synced);
    }

    long synced() {
        return synced;
    }

    /** Waits until it is told that there is no more to wait for. */
    private static final class Waiting extends Thread {

        private final Life life;
        private final Durability level;
        private Throwable end;

        Waiting(Life life, Durability level) {
            this.life = life;
            this.level = level;
        }

        @Override
        public void run() {
            end = catchThrowable(() -> assertThat(life.await(FAR, level, DEADLINE))
                    .as("the wait for %s was over", level)
                    .isNull());
        }
    }

    /** Every second life has a thread that syncs. */
    private LogConfig config() {
        return subject.configuring(Path.of("memory"))
                .syncIntervalBytes(random.nextBoolean() ? 1 : 0)
                .build();
    }

    void live(CrashableStorage storage) throws InterruptedException {
        Life[] opened = new Life[1];
        Throwable refused = catchThrowable(() -> opened[0] = subject.open(storage, config()));
        if (refused != null) {
            blow.isCauseOf("who opens it", refused);
            return;
        }
        Life life = opened[0];
        Waiting forFlush = new Waiting(life, Durability.FLUSHED);
        Waiting forSync = new Waiting(life, Durability.SYNCED);
        forFlush.start();
        forSync.start();
        CompletableFuture<?>[] future = new CompletableFuture<?>[1];
        Throwable first = catchThrowable(() -> {
            future[0] = life.reached(FAR, Durability.SYNCED);
            for (int i = 0; i < steps; i++) {
                step(life);
            }
        });
        boolean hasFailed = first != null && hasFailed(life, first);
        if (hasFailed) { // then nobody has to close it for those who wait
            forFlush.join();
            forSync.join();
        }
        Throwable atClose = catchThrowable(life::close);
        if (atClose == null) {
            // It says that all is safe that it has taken: what was refused may be there or not.
            synced = Math.max(synced, accepted);
        } else {
            blow.isCauseOf("who closes it", atClose);
        }
        forFlush.join();
        forSync.join();
        check("who waits for a flush", forFlush.end, hasFailed);
        check("who waits for a sync", forSync.end, hasFailed);
        if (future[0] != null) {
            assertThat(future[0]).isDone();
            Throwable told = catchThrowable(future[0]::join);
            check("the future", told, hasFailed);
        }
    }

    private long accepted;

    private void step(Life life) {
        switch (random.nextInt(8)) {
            case 0 -> {
                life.commit(Durability.SYNCED);
                synced = accepted;
            }
            case 1 -> {
                life.commit(Durability.FLUSHED);
                flushed = accepted;
            }
            case 2 -> {
                if (random.nextInt(3) == 0) {
                    life.upkeep(entries);
                }
            }
            default -> {
                long number = entries.add(1);
                life.append(entries, number);
                accepted = number;
            }
        }
    }

    /** Whether the log has ended; if not, it says so and keeps what it says. */
    private boolean hasFailed(Life life, Throwable first) {
        blow.isCauseOf("who meets it", first);
        Throwable second = catchThrowable(() -> life.commit(Durability.SYNCED));
        if (second == null) {
            synced = accepted;
            return false;
        }
        blow.isCauseOf("who calls again", second);
        Throwable third = catchThrowable(() -> life.append(entries, entries.add(1)));
        blow.isCauseOf("who appends after that", third);
        assertThat(third).as("the same for each call").isSameAs(second);
        return true;
    }

    private void check(String who, Throwable told, boolean hasFailed) {
        assertThat(told).as(who).isNotNull();
        Throwable cause = told.getCause() == null ? told : told.getCause();
        boolean isEnd = told instanceof IllegalStateException || cause instanceof IllegalStateException;
        if (hasFailed || !isEnd) {
            blow.isCauseOf(who, told);
        }
    }

    /** Opens what is left: of what was {@code acknowledged} nothing is missing. */
    void check(CrashableStorage left, long acknowledged) {
        try (Life life = subject.open(left)) {
            assertThat(life.verify(entries))
                    .as("the last entry, %s", life.recovery().describe())
                    .isBetween(acknowledged, entries.last());
        }
    }
}

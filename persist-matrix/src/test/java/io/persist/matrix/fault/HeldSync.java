package io.persist.matrix.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.log.WriteMode;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.Await;
import io.persist.support.HeldSyncs;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The device takes as long as it likes for a sync. Nothing is acknowledged until then. Who appends to a queue meanwhile
 * gets as far as the queue is deep, and waits; who appends himself is the one who waits for the device. When the sync
 * is over all goes on, in its order.
 */
public final class HeldSync implements Exercise {

    /** More than a queue can hold. */
    private static final int MANY = Subject.QUEUE_DEPTH + 100;

    @Override
    public Row row() {
        return Row.SHORT_WRITE;
    }

    @Override
    public void run(Subject subject, Effort effort) {
        effort.random(1, 5, 40, (random, size) -> hold(subject, random, size));
    }

    private static void hold(Subject subject, Random random, int size) {
        HeldSyncs syncs = new HeldSyncs();
        CrashableStorage disk = new CrashableStorage();
        Entries entries = new Entries();
        try (Life life = subject.open(disk)) {
            append(life, entries, 1 + random.nextInt(size));
            disk.hook(syncs);
            if (subject.writeMode() == WriteMode.FILE) {
                syncs.holdWrites(); // the write may be the sync
            } else {
                syncs.hold();
            }
            life.handOver();
            CompletableFuture<Void> commit = start("commit", () -> {
                life.commit(Durability.SYNCED);
                life.handOver();
            });
            syncs.awaitHeld();
            try {
                assertThat(commit).as("a commit whose sync is held").isNotDone();
                if (subject.isDetached()) {
                    fillTheQueue(life, entries, syncs);
                }
            } finally {
                syncs.releaseAll();
            }
            commit.join();
            life.commit(Durability.SYNCED);
            assertThat(life.verify(entries)).isEqualTo(entries.last());
        }
        try (Life life = subject.open(disk.crash(random, Loss.ALL_LOST))) {
            assertThat(life.verify(entries)).isEqualTo(entries.last());
        }
    }

    private static void append(Life life, Entries entries, int count) {
        for (int i = 0; i < count; i++) {
            life.append(entries, entries.add(1));
        }
    }

    private static void fillTheQueue(Life life, Entries entries, HeldSyncs syncs) {
        long before = entries.last();
        Thread[] producer = new Thread[1];
        CompletableFuture<Void> appends = start("producer", () -> {
            producer[0] = Thread.currentThread();
            append(life, entries, MANY);
        });
        Await.until("the producer waits", () -> appends.isDone() || isAsleep(producer[0]));
        assertThat(appends).as("more appends than the queue can hold").isNotDone();
        assertThat(entries.last() - before).as("appended").isLessThanOrEqualTo(Subject.QUEUE_DEPTH + 1L);
        syncs.releaseAll();
        appends.join();
    }

    private static boolean isAsleep(Thread thread) {
        return thread != null
                && (thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.WAITING);
    }

    private static CompletableFuture<Void> start(String name, Runnable work) {
        Executor ownThread = task -> new Thread(task, name).start();
        return CompletableFuture.runAsync(work, ownThread);
    }
}

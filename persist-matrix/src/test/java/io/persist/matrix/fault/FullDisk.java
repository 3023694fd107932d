package io.persist.matrix.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.LogFullException;
import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.matrix.Entries;
import io.persist.matrix.Life;
import io.persist.matrix.Subject;
import io.persist.support.Await;
import java.io.IOException;
import java.util.Random;

/** A subject on a disk with little space: it works until the disk is full, gets more space, and goes on. */
final class FullDisk {

    /** More than fit. */
    private static final int MOST = 10_000;

    /** Makes space. */
    @FunctionalInterface
    interface Relief {
        void come() throws IOException;
    }

    private final Subject subject;
    private final Storage storage;
    private final Random random;
    private final Entries entries = new Entries();
    private long acknowledged;

    FullDisk(Subject subject, Storage storage, Random random) {
        this.subject = subject;
        this.storage = storage;
        this.random = random;
    }

    /**
     * Fills the disk, and goes on when {@code relief} has come: in the same life, or in the next one.
     *
     * @return how many entries there were when it was full
     */
    long run(Relief relief) throws IOException {
        boolean closesWhileFull = random.nextBoolean();
        long before = 0;
        try {
            Life life = subject.open(storage);
            try (life) {
                fill(life);
                before = acknowledged;
                if (closesWhileFull) {
                    closeWhileFull(life);
                } else {
                    relief.come();
                    goOn(life);
                }
            }
        } catch (PersistException noSpaceAtAll) {
            assertThat(entries.last()).as("entries before %s", noSpaceAtAll).isZero();
            assertThat(noSpaceAtAll).hasMessageContaining("No space left");
        }
        relief.come();
        try (Life life = subject.open(storage)) {
            goOn(life);
        }
        return before;
    }

    /** Looks at a storage that has what all of it left. */
    void check(Storage left) {
        try (Life life = subject.open(left)) {
            assertThat(verified(life)).isEqualTo(entries.last());
        }
    }

    private void fill(Life life) {
        try {
            for (int i = 0; i < MOST; i++) {
                life.append(entries, entries.add(1));
                if (random.nextInt(3) == 0) {
                    long last = entries.last();
                    life.commit(Durability.values()[1 + random.nextInt(2)]);
                    acknowledged = last;
                }
            }
        } catch (LogFullException full) {
            assertThat(full).hasMessageContaining("No space left");
            if (!isReadThroughTheQueue()) {
                verified(life);
            }
            return;
        }
        throw new AssertionError("the disk is never full");
    }

    /** A store first writes what it is to read: what waits in the queue until there is space cannot be. */
    private boolean isReadThroughTheQueue() {
        return subject.logger() == Subject.Logger.STORE && subject.isDetached();
    }

    private void closeWhileFull(Life life) {
        try {
            life.close();
        } catch (LogFullException full) {
            assertThat(subject.isDetached()).as("has a queue").isTrue();
        }
    }

    private long verified(Life life) {
        long last = life.verify(entries);
        assertThat(last).as("the last entry").isBetween(acknowledged, entries.last());
        return last;
    }

    private void goOn(Life life) {
        settle(life);
        for (int i = 0; i < 60; i++) {
            Await.until("an entry is taken", () -> isTaken(life));
        }
        settle(life);
        assertThat(acknowledged).isEqualTo(entries.last());
    }

    private boolean isTaken(Life life) {
        long number = entries.add(2);
        try {
            life.append(entries, number);
            return true;
        } catch (LogFullException notYet) {
            if (isReadThroughTheQueue()) {
                settle(life); // what a queue was handed may be accepted although its commit says that the disk is full
            } else {
                entries.forgetAfter(number - 1);
            }
            return false;
        }
    }

    /** Everything that was accepted is made safe; and there is nothing else. */
    private void settle(Life life) {
        Await.until("there is space", () -> isCommitted(life));
        acknowledged = verified(life);
        entries.forgetAfter(acknowledged);
    }

    private static boolean isCommitted(Life life) {
        try {
            life.commit(Durability.SYNCED);
            return true;
        } catch (LogFullException notYet) {
            return false;
        }
    }
}

package io.persist.matrix.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.matrix.Entries;
import io.persist.matrix.Life;
import io.persist.matrix.Subject;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One life of a subject on a storage of which an operation fails, and what it was told. After the failure the log has
 * failed for good, with one exception for every call; or only that call did, and it goes on.
 */
final class FaultyLife {

    private final Subject subject;
    private final Entries entries = new Entries();
    private long flushed;
    private long synced;
    private @Nullable PersistException failure;

    FaultyLife(Subject subject) {
        this.subject = subject;
    }

    /** The number of the last entry that was acknowledged as FLUSHED. */
    long flushed() {
        return flushed;
    }

    /** The number of the last entry that was acknowledged as SYNCED. */
    long synced() {
        return synced;
    }

    /** Opens, works for {@code steps}, unless the log fails before, and closes. */
    void run(Storage storage, Random random, int steps) {
        Life life;
        try {
            life = subject.open(storage);
        } catch (PersistException refused) {
            return;
        }
        for (int i = 0; i < steps && failure == null; i++) {
            try {
                step(life, random);
            } catch (PersistException refused) {
                look(life);
            }
        }
        PersistException atClose = catchThrowableOfType(PersistException.class, life::close);
        if (failure != null) {
            assertThat(atClose).as("what close says of a log that has failed").isInstanceOf(LogIOException.class);
        } else if (atClose == null) {
            flushed = entries.last();
            synced = entries.last();
        }
    }

    private void step(Life life, Random random) {
        switch (random.nextInt(10)) {
            case 0, 1 -> commit(life, Durability.SYNCED);
            case 2 -> commit(life, Durability.FLUSHED);
            case 3 -> {
                if (random.nextInt(3) == 0) {
                    life.upkeep(entries);
                }
            }
            default -> life.append(entries, entries.add(1)); // which may be there although the call fails
        }
    }

    private void commit(Life life, Durability level) {
        long last = entries.last();
        life.commit(level);
        flushed = Math.max(flushed, last);
        synced = level == Durability.SYNCED ? last : synced;
    }

    private void look(Life life) {
        failure = catchThrowableOfType(PersistException.class, () -> life.commit(Durability.FLUSHED));
        if (failure == null) {
            entries.forgetAfter(verified(life, flushed));
            return;
        }
        assertThat(failure).isInstanceOf(LogIOException.class);
        long number = entries.add(1);
        for (int i = 0; i < 2; i++) {
            assertThat(catchThrowable(() -> life.append(entries, number))).isSameAs(failure);
            assertThat(catchThrowable(() -> life.commit(Durability.FLUSHED))).isSameAs(failure);
            assertThat(catchThrowable(() -> life.commit(Durability.SYNCED))).isSameAs(failure);
        }
    }

    private long verified(Life life, long acknowledged) {
        long last = life.verify(entries);
        assertThat(last).as("the last entry, %s", life.recovery().describe()).isBetween(acknowledged, entries.last());
        return last;
    }

    /** What is left has all entries up to {@code acknowledged}; returns the number of the last one it has. */
    long check(Storage left, long acknowledged) {
        try (Life life = subject.open(left)) {
            return verified(life, acknowledged);
        }
    }

    /** The same, and it takes more. */
    void goOn(Storage left, long acknowledged) {
        try (Life life = subject.open(left)) {
            entries.forgetAfter(verified(life, acknowledged));
            for (int i = 0; i < 10; i++) {
                life.append(entries, entries.add(2));
            }
            life.commit(Durability.SYNCED);
            assertThat(life.verify(entries)).isEqualTo(entries.last());
        }
    }

    /** Opens what is there and looks at it; {@code meanwhile} comes before it is closed, and may end all of it. */
    long shown(Storage storage, Runnable meanwhile) {
        Life life = subject.open(storage);
        try {
            long last = verified(life, flushed);
            meanwhile.run();
            return last;
        } finally {
            Ended.close(life);
        }
    }
}

package io.persist.matrix.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.PersistException;
import io.persist.log.Durability;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.util.Random;

/**
 * A batch is torn by a power cut, another life appends fewer or more entries to what is left, and the power is cut
 * again, several times. The lost entries have the numbers and mostly the lengths of those that are appended in their
 * place, so what would be left of them behind the end would continue the log.
 */
public final class StaleTail implements Exercise {

    private static final int LIVES = 5;
    private static final int TORN = 25;

    @Override
    public Row row() {
        return Row.STALE_TAIL;
    }

    @Override
    public void run(Subject subject, Effort effort) {
        effort.random(6, 420, TORN, (random, torn) -> {
            CrashableStorage storage = new CrashableStorage();
            Entries entries = new Entries();
            for (int life = 1; life <= LIVES; life++) {
                storage = live(subject, storage, entries, life, torn, random);
            }
            try (Life last = subject.open(storage)) {
                last.verify(entries);
            }
        });
    }

    /** Opens, looks, appends, syncs a part of it or nothing; returns what a power cut leaves. */
    private static CrashableStorage live(
            Subject subject, CrashableStorage storage, Entries entries, int number, int torn, Random random) {
        long synced;
        CrashableStorage left;
        Life life = subject.open(storage);
        try {
            long found = life.verify(entries);
            entries.forgetAfter(found);
            append(life, entries, number, 1 + random.nextInt(torn));
            life.commit(Durability.SYNCED);
            synced = entries.last();
            append(life, entries, number, random.nextInt(2 * torn));
            life.commit(random.nextBoolean() ? Durability.FLUSHED : Durability.BUFFERED);
        } finally {
            left = storage.crash(random, random.nextBoolean() ? Loss.RANDOM : Loss.ORDERED_PREFIX);
            end(life);
        }
        try (Life next = subject.open(left)) {
            long found = next.verify(entries);
            assertThat(found).as(next.recovery().describe()).isBetween(synced, entries.last());
            entries.forgetAfter(found);
        }
        return left;
    }

    private static void append(Life life, Entries entries, int number, int count) {
        for (int i = 0; i < count; i++) {
            life.append(entries, entries.add(number));
        }
    }

    private static void end(Life life) {
        try {
            life.close();
        } catch (PersistException | PowerCut off) {
            assertThat(off).isNotNull(); // the power is off already
        }
    }
}

package io.persist.matrix.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.error.LogIOException;
import io.persist.log.Durability;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.util.List;
import java.util.Random;

/**
 * The n-th look at the files fails with EIO, in the recovery of a log whose process was killed or in reading it: for n
 * = 1, 2, 3 and so on until none does. It is an error and not damage. Nothing is changed, cut or lost by it.
 */
public final class ReadError implements Exercise {

    private static final int STRIDE = 3;

    private static final List<Verb> LOOKS = List.of(Verb.LIST, Verb.OPEN, Verb.READ, Verb.MAP);

    @Override
    public Row row() {
        return Row.READ_ERROR;
    }

    @Override
    public List<Subject> subjects() {
        return Subject.attached();
    }

    @Override
    public void run(Subject subject, Effort effort) {
        effort.random(1, 1, 200, (random, size) -> {
            Entries entries = new Entries();
            CrashableStorage past = killed(subject, entries, size);
            for (Verb verb : LOOKS) {
                effort.everyChance(STRIDE, random, n -> hasFailed(subject, past.afterKill(), entries, verb, n));
            }
        });
    }

    private static CrashableStorage killed(Subject subject, Entries entries, int size) {
        CrashableStorage storage = new CrashableStorage();
        Life life = subject.open(storage);
        try {
            for (int i = 0; i < size; i++) {
                life.append(entries, entries.add(1));
                if (i == size / 2) {
                    life.upkeep(entries);
                }
            }
            life.commit(Durability.FLUSHED);
            return storage.afterKill();
        } finally {
            Ended.close(life);
        }
    }

    private static boolean hasFailed(Subject subject, CrashableStorage disk, Entries entries, Verb verb, int n) {
        FaultyStorage faulty = new FaultyStorage(disk).fail(verb, n);
        try {
            Throwable refused = catchThrowable(() -> look(subject, faulty, entries));
            if (refused != null) {
                assertThat(refused).isInstanceOf(LogIOException.class).hasMessageContaining("injected");
            }
            assertThat(disk.openHandles()).as("open handles").isZero();
            try (Life life = subject.open(disk)) {
                assertThat(life.verify(entries)).isEqualTo(entries.last());
                life.commit(Durability.SYNCED);
            }
            try (Life life = subject.open(disk.crash(new Random(n), CrashableStorage.Loss.ALL_LOST))) {
                assertThat(life.verify(entries)).isEqualTo(entries.last());
            }
        } catch (Throwable e) {
            throw new AssertionError("after EIO at " + verb + " " + n + ": " + e, e);
        }
        return faulty.injected() > 0;
    }

    /** Who cannot look tries again: the error comes once. */
    private static void look(Subject subject, FaultyStorage faulty, Entries entries) {
        try (Life life = subject.open(faulty)) {
            int before = faulty.injected();
            Throwable refused = catchThrowable(() -> life.verify(entries));
            if (refused != null) {
                assertThat(refused).isInstanceOf(LogIOException.class).hasMessageContaining("injected");
                assertThat(faulty.injected()).isGreaterThan(before);
            }
            assertThat(life.verify(entries)).isEqualTo(entries.last());
        }
    }
}

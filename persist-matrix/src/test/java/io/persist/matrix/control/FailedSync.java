package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.segment.LogFiles;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.FailedOnce;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A write or a sync of the log fails, once, and the caller tries again. Whatever he is told to be safe from then on is
 * there after a power cut: so is what the next opening, by the same kernel, has shown. Behind what was lost by a sync
 * that nobody was told of, nothing is acknowledged.
 */
public final class FailedSync implements Exercise {

    private static final int APPENDS = 40;
    private static final int OPERATIONS = 16;

    @Override
    public Row row() {
        return Row.FAILED_SYNC_REOPENED;
    }

    @Override
    public List<Subject> subjects() {
        return Subject.attached();
    }

    @Override
    public void run(Subject subject, Effort effort) throws IOException {
        for (int failing = 1; failing <= OPERATIONS; failing++) {
            goOn(subject, failing);
            reopen(subject, failing);
            effort.tried(2);
        }
        untold(subject);
        effort.tried(1);
    }

    private static CrashableStorage failing(int number) {
        AtomicInteger count = new AtomicInteger();
        return new CrashableStorage().hook((n, what) -> {
            boolean isOfLog = what.startsWith("force ") || what.endsWith(".log") && !what.startsWith("map ");
            if (isOfLog && count.incrementAndGet() == number) {
                throw new IOException("Input/output error");
            }
        });
    }

    /** Appends and commits whatever fails; returns the last entry of which a commit has said that it is synced. */
    private static long work(Subject subject, Storage storage, Entries entries) {
        long synced = 0;
        boolean isAppended = true;
        try (Life life = subject.open(storage)) {
            for (int i = 0; i < APPENDS; i++) {
                // A log that could not get space refuses an append and goes on: then the same entry comes again.
                long number = isAppended ? entries.add(1) : entries.last();
                isAppended = hasWorked(() -> life.append(entries, number));
                if (isAppended && number % 3 == 0 && commit(life)) {
                    synced = number;
                }
            }
        } catch (PersistException failed) {
            // The same again, from close or open.
        }
        return synced;
    }

    private static boolean commit(Life life) {
        return hasWorked(() -> life.commit(Durability.SYNCED)) || hasWorked(() -> life.commit(Durability.SYNCED));
    }

    private static boolean hasWorked(Runnable call) {
        try {
            call.run();
            return true;
        } catch (PersistException failed) {
            return false;
        }
    }

    private static void goOn(Subject subject, int number) {
        CrashableStorage storage = failing(number);
        Entries entries = new Entries();
        long synced = work(subject, storage, entries);
        check(subject, storage, entries, synced, "acknowledged, although operation " + number + " failed");
    }

    private static void reopen(Subject subject, int number) {
        CrashableStorage storage = failing(number);
        Entries entries = new Entries();
        work(subject, storage, entries);
        CrashableStorage again = storage.afterKill();
        Life life = subject.open(again);
        long shown = life.verify(entries);
        check(subject, again, entries, shown, "shown after operation " + number + " failed");
        end(life);
    }

    /** The writer was killed in the sync that failed: it could tell nobody, and the kernel tells no other one. */
    private static void untold(Subject subject) throws IOException {
        CrashableStorage storage = new CrashableStorage();
        Entries entries = new Entries();
        Life life = subject.open(storage);
        for (int i = 0; i < APPENDS; i++) {
            life.append(entries, entries.add(1));
        }
        life.commit(Durability.FLUSHED);
        CrashableStorage killed = storage.afterKill();
        end(life);
        for (long base : LogFiles.basePositions(killed)) {
            FailedOnce.failSync(killed, LogFileName.segment(base));
        }
        Life next = subject.open(killed);
        long last = entries.add(1);
        next.append(entries, last);
        next.commit(Durability.SYNCED);
        check(subject, killed, entries, last, "acknowledged behind what a sync of a killed writer's has lost");
        end(next);
    }

    private static void end(Life life) {
        try {
            life.close();
        } catch (PersistException | PowerCut off) {
            // The power is off.
        }
    }

    private static void check(Subject subject, CrashableStorage storage, Entries entries, long needed, String what) {
        CrashableStorage cut = storage.crash(new Random(0), Loss.ALL_LOST);
        try (Life life = subject.open(cut)) {
            assertThat(life.verify(entries))
                    .as("the last entry; %d was %s", needed, what)
                    .isGreaterThanOrEqualTo(needed);
        }
    }
}

package io.persist.matrix.control;

import io.persist.log.Durability;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Every byte of a segment has been written before something is stored there through a mapping: a store into a hole, on
 * a disk that is full by then, would end in a signal and not in an exception.
 */
public final class NoHoles implements Exercise {

    private static final int APPENDS = 100;

    @Override
    public Row row() {
        return Row.DISK_FULL_MAPPED;
    }

    @Override
    public List<Subject> subjects() {
        return Subject.ofEachLogger();
    }

    @Override
    public void run(Subject subject, Effort effort) {
        Entries entries = new Entries();
        CrashableStorage storage = new CrashableStorage();
        for (int number = 1; number <= 2; number++) {
            HoleFinder finder = new HoleFinder(storage);
            try (Life life = subject.open(finder)) {
                for (int i = 0; i < APPENDS; i++) {
                    life.append(entries, entries.add(number));
                }
                life.commit(Durability.SYNCED);
                life.upkeep(entries);
                life.verify(entries);
                check(finder);
            }
            effort.tried(1);
        }
    }

    private static void check(HoleFinder finder) {
        try {
            finder.checkHoles();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

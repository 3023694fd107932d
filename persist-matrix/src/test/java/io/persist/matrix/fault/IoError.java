package io.persist.matrix.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * The n-th operation fails with EIO, for n = 1, 2, 3 and so on until none does: writes, syncs, forces, and what else
 * changes a directory. Then the process is killed, or the power goes and takes all that was not synced.
 */
public final class IoError implements Exercise {

    /** In a build not every n, but another first one each time. */
    private static final int STRIDE = 13;

    private static final Pattern ANY = Pattern.compile(".*");

    @Override
    public Row row() {
        return Row.IO_ERROR;
    }

    @Override
    public void run(Subject subject, Effort effort) {
        effort.random(1, 1, 60, (random, steps) -> {
            long seed = random.nextLong();
            effort.everyChance(STRIDE, random, n -> hasStruck(subject, n, seed, steps));
        });
    }

    private static boolean hasStruck(Subject subject, int n, long seed, int steps) {
        NthOperation fault = new NthOperation(ANY, n);
        CrashableStorage disk = new CrashableStorage().hook(fault);
        FaultyLife life = new FaultyLife(subject);
        try {
            life.run(disk, new Random(seed), steps);
            disk.hook((number, what) -> {});
            assertThat(disk.openHandles()).as("open handles").isZero();
            life.check(disk.afterKill(), life.flushed());
            life.check(disk.crash(new Random(seed), Loss.RANDOM), life.synced());
            life.goOn(disk.crash(new Random(seed), Loss.ALL_LOST), life.synced());
        } catch (Throwable e) {
            throw new AssertionError("after EIO at operation " + n + ", " + fault.struck() + ": " + e, e);
        }
        return fault.struck() != null;
    }
}

package io.persist.matrix.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.UncaughtErrors;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * The n-th sync fails, as the kernel has it: what it should have written is clean in memory and not on the device. The
 * log is opened again on the same mount and read; then the power goes. What was shown is still there.
 */
public final class FailedSyncReopened implements Exercise {

    private static final int STRIDE = 7;

    /** A write can be one that syncs. */
    private static final Pattern SYNC = Pattern.compile("(sync|force|write|syncDirectory)\\b.*");

    @Override
    public Row row() {
        return Row.FAILED_SYNC_REOPENED;
    }

    @Override
    public void run(Subject subject, Effort effort) {
        effort.random(1, 1, 60, (random, steps) -> {
            long seed = random.nextLong();
            effort.everyChance(STRIDE, random, n -> hasStruck(subject, n, seed, steps));
        });
    }

    @SuppressWarnings("try") // the handler is there for the threads
    private static boolean hasStruck(Subject subject, int n, long seed, int steps) {
        NthOperation fault = new NthOperation(SYNC, n);
        CrashableStorage disk = new CrashableStorage().hook(fault);
        FaultyLife life = new FaultyLife(subject);
        try (UncaughtErrors ofThreads = new UncaughtErrors()) {
            life.run(disk, new Random(seed), steps);
            disk.hook((number, what) -> {});
            CrashableStorage[] left = new CrashableStorage[1];
            long shown = life.shown(disk, () -> left[0] = disk.crash(new Random(seed), Loss.ALL_LOST));
            assertThat(disk.openHandles()).as("open handles").isZero();
            life.goOn(left[0], shown);
        } catch (Throwable e) {
            throw new AssertionError("after a failed sync, " + n + " " + fault.struck() + ": " + e, e);
        }
        return fault.struck() != null;
    }
}

package io.persist.matrix.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.FaultyStorage;
import java.util.Random;

/** The n-th write does half of it and fails, for n = 1, 2, 3 and so on until none does. */
public final class ShortWrite implements Exercise {

    private static final int STRIDE = 7;

    @Override
    public Row row() {
        return Row.SHORT_WRITE;
    }

    @Override
    public void run(Subject subject, Effort effort) {
        effort.random(1, 1, 60, (random, steps) -> {
            long seed = random.nextLong();
            effort.everyChance(STRIDE, random, n -> wasShort(subject, n, seed, steps));
        });
    }

    private static boolean wasShort(Subject subject, int n, long seed, int steps) {
        CrashableStorage disk = new CrashableStorage();
        FaultyStorage faulty = new FaultyStorage(disk).shortWrite(n);
        FaultyLife life = new FaultyLife(subject);
        try {
            life.run(faulty, new Random(seed), steps);
            assertThat(disk.openHandles()).as("open handles").isZero();
            life.check(disk.afterKill(), life.flushed());
            life.check(disk.crash(new Random(seed), Loss.RANDOM), life.synced());
            life.goOn(disk.crash(new Random(seed), Loss.ALL_LOST), life.synced());
        } catch (Throwable e) {
            throw new AssertionError("after write " + n + " was a short one: " + e, e);
        }
        return faulty.injected() > 0;
    }
}

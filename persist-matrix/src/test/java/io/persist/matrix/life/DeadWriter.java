package io.persist.matrix.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.OwnThreads;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.util.Random;

/**
 * A thread of the log, or the caller's, meets an exception, an error or the end of memory at some operation of the
 * storage, once or from then on. Everybody learns it who has to, the log closes, and nothing is dropped silently.
 */
public final class DeadWriter implements Exercise {

    private static final int STEPS = 40;

    /** Which operations a build tries: another one each time. */
    private static final int STRIDE = 9;

    @Override
    public Row row() {
        return Row.DEAD_WRITER;
    }

    @Override
    public void run(Subject subject, Effort effort) {
        effort.random(1, 4, STEPS, (random, steps) -> {
            long seed = random.nextLong() >>> 16;
            int stride = effort.times(STRIDE, 1);
            int kinds = Blow.Kind.values().length;
            boolean struck = true;
            for (int number = 1 + random.nextInt(stride); struck; number += stride) {
                // In a build one kind at each operation, and once or for ever in turn.
                int only = random.nextInt(2 * kinds);
                struck = false;
                for (int i = 0; i < 2 * kinds; i++) {
                    if (stride == 1 || i == only) {
                        Blow.Kind kind = Blow.Kind.values()[i % kinds];
                        Blow blow = i < kinds ? Blow.once(kind, number) : Blow.from(kind, number);
                        attempt(subject, blow, new Random(seed), steps);
                        struck |= blow.hasStruck();
                        effort.tried(1);
                    }
                }
            }
        });
    }

    private static void attempt(Subject subject, Blow blow, Random random, int steps) {
        CrashableStorage storage = new CrashableStorage();
        storage.hook(blow);
        Witness witness = new Witness(subject, blow, random, steps);
        try {
            OwnThreads.run(() -> witness.live(storage));
            assertThat(storage.openHandles()).as("open handles").isZero();
            witness.check(storage.afterKill(), witness.flushed());
            witness.check(storage.crash(new Random(1), Loss.ALL_LOST), witness.synced());
        } catch (Throwable failed) {
            throw new AssertionError(blow + ": " + failed, failed);
        }
    }
}

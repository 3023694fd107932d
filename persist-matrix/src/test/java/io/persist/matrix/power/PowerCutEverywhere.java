package io.persist.matrix.power;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.matrix.Work;
import io.persist.testkit.CrashExplorer;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.Exploration;
import io.persist.testkit.Fault;
import java.util.Random;

/**
 * The power goes at each operation of a life in turn, and at one of the recovery after it: at night once for each loss;
 * in a build for one loss, another one for each of a logger's four subjects.
 */
public final class PowerCutEverywhere implements Exercise {

    @Override
    public Row row() {
        return Row.POWER_CUT_EVERYWHERE;
    }

    @Override
    public void run(Subject subject, Effort effort) {
        effort.random(1, 8, 60, (random, steps) -> {
            long seed = random.nextLong() >>> 16;
            CrashExplorer explorer = CrashExplorer.of(() -> new Work(subject, new Random(seed), steps))
                    .faults(Fault.POWER_CUT)
                    .seed(seed)
                    .randomLives(0);
            if (effort.times(1, Loss.values().length) == 1) {
                explorer.losses(Loss.values()[Subject.all().indexOf(subject) % Loss.values().length]);
            }
            Exploration tried = explorer.explore();
            effort.tried(tried.points());
        });
    }
}

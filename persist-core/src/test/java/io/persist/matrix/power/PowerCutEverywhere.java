package io.persist.matrix.power;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.matrix.Work;
import io.persist.testkit.CrashExplorer;
import io.persist.testkit.Exploration;
import io.persist.testkit.Fault;
import java.util.Random;

/** The power goes at each operation of a life in turn, once for each loss; and at each of the recovery after it. */
public final class PowerCutEverywhere implements Exercise {

    @Override
    public Row row() {
        return Row.POWER_CUT_EVERYWHERE;
    }

    @Override
    public void run(Subject subject, Effort effort) {
        effort.random(1, 8, 60, (random, steps) -> {
            long seed = random.nextLong() >>> 16;
            Exploration tried = CrashExplorer.of(() -> new Work(subject, new Random(seed), steps))
                    .faults(Fault.POWER_CUT)
                    .seed(seed)
                    .randomLives(0)
                    .explore();
            effort.tried(tried.points());
        });
    }
}

package io.persist.matrix.control;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.matrix.Work;
import io.persist.testkit.CrashExplorer;
import io.persist.testkit.Exploration;
import io.persist.testkit.Fault;
import java.util.List;
import java.util.Random;

/** Each operation of a life fails in turn, once; then the power goes. */
public final class ErrorEverywhere implements Exercise {

    @Override
    public Row row() {
        return Row.IO_ERROR;
    }

    @Override
    public List<Subject> subjects() {
        return List.of(Subject.named("message-mapped-attached"));
    }

    @Override
    public void run(Subject subject, Effort effort) {
        effort.random(1, 8, 60, (random, steps) -> {
            long seed = random.nextLong() >>> 16;
            Exploration tried = CrashExplorer.of(() -> new Work(subject, new Random(seed), steps))
                    .faults(Fault.IO_ERROR)
                    .seed(seed)
                    .randomLives(0)
                    .explore();
            effort.tried(tried.points());
        });
    }
}

package io.persist.matrix.power;

import io.persist.matrix.Effort;
import io.persist.matrix.JointExercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import java.util.List;

/** Readers follow logs whose writers, in another process, are killed and come again. */
public final class ReaderDuringKills implements JointExercise {

    private static final int LOGS_OF_EACH = 2;

    @Override
    public Row row() {
        return Row.TAILING_READER;
    }

    @Override
    public void run(List<Subject> subjects, Effort effort) {
        int lives = effort.times(2, 5);
        effort.random(1, 10, effort.times(1, LOGS_OF_EACH), (random, each) -> {
            try (KilledLogs logs = new KilledLogs(subjects, each, random).read()) {
                for (int life = 0; life < lives; life++) {
                    logs.liveAndDie();
                }
                logs.checkAtLast();
                effort.tried((long) logs.size() * lives - 1);
            }
        });
    }
}

package io.persist.matrix.power;

import io.persist.matrix.Effort;
import io.persist.matrix.JointExercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import java.util.List;

/** A JVM that writes many logs dies by kill -9 in the midst of it; what it leaves is written by another one. */
public final class KillAnytime implements JointExercise {

    private static final int LIVES = 5;
    private static final int LIVES_OF_A_BUILD = 2;

    @Override
    public Row row() {
        return Row.KILL;
    }

    @Override
    public void run(List<Subject> subjects, Effort effort) {
        int lives = effort.times(LIVES_OF_A_BUILD, LIVES);
        effort.random(1, 20, effort.times(3, 10), (random, each) -> {
            try (KilledLogs logs = new KilledLogs(subjects, each, random)) {
                for (int life = 0; life < lives; life++) {
                    logs.liveAndDie();
                }
                logs.checkAtLast();
                effort.tried((long) logs.size() * lives - 1);
            }
        });
    }
}

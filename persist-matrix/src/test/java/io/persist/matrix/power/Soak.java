package io.persist.matrix.power;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.Fault;
import io.persist.testkit.UncaughtErrors;

/**
 * One log for very many lives: whatever ends them, with readers, with upkeep, with a kernel that writes back when it
 * likes, on a disk that is full at times and then is not.
 */
public final class Soak implements Exercise {

    private static final int STEPS = 60;
    private static final int LIVES_IN_BUILD = 6;
    private static final int LIVES_AT_NIGHT = 300;

    @Override
    public Row row() {
        return Row.SOAK;
    }

    @Override
    @SuppressWarnings("try") // the handler is there for the threads
    public void run(Subject subject, Effort effort) {
        int most = effort.times(LIVES_IN_BUILD, LIVES_AT_NIGHT);
        effort.random(1, 2, most, (random, lives) -> {
            try (UncaughtErrors ofThreads = new UncaughtErrors()) {
                Machine machine =
                        new Machine(subject, random, STEPS).writeBackEarly().read();
                for (int life = 0; life < lives; life++) {
                    machine.live(Fault.values()[random.nextInt(Fault.values().length)]);
                }
                machine.check();
            }
        });
    }
}

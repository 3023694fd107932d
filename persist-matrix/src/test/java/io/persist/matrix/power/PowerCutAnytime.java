package io.persist.matrix.power;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.Fault;

/** The power goes at some operation of five lives; in half of the cases the kernel writes back early. */
public final class PowerCutAnytime implements Exercise {

    private static final int LIVES = 5;

    @Override
    public Row row() {
        return Row.POWER_CUT_ANYTIME;
    }

    @Override
    public void run(Subject subject, Effort effort) {
        Machine.each(subject, effort, 5, 850, (machine, random) -> {
            for (int life = 0; life < LIVES; life++) {
                machine.live(Fault.POWER_CUT);
            }
            machine.check();
        });
    }
}

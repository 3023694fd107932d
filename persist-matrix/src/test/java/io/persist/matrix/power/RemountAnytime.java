package io.persist.matrix.power;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.Fault;

/**
 * The volume fails at some operation of five lives, and is mounted again while the machine runs on: files and control
 * block are as old as they happen to be, and the boot is the same.
 */
public final class RemountAnytime implements Exercise {

    private static final int LIVES = 5;

    @Override
    public Row row() {
        return Row.REMOUNT;
    }

    @Override
    public void run(Subject subject, Effort effort) {
        Machine.each(subject, effort, 5, 850, (machine, random) -> {
            for (int life = 0; life < LIVES; life++) {
                machine.live(Fault.REMOUNT);
            }
            machine.check();
        });
    }
}

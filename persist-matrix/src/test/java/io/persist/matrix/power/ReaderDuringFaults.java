package io.persist.matrix.power;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.Fault;

/**
 * Readers look at the log before each operation of its writer, recoveries included, while the power goes, the process
 * is killed, an operation fails or the disk is full.
 */
public final class ReaderDuringFaults implements Exercise {

    private static final int LIVES = 4;

    @Override
    public Row row() {
        return Row.TAILING_READER;
    }

    @Override
    public void run(Subject subject, Effort effort) {
        Machine.each(subject, effort, 2, 200, (machine, random) -> {
            machine.read();
            for (int life = 0; life < LIVES; life++) {
                machine.live(Fault.values()[random.nextInt(Fault.values().length)]);
            }
            machine.check();
        });
    }
}

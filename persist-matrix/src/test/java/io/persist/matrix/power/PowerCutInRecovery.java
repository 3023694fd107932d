package io.persist.matrix.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.matrix.Work;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.Fault;
import io.persist.testkit.UncaughtErrors;
import java.util.Random;
import java.util.function.UnaryOperator;

/**
 * After lives the last of which was ended by a power cut, or by a kill, the same comes again at each operation of the
 * recovery in turn, and of the closing behind it. Each time the next recovery finds what an undisturbed one has found,
 * and leaves nothing to do for another one.
 */
public final class PowerCutInRecovery implements Exercise {

    @Override
    public Row row() {
        return Row.POWER_CUT_IN_RECOVERY;
    }

    @Override
    @SuppressWarnings("try") // the handler is there for the threads
    public void run(Subject subject, Effort effort) {
        effort.random(1, 50, 60, (random, steps) -> {
            try (UncaughtErrors ofThreads = new UncaughtErrors()) {
                Machine machine = new Machine(subject, random, steps);
                if (random.nextBoolean()) {
                    machine.live(Fault.POWER_CUT);
                }
                Fault fault = random.nextInt(4) == 0 ? Fault.KILL : Fault.POWER_CUT;
                CrashableStorage ended = machine.liveUntil(fault);
                Loss loss = Loss.values()[random.nextInt(Loss.values().length)];
                long seed = random.nextLong();
                UnaryOperator<CrashableStorage> leave =
                        stopped -> fault == Fault.KILL ? stopped.afterKill() : stopped.crash(new Random(seed), loss);
                if (fault == Fault.KILL) {
                    machine.work().wasKilled();
                }
                effort.tried(stopEach(subject, machine.work(), ended, leave));
            }
        });
    }

    /** Returns how many operations the recovery has. */
    private static int stopEach(
            Subject subject, Work work, CrashableStorage ended, UnaryOperator<CrashableStorage> leave) {
        Object undisturbed = work.check(leave.apply(ended));
        for (int number = 1; ; number++) {
            CrashableStorage stopped = leave.apply(ended).cutPowerAt(number);
            try {
                work.check(stopped);
            } catch (Throwable failure) {
                if (!stopped.isOff()) {
                    throw failure;
                }
            }
            if (!stopped.isOff()) {
                return number;
            }
            CrashableStorage left = leave.apply(stopped);
            String when = "after a recovery that was stopped at its operation " + number;
            assertThat(work.check(left)).as("the last entry %s", when).isEqualTo(undisturbed);
            try (Life again = subject.open(left)) {
                assertThat(again.recovery().isUneventful())
                        .as("%s: %s", when, again.recovery().describe())
                        .isTrue();
            }
        }
    }
}

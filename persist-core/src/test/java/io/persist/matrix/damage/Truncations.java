package io.persist.matrix.damage;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import java.util.Arrays;
import java.util.List;

/**
 * Each file of a log ends, or has only zeros, from each of its bytes on. A build takes a shorter log, the next ending
 * with each length, and of packets, of stores and of zeros a share.
 */
public final class Truncations implements Exercise {

    private static final int SHARE_OF_A_BUILD = 16;

    @Override
    public Row row() {
        return Row.TRUNCATION;
    }

    @Override
    public List<Subject> subjects() {
        return Subject.ofEachLogger();
    }

    @Override
    public void run(Subject subject, Effort effort) {
        boolean isEachLength = subject.logger() == Subject.Logger.MESSAGE || effort.isNightly();
        effort.random(1, 1, 1, (random, size) -> {
            int shift = random.nextInt(Integer.MAX_VALUE / 2);
            for (Ending ending : Ending.values()) {
                cut(LeftLog.forEachByte(subject, ending, effort), isEachLength, shift, effort);
            }
        });
    }

    private static void cut(LeftLog log, boolean isEachLength, int shift, Effort effort) {
        int step = effort.times(SHARE_OF_A_BUILD, 1);
        int endings = effort.times(Ending.values().length, 1);
        int turn = log.ending().ordinal() % endings;
        for (String name : log.names()) {
            byte[] whole = log.bytes(name);
            for (int at = 0; at < whole.length; at++) {
                int length = at;
                boolean isShare = (at + shift) % step == 0 && (at + shift) / step % endings == turn;
                if (isShare || isEachLength && (at + shift) % endings == turn) {
                    log.check(name, Arrays.copyOf(whole, length), () -> "cut to " + length);
                    effort.tried(1);
                }
                if (isShare) {
                    byte[] zeroed = Arrays.copyOf(Arrays.copyOf(whole, length), whole.length);
                    log.check(name, zeroed, () -> "zero from " + length);
                    effort.tried(1);
                }
            }
        }
    }
}

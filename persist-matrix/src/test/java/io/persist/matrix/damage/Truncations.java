package io.persist.matrix.damage;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import java.util.Arrays;
import java.util.List;

/**
 * Each file of a log ends, or has only zeros, from each of its bytes on. A build takes a shorter log and a share of the
 * lengths, of packets, of stores and of zeros a smaller one, and the next ending with each.
 */
public final class Truncations implements Exercise {

    /** Prime to the alignment of frames. */
    private static final int SHARE_OF_MESSAGES = 127;

    private static final int SHARE_OF_A_BUILD = 443;

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
        int share = effort.times(subject.logger() == Subject.Logger.MESSAGE ? SHARE_OF_MESSAGES : SHARE_OF_A_BUILD, 1);
        effort.random(1, 1, 1, (random, size) -> {
            int shift = random.nextInt(Integer.MAX_VALUE / 2);
            for (Ending ending : Ending.values()) {
                cut(LeftLog.forEachByte(subject, ending, effort), share, shift, effort);
            }
        });
    }

    private static void cut(LeftLog log, int share, int shift, Effort effort) {
        int step = effort.times(SHARE_OF_A_BUILD, 1);
        int endings = effort.times(Ending.values().length, 1);
        int turn = log.ending().ordinal() % endings;
        for (String name : log.names()) {
            byte[] whole = log.bytes(name);
            for (int at = 0; at < whole.length; at++) {
                int length = at;
                if (isOf(share, at + shift, endings, turn)) {
                    log.check(name, Arrays.copyOf(whole, length), () -> "cut to " + length);
                    effort.tried(1);
                }
                if (isOf(step, at + shift, endings, turn)) {
                    byte[] zeroed = Arrays.copyOf(Arrays.copyOf(whole, length), whole.length);
                    log.check(name, zeroed, () -> "zero from " + length);
                    effort.tried(1);
                }
            }
        }
    }

    private static boolean isOf(int share, int number, int endings, int turn) {
        return number % share == 0 && number / share % endings == turn;
    }
}

package io.persist.matrix.damage;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import java.util.List;

/**
 * Every bit of a log, one at a time. A build takes a shorter log and a share of the bits, of packets and stores a
 * smaller one, and the next ending with each.
 */
public final class BitFlips implements Exercise {

    /** The bits behind the last byte that is not zero count for all of those that follow. */
    private static final int BYTES_BEHIND = 64;

    /** Prime to 8, so that they are not the same bits of each byte. */
    private static final int SHARE_OF_MESSAGES = 127;

    private static final int SHARE_OF_A_BUILD = 683;

    @Override
    public Row row() {
        return Row.BIT_FLIP;
    }

    @Override
    public List<Subject> subjects() {
        return Subject.ofEachLogger();
    }

    @Override
    public void run(Subject subject, Effort effort) {
        boolean isMessage = subject.logger() == Subject.Logger.MESSAGE;
        int step = effort.times(isMessage ? SHARE_OF_MESSAGES : SHARE_OF_A_BUILD, 1);
        effort.random(1, 1, 1, (random, size) -> {
            int shift = random.nextInt(Integer.MAX_VALUE / 2);
            for (Ending ending : Ending.values()) {
                flip(LeftLog.forEachByte(subject, ending, effort), step, shift, effort);
            }
        });
    }

    private static void flip(LeftLog log, int step, int shift, Effort effort) {
        int endings = effort.times(Ending.values().length, 1);
        int turn = log.ending().ordinal() % endings;
        for (String name : log.names()) {
            byte[] bytes = log.bytes(name);
            int bits = 8 * Math.min(bytes.length, endOfData(bytes) + BYTES_BEHIND);
            for (int bit = shift % step; bit < bits; bit += step) {
                if ((bit / step + shift / step) % endings == turn) {
                    int flipped = bit;
                    bytes[bit / 8] ^= (byte) (1 << bit % 8);
                    log.check(name, bytes, () -> "bit " + flipped);
                    bytes[bit / 8] ^= (byte) (1 << bit % 8);
                    effort.tried(1);
                }
            }
        }
    }

    private static int endOfData(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }
}

package io.persist.matrix.damage;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Each sector and each page of a log is zeros, ones or noise; at night so are random ranges. */
public final class SpoiltBlocks implements Exercise {

    private static final int[] BLOCKS = {512, 4096};

    @Override
    public Row row() {
        return Row.SPOILT_BLOCK;
    }

    @Override
    public List<Subject> subjects() {
        return Subject.ofEachLogger();
    }

    @Override
    public void run(Subject subject, Effort effort) {
        for (Ending ending : Ending.values()) {
            LeftLog log = LeftLog.of(subject, ending);
            effort.random(1, 10, 1, (random, size) -> {
                for (String name : log.names()) {
                    for (int block : BLOCKS) {
                        int length = log.bytes(name).length;
                        for (int at = 0; at < length; at += block) {
                            spoil(log, name, at, Math.min(length, at + block), random, effort);
                        }
                    }
                    if (effort.isNightly()) {
                        spoilAnything(log, name, random, effort);
                    }
                }
            });
        }
    }

    private static void spoilAnything(LeftLog log, String name, Random random, Effort effort) {
        int length = log.bytes(name).length;
        for (int i = 0; i < 20; i++) {
            int from = random.nextInt(length);
            spoil(log, name, from, from + 1 + random.nextInt(length - from), random, effort);
        }
    }

    private static void spoil(LeftLog log, String name, int from, int to, Random random, Effort effort) {
        if (!effort.takesNext()) {
            return;
        }
        byte[] noise = new byte[to - from];
        random.nextBytes(noise);
        byte[] spoilt = log.bytes(name);
        System.arraycopy(noise, 0, spoilt, from, noise.length);
        log.check(name, spoilt, () -> "noise from " + from + " to " + to);
        for (int value : new int[] {0, 0xFF}) {
            byte[] filled = log.bytes(name);
            Arrays.fill(filled, from, to, (byte) value);
            log.check(name, filled, () -> "only " + value + " from " + from + " to " + to);
        }
        effort.tried(3);
    }
}

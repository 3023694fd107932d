package io.persist.matrix.damage;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Each sector and each page of a log copied over each other one; at night also other ranges, at multiples of 8. */
public final class MisdirectedBlocks implements Exercise {

    private static final int SECTOR = 512;
    private static final int PAGE = 4096;
    private static final int PAIRS_OF_A_BUILD = 50;
    private static final int RANGES = 500;

    private record Block(String name, int offset) {}

    @Override
    public Row row() {
        return Row.MISDIRECTED;
    }

    @Override
    public List<Subject> subjects() {
        return Subject.ofEachLogger();
    }

    @Override
    public void run(Subject subject, Effort effort) {
        effort.random(1, 1, 1, (random, size) -> {
            for (Ending ending : Ending.values()) {
                LeftLog log = LeftLog.of(subject, ending);
                copy(log, SECTOR, random, effort);
                copy(log, PAGE, random, effort);
                for (int i = 0; i < effort.times(0, RANGES); i++) {
                    copyAnything(log, random, effort);
                }
            }
        });
    }

    private static void copy(LeftLog log, int length, Random random, Effort effort) {
        List<Block> blocks = new ArrayList<>();
        for (String name : log.names()) {
            for (int at = 0; at + length <= log.bytes(name).length; at += length) {
                blocks.add(new Block(name, at));
            }
        }
        int pairs = blocks.size() * blocks.size();
        int oneOf = effort.times(1 + pairs / (PAIRS_OF_A_BUILD / Ending.values().length), 1);
        for (int pair = random.nextInt(oneOf); pair < pairs; pair += 1 + random.nextInt(2 * oneOf - 1)) {
            copy(log, blocks.get(pair / blocks.size()), blocks.get(pair % blocks.size()), length, effort);
        }
    }

    private static void copyAnything(LeftLog log, Random random, Effort effort) {
        Block from = anywhere(log, random);
        Block to = anywhere(log, random);
        int room = log.bytes(from.name).length - from.offset;
        copy(log, from, to, 8 + random.nextInt(Math.min(room, log.bytes(to.name).length - to.offset) - 8), effort);
    }

    /** At least 16 bytes before the end of a file. */
    private static Block anywhere(LeftLog log, Random random) {
        String name = log.names().get(random.nextInt(log.names().size()));
        return new Block(name, 8 * random.nextInt((log.bytes(name).length - 16) / 8));
    }

    private static void copy(LeftLog log, Block from, Block to, int length, Effort effort) {
        byte[] bytes = log.bytes(to.name);
        System.arraycopy(log.bytes(from.name), from.offset, bytes, to.offset, length);
        log.check(to.name, bytes, () -> length + " bytes of " + from + " at " + to.offset);
        effort.tried(1);
    }
}

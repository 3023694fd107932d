package io.persist.matrix.damage;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.matrix.damage.Frames.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Whole frames where they were not written: those of another log, whose frames have the same positions, numbers and
 * lengths, as those of an earlier life of the same file would; and the log's own at other places. Also where the next
 * frame would be.
 */
public final class MisdirectedFrames implements Exercise {

    /** More than the log has, so that one of them would continue it; no upkeep comes in between. */
    private static final int ENTRIES_OF_THE_OTHER = LeftLog.ENTRIES + 4;

    private static final int PAIRS_OF_A_BUILD = 50;

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
        for (Ending ending : Ending.values()) {
            LeftLog log = LeftLog.of(subject, ending);
            LeftLog other = LeftLog.of(subject, ending, 2, ENTRIES_OF_THE_OTHER);
            List<Place> targets = new ArrayList<>(log.frames().places());
            targets.add(log.frames().tail());
            for (Place target : targets) {
                put(log, target, other, sameIn(other, target), effort);
            }
            effort.random(1, 1, 1, (random, size) -> {
                for (Place source : log.frames().places()) {
                    put(log, log.frames().tail(), log, source, effort);
                }
                duplicate(log, targets, random, effort);
            });
        }
    }

    /** The frame of the other log at the very same position. */
    private static Place sameIn(LeftLog other, Place target) {
        return other.frames().places().stream()
                .filter(place -> place.position() == target.position())
                .findFirst()
                .orElseThrow(() -> new AssertionError("the other log has no frame at " + target));
    }

    private static void duplicate(LeftLog log, List<Place> targets, Random random, Effort effort) {
        List<Place> sources = log.frames().places();
        int pairs = sources.size() * targets.size();
        int oneOf = effort.times(1 + pairs / PAIRS_OF_A_BUILD, 1);
        for (int pair = random.nextInt(oneOf); pair < pairs; pair += 1 + random.nextInt(2 * oneOf - 1)) {
            put(log, targets.get(pair % targets.size()), log, sources.get(pair / targets.size()), effort);
        }
    }

    private static void put(LeftLog log, Place target, LeftLog from, Place source, Effort effort) {
        if (!effort.takesNext()) {
            return;
        }
        byte[] bytes = log.bytes(target.file());
        int length = Math.min(source.length(), bytes.length - target.offset());
        System.arraycopy(from.bytes(source.file()), source.offset(), bytes, target.offset(), length);
        log.check(target.file(), bytes, () -> "the frame " + source + " in place of " + target);
        effort.tried(1);
    }
}

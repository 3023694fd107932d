package io.persist.matrix.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.segment.LogFiles;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.Fault;
import java.io.IOException;
import java.util.List;

/**
 * The power goes, the process is killed or the volume fails at some operation of lives whose segments are in files that
 * were used before. The segments have four pages: of such a file only the first is zeroed when it is used again.
 */
public final class RecycledFiles implements Exercise {

    private static final int LENGTH = Subject.LONGER_SEGMENT_LENGTH;

    /** A life writes some segments. */
    private static final int STEPS = 400;

    private static final int LIVES = 4;

    /** Some 7 KB, and retention behind them. */
    private static final int ENTRIES_PER_TURN = 50;

    private static final int MOST_TURNS = 200;

    private static final List<Fault> FAULTS = List.of(Fault.POWER_CUT, Fault.POWER_CUT, Fault.KILL, Fault.REMOUNT);

    @Override
    public Row row() {
        return Row.RECYCLED_FILE;
    }

    /** Those whose upkeep recycles. */
    @Override
    public List<Subject> subjects() {
        return Subject.all().stream()
                .filter(subject -> subject.logger() == Subject.Logger.MESSAGE)
                .toList();
    }

    @Override
    public void run(Subject subject, Effort effort) {
        Machine.each(subject, effort, STEPS, 1, 300, (machine, random) -> {
            machine.work().withSegments(LENGTH);
            useFilesAgain(subject, machine);
            for (int life = 0; life < LIVES; life++) {
                machine.live(FAULTS.get(random.nextInt(FAULTS.size())));
            }
            machine.check();
        });
    }

    /** A whole life, until a record is in a file that was used before. */
    private static void useFilesAgain(Subject subject, Machine machine) throws IOException {
        Entries entries = new Entries();
        try (Life life = subject.open(machine.storage(), LENGTH)) {
            for (int turn = 0; !isInAFileUsedBefore(machine.storage()); turn++) {
                assertThat(turn).as("turns without a file that is used again").isLessThan(MOST_TURNS);
                for (int i = 0; i < ENTRIES_PER_TURN; i++) {
                    life.append(entries, entries.add(1));
                }
                life.commit(Durability.FLUSHED);
                life.upkeep(entries);
            }
        }
        machine.work().after(1, entries);
    }

    private static boolean isInAFileUsedBefore(CrashableStorage storage) throws IOException {
        for (SegmentHeader header : LogFiles.headers(storage)) {
            byte[] bytes = storage.content(LogFileName.segment(header.basePosition()));
            if (header.isReused() && bytes[SegmentHeader.LENGTH] != 0) {
                return true;
            }
        }
        return false;
    }
}

package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.format.LogFileName;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.util.List;
import java.util.Random;

/**
 * A power cut leaves a hole before whole messages that were never synced. They are cut, and stay so when later messages
 * of their length take the places before them.
 */
public final class SameLengthTail implements Exercise {

    private static final String SECOND = LogFileName.segment(Subject.SEGMENT_LENGTH);
    private static final int LENGTH = 100;
    private static final int CLOSED = 10;
    private static final int LOST = 40;
    private static final List<Integer> HOLES = List.of(0, 7, 20);
    private static final int MORE = 25;

    @Override
    public Row row() {
        return Row.STALE_TAIL;
    }

    @Override
    public List<Subject> subjects() {
        return Subject.attachedMessages();
    }

    @Override
    public void run(Subject subject, Effort effort) {
        for (int hole : HOLES) {
            for (int more = 1; more < MORE; more++) {
                attempt(subject, hole, more, more % 2 == 0 ? Loss.ALL_KEPT : Loss.ALL_LOST);
                effort.tried(1);
            }
        }
    }

    private static void attempt(Subject subject, int hole, int more, Loss loss) {
        CrashableStorage storage = new CrashableStorage();
        try (MessageLogger first = SameLength.open(subject, storage)) {
            SameLength.append(first, 'a', CLOSED, LENGTH);
        }
        MessageLogger second = SameLength.open(subject, storage);
        long from = second.position();
        List<Long> ends = SameLength.append(second, 'b', LOST, LENGTH);
        second.flush();
        byte[] written = storage.content(SameLength.FIRST);
        byte[] next = storage.content(SECOND);
        CrashableStorage cut = storage.crash(new Random(0), loss); // of the control block
        SameLength.leave(storage, second);
        byte[] zeros = new byte[written.length];
        long start = hole == 0 ? from : ends.get(hole - 1);
        cut.replace(SameLength.FIRST, SameLength.with(written, zeros, start, ends.get(hole)));
        cut.replace(SECOND, next);

        MessageLogger third = SameLength.open(subject, cut);
        SameLength.append(third, 'c', more, LENGTH);
        third.sync();
        CrashableStorage last = cut.crash(new Random(0), Loss.ALL_KEPT);
        SameLength.leave(cut, third);
        assertThat(SameLength.lives(subject, last))
                .as("message %d was lost, and there were %d later", CLOSED + hole + 1, more)
                .isEqualTo("a".repeat(CLOSED) + "b".repeat(hole) + "c".repeat(more));
    }
}

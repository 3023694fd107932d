package io.persist.matrix.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.log.RecoveryReport;
import io.persist.log.segment.LogFiles;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.util.List;
import java.util.Random;

/**
 * What an opening reads depends on the tail and not on how long the log is: it maps as many segments of a log of a
 * hundred as of one of ten, and opens no more files, but that a store reads all headers. Counted at the storage, so that
 * no clock decides.
 */
public final class RecoveryWork implements Exercise {

    private static final int SHORT_SEGMENTS = 10;
    private static final int LONG_SEGMENTS = 100;

    /** Segments that hold what is not synced when the writer dies. */
    private static final int TAIL_SEGMENTS = 4;

    /** Times that an opening may look at each segment of the tail. */
    private static final int MOST_LOOKS = 16;

    /** Looks at each segment that is prepared behind the tail; how many these are depends on how often a writer waited. */
    private static final int NEXT_LOOKS = 8;

    /** Looks that depend on how far the thread has come, before and after, that prepares segments. */
    private static final int FILLER_LOOKS = 8;

    /** A store looks at the header of each segment, and not behind it, to count what is live there. */
    private static final int HEADER_LOOKS_OF_A_STORE = 2;

    /** What the last writer left. */
    private enum End {
        CLOSED(RecoveryReport.Left.CLOSED),
        KILLED(RecoveryReport.Left.KILLED),
        KILLED_WITHOUT_HINT(RecoveryReport.Left.POWER_CUT),
        POWER_CUT(RecoveryReport.Left.POWER_CUT);

        private final RecoveryReport.Left left;

        End(RecoveryReport.Left left) {
            this.left = left;
        }
    }

    /**
     * How many files were opened, mapped and read from; what is mapped is one segment at most.
     *
     * @param next segments that were prepared
     */
    private record Looks(int opened, int mapped, int read, int next) {

        boolean atMost(Looks other, int headers) {
            int more = FILLER_LOOKS + NEXT_LOOKS * Math.max(0, next - other.next);
            return mapped <= other.mapped + more
                    && opened <= other.opened + more + headers
                    && read <= other.read + more + headers;
        }
    }

    @Override
    public Row row() {
        return Row.RECOVERY_WORK;
    }

    @Override
    public List<Subject> subjects() {
        return Subject.attached();
    }

    @Override
    public void run(Subject subject, Effort effort) throws Exception {
        for (End end : End.values()) {
            Looks few = looks(subject, end, SHORT_SEGMENTS);
            Looks many = looks(subject, end, LONG_SEGMENTS);
            int headers = subject.logger() == Subject.Logger.STORE
                    ? HEADER_LOOKS_OF_A_STORE * (LONG_SEGMENTS - SHORT_SEGMENTS)
                    : 0;
            assertThat(many.mapped())
                    .as("%s: segments mapped", end)
                    .isBetween(1, MOST_LOOKS * TAIL_SEGMENTS + NEXT_LOOKS * many.next());
            assertThat(many.atMost(few, headers))
                    .as("%s: %s with %d segments, %s with %d", end, few, SHORT_SEGMENTS, many, LONG_SEGMENTS)
                    .isTrue();
            effort.tried(2);
        }
    }

    private static Looks looks(Subject subject, End end, int segments) throws Exception {
        CrashableStorage storage = new CrashableStorage();
        Entries entries = new Entries();
        Life life = subject.open(storage);
        fill(life, entries, segments);
        life.checkpoint();
        life.commit(Durability.SYNCED);
        fill(life, entries, TAIL_SEGMENTS);
        life.commit(Durability.FLUSHED);
        long tail = life.flushedPosition();
        if (end == End.CLOSED) {
            life.close();
        }
        CrashableStorage left =
                end == End.POWER_CUT ? storage.crash(new Random(1), Loss.ALL_KEPT) : storage.afterKill();
        if (end == End.KILLED_WITHOUT_HINT) {
            left.delete("control");
        }
        endQuietly(life);
        int next = segmentsBehind(left, tail);
        FaultyStorage counted = new FaultyStorage(left);
        try (Life again = subject.open(counted)) {
            Looks looks = new Looks(counted.calls(Verb.OPEN), counted.calls(Verb.MAP), counted.calls(Verb.READ), next);
            assertThat(again.recovery().start()).isEqualTo(end.left);
            assertThat(again.verify(entries)).isEqualTo(entries.last());
            return looks;
        }
    }

    private static int segmentsBehind(Storage storage, long tail) throws IOException {
        return (int) LogFiles.headers(storage).stream()
                .filter(segment -> segment.basePosition() >= tail)
                .count();
    }

    /** Ends the threads of a writer whose machine is off. */
    private static void endQuietly(Life life) {
        try {
            life.close();
        } catch (PersistException | PowerCut off) {
            assertThat(off).isNotNull();
        }
    }

    private static void fill(Life life, Entries entries, int segments) {
        long goal = life.flushedPosition() + (long) segments * Subject.SEGMENT_LENGTH;
        while (life.flushedPosition() < goal) {
            life.append(entries, entries.add(1));
            life.commit(Durability.FLUSHED);
        }
    }
}

package io.persist.log.sync;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.error.PersistException;
import io.persist.format.control.ControlBlock;
import io.persist.jcstress.DirectMemory;
import io.persist.log.WriteMode;
import io.persist.log.segment.LogEnd;
import java.nio.ByteBuffer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The appender and the syncer move a log's positions, and anybody reads them. */
public final class LogPositionsPairs {

    /** As much of the control block as is used. */
    private static final int CONTROL_LENGTH = DirectMemory.MAX_LENGTH;

    private static final long DATA = 0x0102_0304_0506_0708L;

    /** Tens of thousands of failures would be said. The JDK forgets a logger that nobody refers to. */
    private static final Logger SILENCED = Logger.getLogger("io.persist");

    static {
        SILENCED.setLevel(Level.OFF);
    }

    private LogPositionsPairs() {}

    /** The positions of a new log of {@code mode}, all 0. */
    static LogPositions positions(WriteMode mode) {
        ControlBlock control = new ControlBlock(DirectMemory.zeros(CONTROL_LENGTH));
        return new LogPositions("none", control, 0, mode, new LogEnd(0, 0, 0), 0);
    }

    @JCStressTest
    @Description("LogPositions.published(sequence, start, end), published(): the last record's bytes and numbers.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Not published yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Published, with its bytes and numbers.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Published before its bytes or numbers.")
    @State
    public static class PublishedThenRecord {

        final LogPositions positions = positions(WriteMode.MAPPED);
        final ByteBuffer segment = DirectMemory.zeros(Long.BYTES);

        @Actor
        public void appender() {
            segment.putLong(0, DATA);
            positions.published(7, 64, 96);
        }

        @Actor
        public void reader(II_Result r) {
            if (positions.published() == 96) {
                r.r1 = 1;
                boolean whole = segment.getLong(0) == DATA;
                r.r2 = whole && positions.lastSequence() == 7 && positions.lastPosition() == 64 ? 1 : 0;
            }
        }
    }

    @JCStressTest
    @Description("LogPositions.flushed(long), flushed(): the bytes that were written to the file before.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Not flushed yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Flushed, and the bytes are there.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Flushed before the bytes.")
    @State
    public static class FlushedThenBytes {

        final LogPositions positions = positions(WriteMode.FILE);
        final ByteBuffer file = DirectMemory.zeros(Long.BYTES);

        @Actor
        public void appender() {
            file.putLong(0, DATA);
            positions.flushed(96);
        }

        @Actor
        public void reader(II_Result r) {
            if (positions.flushed() == 96) {
                r.r1 = 1;
                r.r2 = file.getLong(0) == DATA ? 1 : 0;
            }
        }
    }

    @JCStressTest
    @Description("LogPositions.synced(long, long), synced(): synced <= flushed <= published, read in that order.")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "More is synced than flushed, or flushed than published.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "The invariant holds.")
    @State
    public static class SyncedThenFlushed {

        final LogPositions positions = positions(WriteMode.FILE);

        @Actor
        public void appender() {
            positions.published(1, 64, 96);
            positions.flushed(96);
            positions.synced(96, 0);
        }

        @Actor
        public void reader(I_Result r) {
            long synced = positions.synced();
            long flushed = positions.flushed();
            long published = positions.published();
            r.r1 = synced <= flushed && flushed <= published ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("LogPositions.committed(long), committed(): committed <= published, read in that order.")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "More is committed than published.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "The invariant holds.")
    @State
    public static class CommittedThenPublished {

        final LogPositions positions = positions(WriteMode.MAPPED);

        @Actor
        public void appender() {
            positions.published(1, 64, 96);
            positions.committed(96);
        }

        @Actor
        public void reader(I_Result r) {
            long committed = positions.committed();
            r.r1 = committed <= positions.published() ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("LogPositions.fail, hasFailed and check: the first failure, with its cause, for everybody.")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "Failed, but no failure is thrown, or not a whole one.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "Not failed yet.")
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "Failed, with the cause.")
    @State
    public static class FailedThenCause {

        static final Throwable CAUSE = new IllegalStateException("cause");

        final LogPositions positions = positions(WriteMode.MAPPED);

        @Actor
        public void writer() {
            positions.fail("sync", CAUSE);
        }

        @Actor
        public void reader(I_Result r) {
            if (!positions.hasFailed()) {
                r.r1 = 1;
                return;
            }
            try {
                positions.check();
            } catch (PersistException e) {
                boolean whole = e.getMessage() != null && e.getMessage().startsWith("sync failed");
                r.r1 = whole && CAUSE.equals(e.getCause()) ? 2 : 0;
            }
        }
    }

    @JCStressTest
    @Description("LogPositions.fail of two threads: one failure wins, and both throw that one.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "Both have the failure that stays.")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "The failure was replaced.")
    @State
    public static class FirstFailureStays {

        static final Throwable CAUSE = new IllegalStateException("cause");

        final LogPositions positions = positions(WriteMode.MAPPED);

        @Nullable
        PersistException ofAppender;

        @Nullable
        PersistException ofSyncer;

        @Actor
        public void appender() {
            ofAppender = positions.fail("store", CAUSE);
        }

        @Actor
        public void syncer() {
            ofSyncer = positions.fail("sync", CAUSE);
        }

        @Arbiter
        public void arbiter(I_Result r) {
            try {
                positions.check();
            } catch (PersistException e) {
                r.r1 = e.equals(ofAppender) && e.equals(ofSyncer) ? 1 : 0;
            }
        }
    }
}

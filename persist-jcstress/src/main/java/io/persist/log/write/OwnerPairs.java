package io.persist.log.write;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.format.control.ControlBlock;
import io.persist.jcstress.DirectMemory;
import io.persist.log.WriteMode;
import io.persist.log.segment.LogEnd;
import io.persist.log.sync.LogPositions;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Which thread an attached log belongs to, and what a thread that closes it meanwhile sees. */
public final class OwnerPairs {

    private static final LogPositions POSITIONS = new LogPositions(
            "none",
            new ControlBlock(DirectMemory.zeros(DirectMemory.MAX_LENGTH)),
            0,
            WriteMode.MAPPED,
            new LogEnd(0, 0, 0),
            0);

    private OwnerPairs() {}

    /** Of an appender, without the rest of it. */
    private static final class Owner extends AppenderOwner {

        Owner() {
            super(POSITIONS);
        }
    }

    /** As the gate does. A thread that has ended does not count: at its end jcstress leaves some actors behind. */
    private static boolean admits(AppenderOwner owner) {
        try {
            return owner.isCurrent() || !owner.admit();
        } catch (IllegalStateException refused) {
            return false;
        }
    }

    @JCStressTest
    @Description("AppenderOwner.admit: two threads come first at the same time.")
    @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "The one is let in.")
    @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "The other is.")
    @Outcome(expect = FORBIDDEN, desc = "Both are at the same time, or none.")
    @State
    public static class FirstOfTwo {

        final AppenderOwner owner = new Owner();

        /** Stored without any order by who was let in. */
        int stored;

        @Actor
        public void one(III_Result r) {
            if (admits(owner)) {
                stored++;
                r.r1 = admits(owner) ? 1 : -1;
            }
        }

        @Actor
        public void other(III_Result r) {
            if (admits(owner)) {
                stored++;
                r.r2 = admits(owner) ? 1 : -1;
            }
        }

        @Arbiter
        public void arbiter(III_Result r) {
            r.r3 = stored;
        }
    }

    @JCStressTest
    @Description("AppenderOwner.handOver, admit: what the owner has done is there for the next one.")
    @Outcome(id = "1, -1", expect = ACCEPTABLE, desc = "The next one comes too early.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "It is handed over, with all that was done.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The next one was the first.")
    @Outcome(expect = FORBIDDEN, desc = "It is handed over before what was done.")
    @State
    public static class HandedOverThenDone {

        final AppenderOwner owner = new Owner();
        int done;

        @Actor
        public void owner(II_Result r) {
            if (admits(owner)) {
                done = 1;
                owner.handOver();
                r.r1 = 1;
            }
        }

        @Actor
        public void next(II_Result r) {
            r.r2 = admits(owner) ? done : -1;
        }
    }

    /** Whether the thing is closed, as {@code Tailer} and {@code LogLife} have it. */
    private static final class Thing {

        volatile boolean closed;
    }

    @JCStressTest
    @Description("Mirror of CallingThread.enter (the user, then closed) and of close (closed, then the user).")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The user finds it closed.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Who closes sees the user, and waits for it.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Both.")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "It is unmapped under the user.")
    @State
    public static class EnteredAgainstClosed {

        final Thing thing = new Thing();
        volatile @Nullable Thread user;

        @Actor
        public void user(II_Result r) {
            user = Thread.currentThread();
            r.r1 = thing.closed ? 1 : 0;
        }

        @Actor
        public void closer(II_Result r) {
            thing.closed = true;
            r.r2 = user != null ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("Control: the user stored without volatile, so that the load of closed may come first.")
    @Outcome(
            id = {"1, 0", "0, 1", "1, 1"},
            expect = ACCEPTABLE,
            desc = "One sees the other.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE_INTERESTING, desc = "It is unmapped under the user.")
    @State
    public static class EnteredWithoutVolatile {

        final Thing thing = new Thing();

        @Nullable
        Thread user;

        @Actor
        public void user(II_Result r) {
            user = Thread.currentThread();
            r.r1 = thing.closed ? 1 : 0;
        }

        @Actor
        public void closer(II_Result r) {
            thing.closed = true;
            r.r2 = user != null ? 1 : 0;
        }
    }

    /** The claim of a log that threads share under a lock. */
    private static final class SharedClaim {

        final AppenderClaim claim;
        final AppenderGate gate;

        /** The thread that has the lock. */
        private volatile @Nullable Thread holder;

        @SuppressWarnings("NullAway") // an abort needs no appender
        SharedClaim() {
            claim = new AppenderClaim(null);
            gate = new AppenderGate(claim, new Owner());
            gate.guardedBy(() -> holder == Thread.currentThread());
        }
    }

    @JCStressTest
    @Description("AppenderGate.abortClaim without the lock, while the thread that has it has claims.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "It finds no open claim, and leaves it alone.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "It finds one, and is refused.")
    @Outcome(expect = FORBIDDEN, desc = "The claim ends under the thread that has it.")
    @State
    public static class LateAbortAgainstClaim {

        /** The moment between the look and the end is short. */
        private static final int TIMES = 8;

        final SharedClaim shared = new SharedClaim();

        @Actor
        public void late(II_Result r) {
            for (int i = 0; i < TIMES; i++) {
                try {
                    shared.gate.abortClaim();
                } catch (IllegalStateException refused) {
                    r.r1 = 1;
                }
            }
        }

        @Actor
        public void holder(II_Result r) {
            shared.holder = Thread.currentThread();
            r.r2 = 1;
            for (int i = 0; i < TIMES; i++) {
                AppenderClaim claim = shared.claim.of(Long.BYTES);
                if (claim.payload().remaining() != Long.BYTES || !claim.isOpen()) {
                    r.r2 = 0;
                }
                claim.end();
            }
        }
    }
}

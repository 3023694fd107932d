package io.persist.log.sync;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.log.Durability;
import io.persist.log.WriteMode;
import io.persist.log.sync.Signal.Promised;
import io.persist.log.thread.OnInterrupt;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A thread is listed as waiting and then looks at a position; another one moves the position and then looks whether
 * there is one in the list. The two fences are those of WaiterList.add and Waiters.signal. The real classes are tested:
 * futures, which are quick, and a thread that parks, which hangs if its wake-up is lost, so that the test times out.
 */
public final class WaitersPairs {

    private WaitersPairs() {}

    @JCStressTest
    @Description(
            "WaiterList.add, Waiters.signal: one who is listed and then looks at the position, as await and follow do.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Parks, and is woken.")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The position is there: does not park.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The position is there, and the wake-up comes for nothing.")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "Parks, and nobody wakes it.")
    @State
    public static class ListedAgainstSignal {

        final LogPositions positions = LogPositionsPairs.positions(WriteMode.FILE);
        final Waiters waiters = positions.waiters();

        @Actor
        public void waiter(II_Result r) {
            waiters.enlistToLead(96);
            r.r1 = positions.synced() == 96 ? 1 : 0;
        }

        @Actor
        public void syncer() {
            positions.synced(96, 0);
            waiters.signal();
        }

        @Arbiter
        public void arbiter(II_Result r) {
            r.r2 = waiters.count() == 0 ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("WaiterList.add, remove, visit: three threads change and see the links of one list.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The one that was not taken out is there, once.")
    @Outcome(expect = FORBIDDEN, desc = "A link is lost, or not counted.")
    @State
    public static class LinkedByThree {

        final WaiterList list = new WaiterList();

        @Actor
        public void stays() {
            list.add(new Promised());
        }

        @Actor
        public void leaves() {
            Promised waiter = new Promised();
            list.add(waiter);
            list.remove(waiter);
        }

        @Actor
        public void taken() {
            Promised waiter = new Promised();
            list.add(waiter);
            list.visit(each -> each != waiter || !list.takeOut(each));
        }

        @Arbiter
        public void arbiter(II_Result r) {
            list.visit(each -> ++r.r1 > 0);
            r.r2 = list.count();
        }
    }

    @JCStressTest
    @Description("Waiters.reached (WaiterList.add), signal: a future and the position that it waits for.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "Completed.")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "The wake-up was lost: the position is there, the future waits.")
    @State
    public static class FutureAgainstSignal {

        final LogPositions positions = LogPositionsPairs.positions(WriteMode.FILE);

        @Nullable
        CompletableFuture<Long> future;

        @Actor
        public void waiter() {
            future = positions.waiters().reached(96, Durability.SYNCED);
        }

        @Actor
        public void syncer() {
            positions.synced(96, 0);
            positions.waiters().signal();
        }

        @Arbiter
        public void arbiter(I_Result r) {
            CompletableFuture<Long> waited = future;
            r.r1 = waited != null && waited.isDone() && waited.join() == 96 ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("Waiters.await (WaiterList.add), signal: a parked thread and its position. A lost wake-up hangs it.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "Returned because the position is there.")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "Returned without the position.")
    @State
    public static class ThreadAgainstSignal {

        final LogPositions positions = LogPositionsPairs.positions(WriteMode.FILE);

        @Actor
        public void waiter(I_Result r) {
            boolean reached =
                    positions.waiters().await(96, Durability.SYNCED, Long.MAX_VALUE, OnInterrupt.GO_ON, unused -> {});
            r.r1 = reached && positions.synced() == 96 ? 1 : 0;
        }

        @Actor
        public void syncer() {
            positions.synced(96, 0);
            positions.waiters().signal();
        }
    }

    @JCStressTest
    @Description("Waiters.reached (WaiterList.add), LogPositions.close: a future and the end of the log.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "Completed with an exception.")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "The log is closed, and the future waits for ever.")
    @State
    public static class FutureAgainstClose {

        final LogPositions positions = LogPositionsPairs.positions(WriteMode.FILE);

        @Nullable
        CompletableFuture<Long> future;

        @Actor
        public void waiter() {
            future = positions.waiters().reached(96, Durability.SYNCED);
        }

        @Actor
        public void closer() {
            positions.close();
        }

        @Arbiter
        public void arbiter(I_Result r) {
            CompletableFuture<Long> waited = future;
            r.r1 = waited != null && waited.isCompletedExceptionally() ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("Waiters.reached (WaiterList.add), LogPositions.fail: a future and the failure of the log.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "Completed with the failure.")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "The log has failed, and the future waits for ever.")
    @State
    public static class FutureAgainstFailure {

        static final Throwable CAUSE = new IllegalStateException("cause");

        final LogPositions positions = LogPositionsPairs.positions(WriteMode.FILE);

        @Nullable
        CompletableFuture<Long> future;

        @Actor
        public void waiter() {
            future = positions.waiters().reached(96, Durability.SYNCED);
        }

        @Actor
        public void syncer() {
            positions.fail("sync", CAUSE);
        }

        @Arbiter
        public void arbiter(I_Result r) {
            CompletableFuture<Long> waited = future;
            r.r1 = waited != null && waited.isCompletedExceptionally() ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("Waiters.listen, signal: a listener that looks at the position after it was registered.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Told.")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The position was there before.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Seen, and told as well.")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "Neither seen after registering nor told.")
    @State
    public static class ListenThenLook {

        final LogPositions positions = LogPositionsPairs.positions(WriteMode.FILE);
        volatile boolean told;

        @Actor
        public void listener(II_Result r) {
            positions.waiters().listen(Durability.SYNCED, position -> told = true);
            r.r1 = positions.synced() == 96 ? 1 : 0;
        }

        @Actor
        public void syncer() {
            positions.synced(96, 0);
            positions.waiters().signal();
        }

        @Arbiter
        public void arbiter(II_Result r) {
            r.r2 = told ? 1 : 0;
        }
    }
}

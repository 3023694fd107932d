package io.persist.detached;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.log.WaitStrategy;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The writer thread says that it parks and then looks for work; a producer stores work and then looks whether the
 * writer thread parks. The two fences are those of WriterIdle.park and WriterIdle.wake.
 */
public final class WriterIdlePairs {

    /** Parks at once, without the hundreds of rounds before. */
    private static final MethodHandle PARK;

    private static final VarHandle WORK;
    private static final VarHandle PARKED;

    static {
        try {
            PARK = MethodHandles.privateLookupIn(WriterIdle.class, MethodHandles.lookup())
                    .findVirtual(WriterIdle.class, "park", MethodType.methodType(void.class));
            WORK = MethodHandles.lookup().findVarHandle(Flags.class, "work", int.class);
            PARKED = MethodHandles.lookup().findVarHandle(Flags.class, "parked", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private WriterIdlePairs() {}

    private static void park(WriterIdle idle) {
        try {
            PARK.invokeExact(idle);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @JCStressTest
    @Description("WriterIdle.park, wake: a parked writer thread and its work. It hangs if the wake-up is lost.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "The writer thread has its work.")
    @State
    public static class ThreadAgainstWake {

        private final Flags flags = new Flags();
        private final WriterIdle idle =
                new WriterIdle(WaitStrategy.BLOCKING, this::hasWork, () -> false, WriterIdle::sleep);

        private boolean hasWork() {
            return (int) WORK.getAcquire(flags) != 0;
        }

        @Actor
        public void writer(I_Result r) {
            idle.begin();
            while (!hasWork()) {
                park(idle);
            }
            r.r1 = 1;
        }

        @Actor
        public void producer() {
            WORK.setRelease(flags, 1); // as QueueEntry.publish
            idle.wake();
        }
    }

    /** The two flags of the mirrors. */
    @State
    public static class Flags {

        int work;
        int parked;
    }

    @JCStressTest
    @Description("Mirror of WriterIdle.park and wake: the flag and the work, with a fence in between on both sides.")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The work is seen: does not park.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Parks, and is woken.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The work is seen, and the wake-up comes for nothing.")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "Parks, and nobody wakes it.")
    public static class FlagAgainstWork {

        @Actor
        public void writer(Flags s, II_Result r) {
            PARKED.setVolatile(s, 1);
            VarHandle.fullFence();
            r.r1 = (int) WORK.getAcquire(s);
        }

        @Actor
        public void producer(Flags s, II_Result r) {
            WORK.setRelease(s, 1);
            VarHandle.fullFence();
            r.r2 = (int) PARKED.getOpaque(s) != 0 && PARKED.compareAndSet(s, 1, 0) ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("Negative control of FlagAgainstWork: the same without the two fences.")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The work is seen: does not park.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Parks, and is woken.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The work is seen, and the wake-up comes for nothing.")
    @Outcome(
            id = "0, 0",
            expect = ACCEPTABLE_INTERESTING,
            desc = "Parks, and nobody wakes it: so the fences are needed.")
    public static class FlagWithoutFence {

        @Actor
        public void writer(Flags s, II_Result r) {
            PARKED.setRelease(s, 1); // a volatile store would be a fence on some processors
            r.r1 = (int) WORK.getAcquire(s);
        }

        @Actor
        public void producer(Flags s, II_Result r) {
            WORK.setRelease(s, 1);
            r.r2 = (int) PARKED.getOpaque(s) != 0 && PARKED.compareAndSet(s, 1, 0) ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("Requests.syncTo and flushTo of two producers: the highest wins.")
    @Outcome(id = "96, 96", expect = ACCEPTABLE, desc = "The higher one stays.")
    @Outcome(expect = FORBIDDEN, desc = "A request was lost.")
    @State
    public static class HighestRequestStays {

        private final Requests requests = new Requests();

        @Actor
        public void one() {
            requests.syncTo(96);
            requests.flushTo(64);
        }

        @Actor
        public void other() {
            requests.syncTo(64);
            requests.flushTo(96);
        }

        @Arbiter
        public void arbiter(II_Result r) {
            r.r1 = (int) requests.syncPosition();
            r.r2 = (int) requests.flushPosition();
        }
    }

    @JCStressTest
    @Description("Requests.syncTo, syncs: a request that is counted is there.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "None yet.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "There, and not counted yet.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Counted, and there.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Counted, and not there: the writer thread waits for others.")
    @State
    public static class CountedThenRequested {

        private final Requests requests = new Requests();

        @Actor
        public void producer() {
            requests.syncTo(96);
        }

        @Actor
        public void writer(II_Result r) {
            r.r1 = (int) requests.syncCount();
            r.r2 = requests.syncPosition() == 96 ? 1 : 0;
        }
    }
}

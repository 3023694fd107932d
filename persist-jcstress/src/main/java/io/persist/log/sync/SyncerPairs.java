package io.persist.log.sync;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.persist.format.control.CounterBlock;
import io.persist.jcstress.DirectMemory;
import io.persist.log.WriteMode;
import io.persist.log.segment.Segment;
import io.persist.log.segment.SegmentPairs;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Threads that share syncs take turns, and leave some to the background thread. */
public final class SyncerPairs {

    private SyncerPairs() {}

    private static Syncer syncer(LogPositions positions) {
        return new Syncer(positions, new CounterBlock(DirectMemory.zeros(DirectMemory.MAX_LENGTH)), new NoFiles());
    }

    /** Nobody takes anything away. */
    private static final class NoFiles implements Syncer.FilesCheck {

        @Override
        public void check() {
            // There is nothing to look at.
        }

        @Override
        public void checkThoroughly() {
            // As above.
        }

        @Override
        public void roll(Segment next) {
            // As above.
        }
    }

    @JCStressTest
    @Description("Syncer.follow, handOver: two threads sync, one of them parks. It hangs if its turn is lost.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Both return, and what they asked for is synced.")
    @Outcome(expect = FORBIDDEN, desc = "One returns, and what it asked for is not synced.")
    @State
    public static class TurnIsHandedOver {

        final LogPositions positions = LogPositionsPairs.positions(WriteMode.FILE);
        final Syncer syncer = syncer(positions);

        public TurnIsHandedOver() {
            syncer.add(SegmentPairs.unmapped());
            positions.published(192);
            positions.flushed(96);
        }

        @Actor
        public void other(II_Result r) {
            syncer.syncTo(96);
            r.r1 = positions.synced() >= 96 ? 1 : 0;
        }

        @Actor
        public void appender(II_Result r) {
            positions.flushed(192);
            syncer.syncTo(192);
            r.r2 = positions.synced() >= 192 ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("Mirror of Syncer.follow (enlist, tryLock) and handOver (unlock, wakeNextLeader): the turn to lead.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Does not get the lock, and is woken.")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "Gets the lock, and is not seen.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Gets the lock, and is woken as well.")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "Parks while nobody leads: its turn was lost.")
    @State
    public static class TurnAgainstLook {

        final ReentrantLock lock = new ReentrantLock();
        final AtomicInteger count = new AtomicInteger();

        @Actor
        public void follower(II_Result r) {
            count.incrementAndGet(); // WaiterList.add
            VarHandle.fullFence();
            if (lock.tryLock()) {
                r.r1 = 1;
                lock.unlock();
            }
        }

        @Actor
        public void leader(II_Result r) {
            lock.lock();
            lock.unlock();
            VarHandle.fullFence(); // Waiters.signal
            r.r2 = count.get() != 0 ? 1 : 0; // Waiters.wakeNextLeader
        }
    }

    /** Calls what the background thread calls, without the thread. */
    private static final MethodHandle SYNC;

    private static final MethodHandle DUE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(BackgroundSyncer.class, MethodHandles.lookup());
            SYNC = lookup.findVirtual(
                    BackgroundSyncer.class, "sync", MethodType.methodType(boolean.class, boolean.class));
            DUE = lookup.findGetter(BackgroundSyncer.class, "dueNs", AtomicLong.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static AtomicLong due(BackgroundSyncer background) {
        try {
            return (AtomicLong) DUE.invokeExact(background);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static void sync(BackgroundSyncer background) {
        try {
            boolean unused = (boolean) SYNC.invokeExact(background, false);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @JCStressTest
    @Description("BackgroundSyncer.syncWithin, sync: a request while an earlier one is being served.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "Another sync is due for what is not synced.")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "The request was lost: not synced, and nothing is due.")
    @State
    public static class RequestAgainstSync {

        final LogPositions positions = LogPositionsPairs.positions(WriteMode.FILE);
        final BackgroundSyncer background = new BackgroundSyncer(positions, syncer(positions), 0, "none");

        public RequestAgainstSync() {
            due(background).set(Long.MIN_VALUE); // an earlier request, whose time is over
        }

        @Actor
        public void committer() {
            background.syncWithin(96, 0);
        }

        @Actor
        public void backgroundThread() {
            sync(background);
        }

        @Arbiter
        public void arbiter(I_Result r) {
            // Nothing is flushed, so the position cannot be synced yet: somebody has to look again.
            r.r1 = due(background).get() != Long.MAX_VALUE ? 1 : 0;
        }
    }

    @JCStressTest
    @Description("Mirror of BackgroundSyncer.syncWithin and sync, without the clock in between: wanted and due.")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "Makes a new request.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Relies on the earlier request, which covers it.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Both.")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "Relies on the earlier request, which does not cover it.")
    @State
    public static class WantedAgainstDue {

        /** Whether the earlier request has been taken. */
        volatile int taken;

        volatile int wanted;

        @Actor
        public void committer(II_Result r) {
            wanted = 1;
            r.r1 = taken;
        }

        @Actor
        public void backgroundThread(II_Result r) {
            taken = 1;
            r.r2 = wanted;
        }
    }

    @JCStressTest
    @Description("Negative control of WantedAgainstDue: the fields are not volatile.")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "Makes a new request.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Relies on the earlier request, which covers it.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Both.")
    @Outcome(id = "0, 0", expect = ACCEPTABLE_INTERESTING, desc = "The request is lost: so volatile is needed.")
    @State
    public static class RequestWithoutVolatile {

        /** Whether the earlier request has been taken. */
        int taken;

        int wanted;

        @Actor
        public void committer(II_Result r) {
            wanted = 1;
            r.r1 = taken;
        }

        @Actor
        public void backgroundThread(II_Result r) {
            taken = 1;
            r.r2 = wanted;
        }
    }
}

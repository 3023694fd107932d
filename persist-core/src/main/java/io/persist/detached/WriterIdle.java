package io.persist.detached;

import io.persist.log.WaitStrategy;
import io.persist.memory.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** How the writer thread passes the time until there is work, and how producers wake it. */
final class WriterIdle {

    /** How the thread sleeps, until it is unparked or {@code ns} are over. */
    interface Sleep {
        void sleep(Object blocker, long ns);
    }

    private static final int SPINS = 100;
    private static final int YIELDS = 100;
    private static final long SLEEP_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /** Not to be woken for this long is no error: no thread appends. */
    static final long LONGEST_SLEEP_NS = TimeUnit.MINUTES.toNanos(1);

    /** A record is on its way for a moment only. If it never comes, nobody may be able to wake the thread. */
    static final long CLAIMED_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final VarHandle PARKED =
            FieldHandle.of(MethodHandles.lookup(), WriterIdle.class, "parked", boolean.class);

    private final WaitStrategy strategy;
    private final BooleanSupplier hasWork;
    private final BooleanSupplier hasClaims;
    private final Sleep sleep;
    private volatile @Nullable Thread writer;

    /** Whether the writer thread sleeps, or is about to, until it is woken. */
    @SuppressWarnings("UnusedVariable") // read and written by its handle
    private boolean parked;

    /** How often in a row there was nothing to do. The writer thread's. */
    private int rounds;

    /** @param hasClaims whether there will be work soon, unless a producer fails */
    WriterIdle(WaitStrategy strategy, BooleanSupplier hasWork, BooleanSupplier hasClaims, Sleep sleep) {
        this.strategy = strategy;
        this.hasWork = hasWork;
        this.hasClaims = hasClaims;
        this.sleep = sleep;
    }

    /** To be called by the writer thread before all else. */
    void begin() {
        writer = Thread.currentThread();
    }

    /** There was something to do. */
    void reset() {
        rounds = 0;
    }

    /** There is nothing to do now. */
    void idle() {
        int round = rounds++;
        if (round < SPINS || strategy == WaitStrategy.BUSY_SPIN) {
            Thread.onSpinWait();
        } else if (round < SPINS + YIELDS || strategy == WaitStrategy.YIELDING) {
            Thread.yield();
        } else if (strategy == WaitStrategy.SLEEPING) {
            sleep(this, SLEEP_NS);
        } else {
            park();
        }
        if (rounds < 0) {
            rounds = SPINS + YIELDS;
        }
    }

    /** For a while, whatever comes. An interrupt is no reason to stop, and would turn each sleep into a spin. */
    static void sleep(Object blocker, long ns) {
        LockSupport.parkNanos(blocker, ns);
        Thread.interrupted();
    }

    private void park() {
        PARKED.setVolatile(this, true);
        // The flag was stored before the last look for work. The partner is the fence in wake.
        VarHandle.fullFence();
        if (!hasWork.getAsBoolean()) {
            sleep.sleep(this, hasClaims.getAsBoolean() ? CLAIMED_SLEEP_NS : LONGEST_SLEEP_NS);
        }
        PARKED.setVolatile(this, false);
    }

    /** There is something to do. Any thread. */
    void wake() {
        if (strategy != WaitStrategy.BLOCKING) {
            return;
        }
        // The work was stored before the look at the flag. The partner is the fence in park.
        VarHandle.fullFence();
        if ((boolean) PARKED.getOpaque(this) && PARKED.compareAndSet(this, true, false)) {
            try {
                LockSupport.unpark(writer);
            } catch (StackOverflowError e) {
                parked = true; // another thread has to wake it
                throw e;
            }
        }
    }
}

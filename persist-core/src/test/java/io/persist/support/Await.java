package io.persist.support;

import io.persist.log.engine.Log;
import io.persist.log.thread.Turn;
import java.lang.ref.Reference;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread will do. The deadline only ends a test that hangs. */
public final class Await {

    private static final long DEADLINE_S = 120;

    /** Between two looks: the one that is waited for may need this CPU. */
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /** How the names of the threads begin that fill space ahead. */
    private static final String FILLER = "fill ";

    private Await() {}

    /** Until the filler of {@code log} has made {@code count} segments that hold no record yet. */
    public static void segmentsAhead(Log log, int count) {
        filled(
                count + " segments are ahead",
                () -> log.statistics().segmentsFilled() - log.statistics().rolls() == count);
    }

    /** Whether {@code thread} waits for a lock that another thread has. */
    public static boolean waitsForTurn(Thread thread) {
        return LockSupport.getBlocker(thread) instanceof Turn;
    }

    /**
     * Until a filler has done what it has to do anyway. It is woken for each look: by itself it looks for work every
     * 10 ms to a second, and a test that rolls often would do little but sleep.
     */
    public static void filled(String what, BooleanSupplier condition) {
        until(what, () -> {
            boolean isDone = condition.getAsBoolean();
            if (!isDone) {
                wakeFillers();
            }
            return isDone;
        });
    }

    private static void wakeFillers() {
        Thread[] all = new Thread[2 * Thread.activeCount() + 1];
        int count = Thread.enumerate(all);
        for (int i = 0; i < count; i++) {
            if (all[i].getName().startsWith(FILLER)) {
                LockSupport.unpark(all[i]);
            }
        }
    }

    /** Until {@code latch} is open, where no interrupt is expected, and none may be thrown. */
    public static void latch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Nothing refers to it any more. */
    public static void collected(String what, Reference<?> reference) {
        until(what, () -> {
            System.gc();
            return reference.refersTo(null);
        });
    }

    public static void until(String what, BooleanSupplier condition) {
        long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(DEADLINE_S)) {
                throw new AssertionError("waited " + DEADLINE_S + " s in vain until " + what);
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }
}

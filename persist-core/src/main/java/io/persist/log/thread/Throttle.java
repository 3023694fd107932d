package io.persist.log.thread;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Keeps work to a number of bytes per second, on average: a token bucket. Each byte is paid for by waiting, and time
 * without work is credited, up to {@value #BURST_MS} ms.
 *
 * <p><b>Threads:</b> one spends at a time; any changes the rate. <b>Allocation:</b> none. An interrupt does not end a
 * wait, and is not lost.
 */
public final class Throttle implements Pace {

    private static final int BURST_MS = 20;
    private static final long BURST_NS = TimeUnit.MILLISECONDS.toNanos(BURST_MS);

    /** How late it may be noticed that nobody has to wait any more, unless the thread is unparked. */
    private static final long LONGEST_PARK_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Any thread changes it. */
    private volatile long bytesPerSecond;

    private final BooleanSupplier isFree;
    private final LongSupplier nanoTime;
    private final LongConsumer parker;

    /** The rate that the debt was reckoned with, and what a byte costs by it. */
    private long reckonedRate;

    private double nsPerByte;

    private long lastNs;

    /** What was spent and is not paid for yet; negative: what may be spent at once. */
    private long debtNs;

    /**
     * At most {@code bytesPerSecond}, 1 or more; {@link Long#MAX_VALUE} for no bound.
     *
     * @param isFree says that for now, or from now on, nothing has to be paid for; asked before each wait
     */
    public Throttle(long bytesPerSecond, BooleanSupplier isFree) {
        this(bytesPerSecond, isFree, System::nanoTime, LockSupport::parkNanos);
    }

    /** With another clock, and another way to let it go on by at most some ns. */
    Throttle(long bytesPerSecond, BooleanSupplier isFree, LongSupplier nanoTime, LongConsumer parker) {
        this.bytesPerSecond = checked(bytesPerSecond);
        this.reckonedRate = bytesPerSecond;
        this.nsPerByte = nsPerByte(bytesPerSecond);
        this.isFree = isFree;
        this.nanoTime = nanoTime;
        this.parker = parker;
        this.lastNs = nanoTime.getAsLong();
        this.debtNs = -BURST_NS;
    }

    private static long checked(long bytesPerSecond) {
        if (bytesPerSecond < 1) {
            throw new IllegalArgumentException("bytesPerSecond=" + bytesPerSecond + " must be at least 1");
        }
        return bytesPerSecond;
    }

    private static double nsPerByte(long bytesPerSecond) {
        return (double) TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
    }

    /** Changes the rate, also for what is being waited for. Any thread may call it. */
    public void bytesPerSecond(long rate) {
        bytesPerSecond = checked(rate);
    }

    /** Returns when {@code bytes}, which were spent just now, are paid for, or when nothing has to be. */
    @Override
    public void spend(long bytes) {
        if (isFree.getAsBoolean()) {
            return;
        }
        pay();
        debtNs += (long) (bytes * nsPerByte);
        boolean interrupted = false;
        while (debtNs > 0 && !isFree.getAsBoolean()) {
            interrupted |= Thread.interrupted(); // nobody can park with the flag up
            parker.accept(Math.min(debtNs, LONGEST_PARK_NS));
            pay();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void pay() {
        long now = nanoTime.getAsLong();
        debtNs = Math.max(debtNs - (now - lastNs), -BURST_NS);
        lastNs = now;
        if (bytesPerSecond != reckonedRate) {
            reckonedRate = bytesPerSecond;
            double before = nsPerByte;
            nsPerByte = nsPerByte(reckonedRate);
            debtNs = debtNs > 0 ? (long) (debtNs * (nsPerByte / before)) : debtNs;
        }
    }
}

package io.persist.log.space;

import io.persist.event.FillerStallEvent;
import io.persist.format.control.CounterBlock;
import io.persist.log.sync.LogPositions;
import io.persist.monitor.Counter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Slows the appender down to the filler's speed. No {@code Throttle}: the rate is the filler's and changes, and pauses
 * that are too short to be worth a wake-up are left for later.
 *
 * <p>The thread that appends takes the pause at once, unless it has a lock that others want: then the pause is left to
 * all threads that are about to append, which take it without the lock.
 *
 * <p><b>Threads:</b> the one that appends, but for {@link #await}.
 */
public final class Pacing {

    /** A shorter time is not waited for but made up for later: a thread that sleeps so short sleeps too long. */
    private static final long SHORTEST_NS = TimeUnit.MICROSECONDS.toNanos(250);

    /**
     * The filler was slow lately, and may be fast by now: a longer pause than this is cut. If it is as slow as that the
     * space runs out, and the wait for more ends as soon as there is some.
     */
    private static final long LONGEST_NS = TimeUnit.MILLISECONDS.toNanos(2);

    /** What was not used is forgotten: after a pause nobody may run ahead of the pace for long. */
    private static final long LONGEST_CREDIT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final double MIB = 1 << 20;

    private final LogPositions positions;
    private final CounterBlock counters;

    /** Pauses that are not counted yet: the counters are unmapped when the log is closed, maybe beside a pause. */
    private final AtomicLong uncounted = new AtomicLong();

    /** How long they took; changed before their number, and taken after it. */
    private final AtomicLong uncountedNs = new AtomicLong();

    private boolean isLeft;
    private long position;

    /** When the filler would have filled all before the position, by {@link System#nanoTime}. */
    private long dueNs;

    /** Until then nobody should append; 0 if no pause is left. The appender stores it; a late look does no harm. */
    private volatile long leftUntilNs;

    /** Of the log with these positions. */
    Pacing(LogPositions positions, CounterBlock counters) {
        this.positions = positions;
        this.counters = counters;
        this.position = positions.published();
    }

    /** From now on a pause is left to threads that ask {@link #isOver} before they append, and {@link #await} it. */
    void leave() {
        isLeft = true;
    }

    /** The appender goes on to {@code end} as fast as it can. */
    void skip(long end) {
        dueNs = 0;
        position = Math.max(position, end);
    }

    /** It goes on to {@code end} no earlier than the filler would have filled what was used since the last time. */
    void pace(long end, long nsPerMiB) {
        long now = System.nanoTime();
        if (!advance(end, nsPerMiB, now)) {
            return;
        }
        if (isLeft) {
            leftUntilNs = dueNs;
        } else {
            FillerStallEvent event = FillerStallEvent.begin();
            LockSupport.parkNanos(dueNs - now);
            count(1, System.nanoTime() - now);
            end(event);
        }
    }

    /**
     * As {@link #pace}, without the pause; returns whether one would be due now. When it would be over this returns
     * false, and {@link #pace} does not take it again.
     */
    boolean advance(long end, long nsPerMiB) {
        return advance(end, nsPerMiB, System.nanoTime());
    }

    private boolean advance(long end, long nsPerMiB, long now) {
        dueNs = Math.max(dueNs, now - LONGEST_CREDIT_NS);
        dueNs += (long) (Math.max(0, end - position) / MIB * nsPerMiB);
        position = Math.max(position, end);
        if (dueNs - now < SHORTEST_NS) {
            return false;
        }
        dueNs = Math.min(dueNs, now + LONGEST_NS);
        return true;
    }

    private void end(@Nullable FillerStallEvent event) {
        FillerStallEvent.end(event, positions.directory(), positions.published(), FillerStallEvent.Cause.PACE);
    }

    private void count(long pauses, long ns) {
        counters.add(Counter.PACES, pauses);
        counters.add(Counter.PACE_NS, ns);
    }

    /** Whether no pause is left to be taken. Counts those that were. */
    boolean isOver() {
        long untilNs = leftUntilNs;
        if (untilNs == 0) {
            return true;
        }
        if (uncounted.get() > 0) {
            count(uncounted.getAndSet(0), uncountedNs.getAndSet(0));
        }
        if (untilNs - System.nanoTime() > 0) {
            return false;
        }
        leftUntilNs = 0;
        return true;
    }

    /** Takes the pause that is left, as long as {@code goesOn}. An interrupt is kept for later. Any thread. */
    void await(BooleanSupplier goesOn) {
        long startNs = System.nanoTime();
        long untilNs = leftUntilNs;
        if (untilNs == 0 || untilNs - startNs <= 0) {
            return;
        }
        FillerStallEvent event = FillerStallEvent.begin();
        boolean interrupted = false;
        for (long ns = untilNs - startNs; ns > 0 && goesOn.getAsBoolean(); ns = untilNs - System.nanoTime()) {
            LockSupport.parkNanos(this, ns);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        uncountedNs.addAndGet(System.nanoTime() - startNs);
        uncounted.incrementAndGet();
        end(event);
    }
}

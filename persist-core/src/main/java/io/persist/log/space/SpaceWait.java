package io.persist.log.space;

import io.persist.error.PersistException;
import io.persist.event.FillerStallEvent;
import io.persist.format.control.CounterBlock;
import io.persist.log.sync.LogPositions;
import io.persist.log.sync.Syncer;
import io.persist.monitor.Counter;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The wait for space that is not filled yet, which {@link Headroom} and {@link SpaceBeforeAppend} share. It ends when
 * there is some, or when an attempt to make some has failed, as {@link Request} says.
 *
 * <p><b>Threads:</b> any, but {@link #count}.
 */
final class SpaceWait {

    /** Between two looks whether there is space by now. */
    static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(20);

    private final LogPositions positions;
    private final FilledSpace space;
    private final SegmentFiller filler;
    private final SegmentSupply supply;
    private final CounterBlock counters;
    private final Syncer syncer;
    private boolean isReserveLeft;

    /** Waits for {@code space}, and has {@code filler} and {@code supply} hurry meanwhile. */
    SpaceWait(
            LogPositions positions,
            FilledSpace space,
            SegmentFiller filler,
            SegmentSupply supply,
            CounterBlock counters,
            Syncer syncer) {
        this.positions = positions;
        this.space = space;
        this.filler = filler;
        this.supply = supply;
        this.counters = counters;
        this.syncer = syncer;
    }

    /** From now on {@link SpaceBeforeAppend} keeps the reserve, ahead of any append. */
    void leaveReserve() {
        isReserveLeft = true;
    }

    /** Whether that is so; for the thread that appends. */
    boolean isReserveLeft() {
        return isReserveLeft;
    }

    /** Whether the log is open and has not failed. */
    boolean isLive() {
        return !filler.isClosed() && !positions.hasFailed();
    }

    /** Whether space is to be expected: the log is live, and the last attempt to make some has not failed. */
    boolean isWorthwhile() {
        return isLive() && !filler.attempts().hasFailed() && !supply.attempts().hasFailed();
    }

    /**
     * Waits until everything before {@code end} is filled, and as long as {@code goesOn}; all before {@code wanted} is
     * asked for by {@code request}, of the thread that waits. An interrupt is kept for later.
     *
     * @return null, or why there is no space, which {@link #refusal} makes an exception of
     */
    @Nullable
    IOException until(Request request, long end, long wanted, BooleanSupplier goesOn) {
        FillerStallEvent event = FillerStallEvent.begin();
        boolean interrupted = false;
        request.givenUp();
        request.begin();
        filler.hurry(wanted);
        IOException refused = null;
        boolean has = false;
        try {
            while (!has && refused == null && goesOn.getAsBoolean()) {
                refused = request.refusal();
                has = space.filled() >= end;
                if (!has && refused == null) {
                    LockSupport.parkNanos(PAUSE_NS);
                    interrupted |= Thread.interrupted();
                    filler.hurry(wanted);
                }
            }
        } finally {
            filler.calm();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        FillerStallEvent.end(event, positions.directory(), end, FillerStallEvent.Cause.SPACE);
        if (has) {
            request.granted();
            return null;
        }
        request.givenUp();
        return refused;
    }

    /** One of a thread that waits, or asks whether it would have to. */
    Request request() {
        return new Request();
    }

    /**
     * Counts a wait of {@code ns} that has ended, maybe in vain. The thread that appends; not once the log is closed:
     * the counters may be unmapped then.
     */
    void count(long ns, boolean isRefused) {
        counters.add(Counter.STALLS, 1);
        counters.add(Counter.STALL_NS, ns);
        counters.max(Counter.STALL_MAX_NS, ns);
        if (isRefused) {
            counters.add(Counter.REFUSALS, 1);
        }
    }

    /**
     * Says {@code why} there is no space; unless the log is not there any more, or all in it would be called safe. The
     * end of the log does not wait for every thread that waits for space.
     */
    PersistException refusal(IOException why) {
        syncer.checkPlaceIfOpen();
        return supply.refusal(why);
    }

    /**
     * What a thread has asked for that found no space: whether an attempt to make some has failed since. What had
     * failed before says nothing of now.
     *
     * <p><b>Threads:</b> the one that asks. <b>Allocation:</b> none.
     */
    final class Request {

        private final Attempts.Since fills = filler.attempts().since();
        private final Attempts.Since births = supply.attempts().since();
        private final Attempts.Since fillsAfterBirth = filler.attempts().since();
        private boolean isOpen;
        private boolean isBirthRefused;

        /** Whether there was no segment meanwhile. */
        private boolean lacked;

        /** Begins, unless it has begun and not ended. */
        void begin() {
            if (isOpen) {
                return;
            }
            isOpen = true;
            lacked = false;
            isBirthRefused = false;
            fills.begin();
            births.begin();
        }

        /** Why there is no space, by an attempt that began after this; null if none has failed. */
        @Nullable
        IOException refusal() {
            lacked |= space.lacksSegment();
            if (!isBirthRefused && births.failure() != null) {
                isBirthRefused = true;
                fillsAfterBirth.begin(); // the filler may not have taken yet what was made before that failure
            }
            boolean lacks = isBirthRefused && fillsAfterBirth.hasEnded() && space.lacksSegment();
            return lacks ? births.failure() : fills.failure();
        }

        /** It has ended: there is space. */
        void granted() {
            if (isOpen && lacked) {
                filler.keepMore();
            }
            isOpen = false;
        }

        /** It has ended without that. */
        void givenUp() {
            isOpen = false;
        }
    }
}

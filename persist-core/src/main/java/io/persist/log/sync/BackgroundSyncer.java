package io.persist.log.sync;

import io.persist.log.thread.LogThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Syncs, on a thread of its own, what no other thread waits for: commits with a delay, sealed segments, and what the
 * configured interval asks for. It syncs as seldom as these allow: what is due later is synced together with what is
 * due first.
 *
 * <p>Its thread begins with the log, also where no interval is configured: it sleeps until it is needed, and later the
 * process may have no thread left. That would end a log whose first segment is sealed.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none.
 */
public final class BackgroundSyncer implements AutoCloseable {

    private static final long NEVER = SyncTicks.NEVER;
    private static final long NOT_FLUSHED_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final LogPositions positions;
    private final Syncer syncer;
    private final Thread thread;
    private final long originNs = System.nanoTime();

    /** When everything before the wanted position has to be synced at the latest, counted from the origin. */
    private final AtomicLong dueNs = new AtomicLong(NEVER);

    private final AtomicLong wanted = new AtomicLong();

    /** Of the ticks; the thread is woken when it is changed. */
    private volatile long intervalNs;

    private volatile boolean closed;

    /** {@code intervalNs} is 0 for none; {@code name} is the thread's. */
    public BackgroundSyncer(LogPositions positions, Syncer syncer, long intervalNs, String name) {
        this.positions = positions;
        this.syncer = syncer;
        this.intervalNs = intervalNs == 0 ? NEVER : intervalNs;
        this.thread = LogThread.daemon(name, this::run, e -> positions.fail("background sync", e));
        positions.waiters().syncedBy(thread);
    }

    /** Starts the thread that syncs; to be called once. */
    public void start() {
        thread.start();
    }

    /** Whether {@code thread} is the one that syncs. */
    public boolean isRunBy(Thread thread) {
        return this.thread == thread;
    }

    /**
     * Has everything before {@code position} synced at most {@code delayNs} from now, as far as the device allows and
     * it is flushed in time.
     */
    void syncWithin(long position, long delayNs) {
        wanted.accumulateAndGet(position, Math::max);
        // The position was stored before the look at what is due: if that comes first, its sync covers this position.
        // The partner is sync, which stores what is due before its look at the position. Both are volatile.
        long now = nowNs();
        long due = delayNs < NEVER - now ? now + delayNs : NEVER - 1;
        if (due < dueNs.getAndAccumulate(due, Math::min)) {
            LockSupport.unpark(thread);
        }
    }

    /**
     * Changes the interval; 0 for none. What is synced next is what was committed since the last time: at once, if that
     * was longer ago.
     */
    void interval(long ns) {
        intervalNs = ns == 0 ? NEVER : ns;
        LockSupport.unpark(thread);
    }

    /** Whether there is an interval. */
    boolean hasInterval() {
        return intervalNs != NEVER;
    }

    private long nowNs() {
        return System.nanoTime() - originNs;
    }

    private void run() {
        SyncTicks ticks = new SyncTicks(nowNs());
        while (!closed) {
            Thread.interrupted(); // which has no meaning here, and would keep the thread from parking
            long now = nowNs();
            long nextTickNs = ticks.nextNs(intervalNs); // which may change at any time
            long expectedNs = syncer.expectedNs();
            long startNs = Math.min(dueNs.get(), nextTickNs) - expectedNs;
            if (startNs > now) {
                LockSupport.parkNanos(this, startNs - now);
                continue;
            }
            if (sync(nextTickNs - expectedNs <= now)) {
                ticks.synced(now, expectedNs, syncer.expectedNs());
            }
        }
    }

    /** Returns whether it has synced all that is flushed, and not just sealed segments. */
    private boolean sync(boolean isTick) {
        dueNs.set(NEVER);
        long position = wanted.get();
        boolean isSealedOnly = !isTick && syncer.segments().areAllSealedBefore(position);
        if (isSealedOnly) {
            syncer.syncSealed(position);
        } else {
            syncer.syncTo(positions.flushed());
        }
        if (positions.synced() < position) {
            // It is in a queue or a buffer still. Later by as much as the thread begins earlier, so that it sleeps.
            syncWithin(position, NOT_FLUSHED_PAUSE_NS + syncer.expectedNs());
        }
        return !isSealedOnly;
    }

    /** Ends the thread, after the sync that may be under way. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        LogThread.join(thread);
    }
}

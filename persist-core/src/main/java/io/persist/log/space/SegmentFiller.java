package io.persist.log.space;

import io.persist.format.control.CounterBlock;
import io.persist.log.LogConfig;
import io.persist.log.segment.Segment;
import io.persist.log.segment.ZeroWriter;
import io.persist.log.sync.LogPositions;
import io.persist.log.sync.SegmentFinisher;
import io.persist.log.thread.LogThread;
import io.persist.monitor.Counter;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Does the work that the appender must not wait for, on a thread of its own: writes zeros ahead of it, takes its page
 * faults, has the sealed segments synced and closes them.
 *
 * <p>The appender never enters space in which no zeros were written: {@link FilledSpace} tells how far it may go, and
 * {@link Headroom} is its side of that.
 *
 * <p><b>Threads:</b> any, unless a method says otherwise.
 */
final class SegmentFiller {

    static final int FEWEST_AHEAD = 2;
    private static final int MOST_AHEAD = 8;

    /** What is filled before a log is open, besides the reserve, so that its first appends need not wait. */
    private static final int FIRST_LENGTH = 256 << 10;

    private static final long MOST_RESERVE = 1L << 20;
    private static final int URGENT_STEPS = 16;
    private static final long SHORTEST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long RETRY_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The longest sleep while there is less space than there should be: nobody says that there is a segment now. */
    private static final long SHORT_OF_SPACE_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final FilledSpace space;
    private final SegmentSupply supply;
    private final SegmentFinisher finisher;
    private final LogPositions positions;
    private final CounterBlock counters;
    private final PageToucher toucher = new PageToucher();
    private final FillPolicy policy;
    private final FillSpeed speed = new FillSpeed();
    private final int segmentLength;
    private final int shortPieceLength;
    private final long initialEnd;
    private final long fillBytesPerSecond;
    private final DeviceLag lag;
    private final Attempts attempts = new Attempts();
    private final Thread thread;

    private volatile long aheadBytes; // to be filled ahead of the appender
    private volatile long wanted; // up to here somebody waits for space, or has waited
    private volatile long expected; // up to here space is needed for a record that is to come; 0 for none
    private volatile boolean appenderWaits;

    /** Written by the appender. */
    private volatile int segmentsAhead = FEWEST_AHEAD;

    /** Whether it sleeps for so long that the appender has to wake it when it goes on. */
    private volatile boolean dozes;

    private volatile boolean closed;
    private boolean syncsZeros;
    private boolean isShortOfSpace;
    private long retryAtNs;

    /** A filler of {@code space}: up to {@code initialEnd} at first, then as {@code policy} and {@code lag} say. */
    SegmentFiller(
            FilledSpace space,
            SegmentSupply supply,
            SegmentFinisher finisher,
            LogPositions positions,
            CounterBlock counters,
            LogConfig config,
            long initialEnd,
            DeviceLag lag,
            FillPolicy policy) {
        this.space = space;
        this.supply = supply;
        this.finisher = finisher;
        this.positions = positions;
        this.counters = counters;
        this.segmentLength = config.segmentLength();
        this.shortPieceLength = ZeroWriter.shortPieceLength(config);
        this.initialEnd = initialEnd;
        this.fillBytesPerSecond = config.fillBytesPerSecond();
        this.lag = lag;
        this.policy = policy;
        this.syncsZeros = policy.syncsZeros();
        this.aheadBytes = policy.aheadBytes();
        this.thread = LogThread.daemon(LogThread.name("fill", positions.directory()), this::run, this::failed);
    }

    /** Fills what the first appends need. A full disk is not said here: it is when there is something to append. */
    void fillFirst() {
        try {
            space.fillFirst(reserve() + FIRST_LENGTH, shortPieceLength);
        } catch (IOException e) {
            attempts.ended(e);
        }
    }

    /** Starts the thread that fills; to be called once. */
    void start() {
        thread.start();
    }

    /** Whether {@code thread} is the one that fills. */
    boolean isRunBy(Thread thread) {
        return this.thread == thread;
    }

    /** How long it took lately to fill a MiB, in ns; 0 if that is not known. */
    long nsPerMiB() {
        return speed.nsPerMiB();
    }

    boolean isClosed() {
        return closed;
    }

    /** Those to fill. */
    Attempts attempts() {
        return attempts;
    }

    /** As {@link Headroom#neverHas} says; never of a record that is as long as new segments allow. */
    boolean neverHas(int length) {
        return length > lag.most() / LogConfig.MIN_UNSYNCED_SEGMENTS;
    }

    /** So much of the filled space is kept for commits that have begun. */
    long reserve() {
        return Math.min(MOST_RESERVE, segmentLength / 2);
    }

    /** From so many filled bytes ahead of it on, the appender need not be slowed down. */
    long plenty() {
        return Math.min(aheadBytes, (long) segmentsAhead * segmentLength) / 2;
    }

    /** The appender waits until all before {@code position} is filled: nothing is paced. */
    void hurry(long position) {
        wanted = position;
        appenderWaits = true;
        supply.hurry();
        wake();
    }

    /**
     * The appender was told that it would wait until all before {@code position} is filled, and will ask again. It may
     * also give that up: so a failed attempt is not made again at once.
     */
    void want(long position) {
        if (position > wanted) {
            wanted = position;
        }
    }

    /** All before {@code position} is to be filled soon, for a record that is to come; with 0 none is. */
    void expect(long position) {
        expected = position;
        if (position > 0) {
            wake();
        }
    }

    /** The appender waits no more. */
    void calm() {
        appenderWaits = false;
        supply.calm();
    }

    /** The appender had to wait because there was no segment: more are kept. The appender. */
    void keepMore() {
        segmentsAhead = Math.min(segmentsAhead + 1, MOST_AHEAD);
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    /**
     * The appender has gone on for a while. If this log was slow, its pages may be used up before the thread looks. The
     * appender.
     */
    void wakeIfDozing() {
        if (dozes) {
            dozes = false;
            wake();
        }
    }

    private void run() {
        long pauseNs = SHORTEST_PAUSE_NS;
        while (!closed) {
            Thread.interrupted(); // which has no meaning here, and would keep the thread from parking
            long mayBeLeft = appenderWaits && wanted > lag.bound() ? 0 : Long.MAX_VALUE;
            boolean worked = touch() | fill() | finisher.finish(space.current().basePosition(), mayBeLeft);
            long allowedNs = policy.pauseNs();
            long longestNs = isShortOfSpace ? Math.min(allowedNs, SHORT_OF_SPACE_PAUSE_NS) : allowedNs;
            if (!worked) {
                pauseNs = Math.min(2 * pauseNs, longestNs);
                dozes = pauseNs > FillPolicy.SHORT_PAUSE_NS;
                LockSupport.parkNanos(this, pauseNs);
                dozes = false;
            } else if (longestNs == FillPolicy.SHORT_PAUSE_NS) {
                pauseNs = SHORTEST_PAUSE_NS;
            }
        }
    }

    private void failed(Throwable e) {
        positions.fail("filler thread", e);
    }

    /** Whether there is so little space left that nothing else is to be done. */
    private boolean isUrgent(long position) {
        return appenderWaits || space.filled() < Math.max(expected, wanted) || space.filled() - position < plenty();
    }

    /** Page faults are dearer for the appender than for this thread, but cheaper than to wait for space. */
    private boolean touch() {
        long position = positions.published();
        Segment segment = space.current();
        if (!segment.isMapped() || isUrgent(position)) {
            return false;
        }
        if (toucher.touch(segment, position, space.filled())) {
            return true;
        }
        Segment next = space.next();
        return next != null && toucher.touch(next, position, space.filled());
    }

    private boolean fill() {
        long position = positions.published();
        policy.observe(position, counters.get(Counter.SYNCS), System.nanoTime());
        aheadBytes = space.hasBlocks() ? policy.aheadInCache() : policy.aheadBytes();
        long lastEnd = space.current().endPosition() + (long) segmentsAhead * segmentLength;
        long wantedEnd = Math.max(wanted, Math.min(position + aheadBytes, lastEnd));
        long target = Math.max(Math.max(initialEnd, expected), Math.min(wantedEnd, lag.bound()));
        supply.makeUpTo(Math.max(target, lastEnd));
        if (awaitsDevice(target, wantedEnd)) {
            return true;
        }
        isShortOfSpace =
                !space.reaches(target, attempts.hasFailed() || supply.attempts().hasFailed());
        if (!isShortOfSpace || attempts.hasFailed() && System.nanoTime() - retryAtNs < 0 && !appenderWaits) {
            return false;
        }
        IOException failure = null;
        boolean worked = true;
        try {
            followPolicy();
            worked = fillTowards(target);
        } catch (IOException e) {
            failure = e;
            retryAtNs = System.nanoTime() + RETRY_PAUSE_NS;
        }
        attempts.ended(failure);
        supply.tell(attempts, failure);
        return worked;
    }

    /** Waits a moment for the device, if it is behind. The time counts: the appender is slowed down to this speed. */
    private boolean awaitsDevice(long target, long wantedEnd) {
        long startNs = System.nanoTime();
        long waitNs = lag.waitNs(space.filled(), target, wantedEnd, startNs);
        if (waitNs > 0) {
            LockSupport.parkNanos(this, waitNs);
            speed.filled(0, System.nanoTime() - startNs);
        }
        return waitNs > 0;
    }

    /** Zeros that were left in the page cache go to the device once commits are synced. */
    private void followPolicy() {
        if (policy.syncsZeros() && !syncsZeros) {
            space.sync();
        }
        syncsZeros = policy.syncsZeros();
    }

    private boolean fillTowards(long target) throws IOException {
        int pieceLength = policy.writesLongPieces() ? ZeroWriter.LONG_PIECE_LENGTH : shortPieceLength;
        for (int i = 0; i < URGENT_STEPS && space.filled() < target; i++) {
            long startNs = System.nanoTime();
            int length = space.step(pieceLength, syncsZeros);
            if (length == 0) {
                return i > 0;
            }
            speed.filled(length, System.nanoTime() - startNs);
            lag.filled(space.filled(), length, startNs);
            if (!isUrgent(positions.published())) {
                LockSupport.parkNanos(this, length * TimeUnit.SECONDS.toNanos(1) / fillBytesPerSecond);
                return true;
            }
        }
        return true;
    }

    /** Ends the thread and closes what is ready; after that nothing is filled any more. */
    void close() {
        closed = true;
        wake();
        LogThread.join(thread);
        space.close();
    }
}

package io.persist.log;

import io.persist.error.LogFullException;
import io.persist.event.FillerStallEvent;
import io.persist.file.Interrupts;
import io.persist.file.Storage;
import io.persist.format.Counter;
import io.persist.format.CounterBlock;
import io.persist.format.SegmentName;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Does what the appender must not wait for, on a thread of its own: fills the next segments with zeros, takes their
 * page faults, has the sealed ones synced and closes them.
 *
 * <p>One prepared segment is the reserve. When no further one can be made, because the disk is full, the reserve is
 * given only to an appender in the middle of a commit, so that what was begun can be finished.
 *
 * <p>Two segments are kept ahead at first. An appender that had to wait comes in bursts that are longer than that: each
 * stall makes it one more, up to {@value #MOST_AHEAD}. So the space is taken only where it is of use.
 *
 * <p><b>Threads:</b> {@link #take} is the appender's; the rest any.
 */
final class SegmentFiller implements AutoCloseable {

    private static final int FEWEST_AHEAD = 2;
    private static final int MOST_AHEAD = 8;
    private static final long SHORTEST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long RETRY_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long SEALED_LINGER_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long WAIT_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(20);

    /** Whether an appender may be given the last prepared segment. */
    enum Reserve {
        KEEP,
        USE
    }

    private final Storage storage;
    private final SegmentFactory factory;
    private final LogPositions positions;
    private final CounterBlock counters;
    private final Syncer syncer;
    private final BackgroundSyncer background;
    private final long initialEnd;
    private final long fillBytesPerSecond;
    private final PageToucher toucher = new PageToucher();
    private final ConcurrentLinkedQueue<String> spares = new ConcurrentLinkedQueue<>();
    private final AtomicLong attempts = new AtomicLong();
    private final Thread thread;

    /** Guarded by itself. */
    private final ArrayDeque<Segment> ready = new ArrayDeque<>();

    private volatile Segment current;
    private volatile long nextBase;
    private volatile @Nullable IOException failure;
    private volatile boolean appenderWaits;

    /** Written by the appender. */
    private volatile int segmentsAhead = FEWEST_AHEAD;

    private volatile boolean closed;
    private long retryAtNs;

    /** The end of the sealed segments that were given to the background sync. */
    private long syncRequested;

    /**
     * A filler for an appender that is in the tail of {@code segments}.
     *
     * @param segments what the log has already
     * @param initialEnd the position up to which to fill from the start
     */
    SegmentFiller(
            Storage storage,
            SegmentFactory factory,
            LogPositions positions,
            CounterBlock counters,
            Syncer syncer,
            BackgroundSyncer background,
            LogConfig config,
            WriterSegments segments,
            long initialEnd) {
        this.storage = storage;
        this.factory = factory;
        this.positions = positions;
        this.counters = counters;
        this.syncer = syncer;
        this.background = background;
        this.initialEnd = initialEnd;
        this.fillBytesPerSecond = config.fillBytesPerSecond();
        this.current = segments.tail();
        this.ready.addAll(segments.prepared());
        this.nextBase = (ready.isEmpty() ? current : ready.getLast()).endPosition();
        this.thread =
                new Thread(() -> LogThread.run(this::run, this::failed), "persist-filler " + storage.description());
        thread.setDaemon(true);
    }

    /** Fills up to the initial length and returns. Only before {@link #start}. */
    void fillInitial() throws IOException {
        while (nextBase < initialEnd) {
            prepareNext(bytes -> {});
        }
    }

    void start() {
        thread.start();
    }

    /** Whether {@code thread} is the one that fills. */
    boolean isRunBy(Thread thread) {
        return this.thread == thread;
    }

    /**
     * The segment after the current one. Waits for the filler if it is behind; the wait is counted as a stall, also if
     * there is no segment in the end.
     *
     * @throws LogFullException if there is no space for it
     */
    Segment take(Reserve reserve) {
        Segment next = poll(reserve);
        return next == null ? stall(reserve) : next;
    }

    private Segment stall(Reserve reserve) {
        FillerStallEvent event = FillerStallEvent.begin();
        long position = current.endPosition();
        long startNs = System.nanoTime();
        // One attempt may be under way that began before there was space again: its failure says nothing.
        long stale = attempts.get() + 1;
        appenderWaits = true;
        Segment next = null;
        IOException refused = null;
        while (next == null && refused == null) {
            positions.check();
            if (closed) {
                throw new IllegalStateException("logger is closed");
            }
            // In this order: prepare stores the failure before it counts, so this one is of an attempt that counts.
            boolean attempted = attempts.get() > stale;
            refused = attempted ? failure : null;
            if (refused == null) {
                LockSupport.unpark(thread);
                LockSupport.parkNanos(WAIT_PAUSE_NS);
                next = poll(reserve);
            }
        }
        appenderWaits = false;
        countStall(System.nanoTime() - startNs); // not once it is closed: the counters may be unmapped then
        FillerStallEvent.end(event, storage.description(), position);
        if (next == null) {
            syncer.check(FilesInPlace.Look.THOROUGH); // or all that was appended so far would be called safe
            throw factory.refusal(Objects.requireNonNull(refused));
        }
        segmentsAhead = Math.min(segmentsAhead + 1, MOST_AHEAD);
        return next;
    }

    private void countStall(long stallNs) {
        counters.add(Counter.STALLS, 1);
        counters.add(Counter.STALL_NS, stallNs);
        counters.max(Counter.STALL_MAX_NS, stallNs);
    }

    private @Nullable Segment poll(Reserve reserve) {
        synchronized (ready) {
            if (ready.size() <= (reserve == Reserve.KEEP ? 1 : 0)) {
                return null;
            }
            Segment next = ready.poll();
            current = next;
            return next;
        }
    }

    /** Hands over a retired segment's file to be filled and used again. */
    void recycle(String spare) {
        spares.add(spare);
    }

    private void run() {
        long pauseNs = SHORTEST_PAUSE_NS;
        while (!closed) {
            boolean worked = touch() | prepare() | finishSealed();
            pauseNs = worked ? SHORTEST_PAUSE_NS : Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
            LockSupport.parkNanos(this, pauseNs);
        }
    }

    private void failed(Throwable e) {
        if (!positions.hasFailed()) {
            positions.fail("filler thread", e);
        }
    }

    private boolean touch() {
        Segment segment = current;
        return segment.isMapped() && !closed && toucher.touch(segment, positions.published());
    }

    private boolean prepare() {
        boolean wanted = nextBase < Math.max(initialEnd, current.endPosition() + aheadBytes());
        if (!wanted || failure != null && System.nanoTime() < retryAtNs && !appenderWaits) {
            return false;
        }
        try {
            prepareNext(this::pace);
            failure = null;
        } catch (IOException e) {
            failure = e;
            retryAtNs = System.nanoTime() + RETRY_PAUSE_NS;
        }
        attempts.incrementAndGet();
        return true;
    }

    private long aheadBytes() {
        return (long) segmentsAhead * factory.segmentLength();
    }

    private void prepareNext(SegmentFactory.Pace pace) throws IOException {
        positions.checkHeld();
        long base = nextBase;
        factory.create(base, spares.poll(), pace);
        Segment segment = factory.open(base);
        try {
            if (segment.isMapped()) {
                PageToucher.touchAll(segment);
            }
        } catch (Throwable e) {
            segment.close();
            throw e;
        }
        synchronized (ready) {
            ready.add(segment);
        }
        nextBase = segment.endPosition();
        counters.add(Counter.SEGMENTS_FILLED, 1);
    }

    /** Between two MiB of zeros: the page faults first, and once a segment is ready, no more than the agreed rate. */
    private void pace(int filled) throws IOException {
        if (closed) {
            throw new IOException("logger is being closed");
        }
        positions.checkHeld();
        touch();
        boolean urgent;
        synchronized (ready) {
            urgent = ready.size() < segmentsAhead;
        }
        if (!urgent) {
            LockSupport.parkNanos(this, filled * TimeUnit.SECONDS.toNanos(1) / fillBytesPerSecond);
        }
    }

    /**
     * Sealed segments are synced in the background if nobody else did it: so their files and mappings do not pile up.
     * Not at once, because a sync of a mapped segment interrupts the appender's core for each page that it protects;
     * and not on this thread, which has the next segment to fill meanwhile.
     */
    private boolean finishSealed() {
        long sealed = current.basePosition();
        if (sealed > syncRequested && syncer.hasSealed()) {
            syncRequested = sealed;
            background.syncWithin(sealed, SEALED_LINGER_NS);
        }
        boolean worked = false;
        for (Segment done = syncer.pollFinished(); done != null; done = syncer.pollFinished()) {
            done.close();
            worked = true;
        }
        return worked;
    }

    /** Ends the thread and closes what is ready; after that nothing touches a mapping any more. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        Interrupts.join(thread);
        synchronized (ready) {
            ready.forEach(Segment::close);
            ready.clear();
        }
        for (String spare = spares.poll(); spare != null; spare = spares.poll()) {
            deleteQuietly(spare);
        }
    }

    /** A spare that stays is deleted by the next opening. */
    private void deleteQuietly(String spare) {
        try {
            if (spare.endsWith(SegmentName.SPARE_SUFFIX) && !positions.isOvertaken()) {
                storage.delete(spare);
            }
        } catch (IOException ignored) {
            // Nothing of the log is in it.
        }
    }
}

package io.persist.log.space;

import io.persist.error.PersistException;
import io.persist.event.Notices;
import io.persist.event.RepeatedFailure;
import io.persist.file.Closing;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.segment.Segment;
import io.persist.log.segment.SegmentFactory;
import io.persist.log.sync.LogPositions;
import io.persist.log.thread.LogThread;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Makes segments before they are needed, on a thread of its own: a birth syncs a file and the directory, and while the
 * device is busy that takes longer than the filler can be spared.
 *
 * <p><b>Threads:</b> any; {@link #peek}, {@link #take} and {@link #makeUpTo} the filler's.
 */
public final class SegmentSupply {

    private static final long RETRY_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Storage storage;
    private final SegmentFactory factory;
    private final LogPositions positions;
    private final SegmentFactory.Check place;
    private final Queue<String> spares = new ConcurrentLinkedQueue<>();
    private final Attempts attempts = new Attempts();
    private final RepeatedFailure noSpace;
    private final Thread thread;

    /** Oldest first. No array, which there may be no memory to make longer: then nothing of it would be closed. */
    private final Queue<Segment> stock = new ConcurrentLinkedQueue<>();

    private long nextBase;

    /** Whether the last attempt was made with a spare, and failed. */
    private boolean hasSpareFailed;

    private volatile long wantedEnd;
    private volatile boolean isUrgent;
    private volatile boolean closed;

    /** A supply for a log that has {@code segments}; {@code place} looks whether the directory is still that log's. */
    public SegmentSupply(
            Storage storage,
            SegmentFactory factory,
            LogPositions positions,
            WriterSegments segments,
            SegmentFactory.Check place) {
        this.storage = storage;
        this.factory = factory;
        this.positions = positions;
        this.place = place;
        this.noSpace = new RepeatedFailure(
                Notices.SPACE, "log " + storage.description() + ": the next segments are prepared again");
        this.stock.addAll(segments.prepared());
        this.nextBase = segments.last().endPosition();
        this.thread = LogThread.daemon(LogThread.name("make", storage.description()), this::run, this::failed);
    }

    /** Starts the thread that makes segments; to be called once. */
    void start() {
        thread.start();
    }

    /** Whether {@code thread} is the one that makes segments. */
    boolean isRunBy(Thread thread) {
        return this.thread == thread;
    }

    /** The next segment, or null if there is none. */
    @Nullable
    Segment peek() {
        return stock.peek();
    }

    /** The next segment, which there is, was taken: from now on it is closed by others. */
    void take() {
        stock.remove();
    }

    /** Has segments made up to {@code position}. */
    void makeUpTo(long position) {
        if (position > wantedEnd) {
            wantedEnd = position;
            LockSupport.unpark(thread);
        }
    }

    /** Hands over a retired segment's file to be used again. */
    void recycle(String spare) {
        spares.add(spare);
    }

    /**
     * Says that a thread waits for a segment: from now on nothing is paced, and a new attempt follows a failure at
     * once.
     */
    void hurry() {
        isUrgent = true;
        LockSupport.unpark(thread);
    }

    /** Says that no thread waits any more. */
    void calm() {
        isUrgent = false;
    }

    /** Those to make a segment. */
    Attempts attempts() {
        return attempts;
    }

    /** As {@link SegmentFactory#refusal} has it. */
    PersistException refusal(IOException cause) {
        return factory.refusal(cause);
    }

    private void run() {
        while (!closed) {
            Thread.interrupted(); // which has no meaning here, and would keep the thread from parking
            if (attempts.hasFailed() && !isUrgent) {
                LockSupport.parkNanos(this, RETRY_PAUSE_NS);
            }
            if (!closed && !attempt()) {
                LockSupport.park(this);
            }
        }
    }

    /** Makes a segment if one is wanted; whether it was. */
    private boolean attempt() {
        if (nextBase >= wantedEnd) {
            return false;
        }
        IOException failure = null;
        try {
            make();
        } catch (IOException e) {
            failure = e;
        }
        attempts.ended(failure);
        tell(attempts, failure);
        return true;
    }

    /** One of {@code attempts}, this thread's or the filler's, has ended; says what fails also if no append waits. */
    void tell(Attempts attempts, @Nullable IOException failure) {
        if (failure == null) {
            noSpace.worked(attempts);
        } else if (!closed) { // else nobody wants any more
            noSpace.failed(
                    attempts,
                    () -> "log " + storage.description() + ": "
                            + refusal(failure).getMessage());
        }
    }

    /**
     * Makes the next segment; before {@link #start} for the thread that opens the log.
     *
     * <p>Files are made, renamed and opened by name, and a copy with another writer may take the directory's place at
     * any time. So there is a look before each of these steps and after the last one. The first one comes before there
     * is a file, and the second one before it gets a segment's name: between the two it was made in this log's
     * directory.
     *
     * <p>What remains is an exchange after the second look and before the rename. It finds no file to rename, for the
     * other writer clears up all temporary files and spares before it makes a segment; unless that one makes this very
     * segment in the same moment. Then its rename fails, and it begins anew. No segment that has its name is replaced.
     *
     * <p>A segment that cannot be opened, or whose name may not survive a power cut, is made anew of the same file: for
     * another one there may be no space. It gets its name once more for that, since a sync of the directory that is
     * tried again without a change proves nothing.
     */
    void make() throws IOException {
        check();
        create(nextBase);
        try {
            nextBase = open(nextBase);
        } catch (FileNotFoundException gone) {
            throw gone; // another file may have the name
        } catch (IOException e) {
            takeBack(nextBase, e);
            throw e;
        }
    }

    /** After an attempt with a spare that has failed there is one without: the reason may lie in that file. */
    private void create(long base) throws IOException {
        String spare = hasSpareFailed ? null : spares.poll();
        hasSpareFailed = spare != null; // until it is made
        try {
            factory.create(base, spare, this::check);
        } catch (IOException e) {
            if (spare != null && !isGone(spare)) {
                spares.add(spare); // for another attempt
            }
            throw e;
        }
    }

    /** Makes a spare of the segment at {@code base}, in which there is no record yet. */
    private void takeBack(long base, IOException cause) {
        String name = LogFileName.segment(base);
        String spare = name + LogFileName.SPARE_SUFFIX;
        try {
            check();
            storage.rename(name, spare);
            if (!spares.contains(spare)) { // or it has replaced one that failed before
                spares.add(spare);
            }
        } catch (IOException stays) {
            cause.addSuppressed(stays); // another file takes its place
        }
    }

    /** What cannot be known now the next attempt finds out. */
    private boolean isGone(String spare) {
        try {
            return !storage.list().contains(spare);
        } catch (IOException unknown) {
            return false;
        }
    }

    /**
     * With the look after it: nobody may write to a segment that was opened in another directory. Returns where the one
     * after it begins.
     */
    private long open(long base) throws IOException {
        try (Opening opening = new Opening()) {
            Segment segment = opening.add(factory.openNew(base), Segment::close);
            check();
            stock.add(segment);
            hasSpareFailed = false;
            return opening.done(segment).endPosition();
        }
    }

    private void check() throws IOException {
        if (closed) {
            throw new IOException("logger is being closed");
        }
        positions.checkHeld();
        place.run();
    }

    private void failed(Throwable e) {
        positions.fail("supply thread", e);
    }

    /** Ends the thread and closes what nobody has taken. */
    void close() {
        closed = true;
        LockSupport.unpark(thread);
        LogThread.join(thread);
        Closing.each(stock, Segment::close);
        stock.clear();
        for (String spare = spares.poll(); spare != null; spare = spares.poll()) {
            deleteQuietly(spare);
        }
    }

    /** A spare that stays is deleted by the next opening. */
    private void deleteQuietly(String spare) {
        try {
            if (!positions.isOvertaken()) {
                place.run(); // or it is another writer's
                storage.delete(spare);
            }
        } catch (IOException ignored) {
            // Nothing of the log is in it.
        }
    }
}

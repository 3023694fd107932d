package io.persist.log.sync;

import io.persist.error.LogLockedException;
import io.persist.error.PersistException;
import io.persist.format.control.ControlBlock;
import io.persist.format.control.HolderBlock;
import io.persist.log.Durability;
import io.persist.log.WriteMode;
import io.persist.log.segment.LogEnd;
import io.persist.log.thread.Turn;
import io.persist.memory.FieldHandle;
import io.persist.memory.MissingPage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How far a log has come, and whether it has failed. Every position is the end of what has the property: a record has
 * the property if it ends at or before the position.
 *
 * <p>Invariant: {@code synced <= flushed <= published} and {@code committed <= published}. Each only grows.
 *
 * <p><b>Threads:</b> the appender's thread publishes, commits and flushes; {@code synced} moves under the lock of
 * {@link Syncer}; any thread reads. <b>Allocation:</b> none.
 */
@SuppressWarnings("UnusedVariable") // the positions are read and written by their handles
public final class LogPositions {

    /** How often the hint is renewed from which a recovery of the same boot starts: what it scans at most. */
    public static final int HINT_INTERVAL = 1 << 20;

    private static final VarHandle PUBLISHED = field("published");
    private static final VarHandle COMMITTED = field("committed");
    private static final VarHandle FLUSHED = field("flushed");
    private static final VarHandle SYNCED = field("synced");
    private static final VarHandle LAST_SEQUENCE = field("lastSequence");
    private static final VarHandle LAST_POSITION = field("lastPosition");

    private final String directory;
    private final ControlBlock control;
    private final long epoch; // of this writer's hold on the log
    private final Turn syncTurn = new Turn();
    private final boolean publishedIsFlushed;
    private final Waiters waiters = new Waiters(this);
    private final LogLife life;
    private volatile boolean closed;

    // Written with release, by the handles above: a volatile store would stall the appender for nothing.
    private long published;
    private long committed;
    private long flushed;
    private long synced;
    private long lastSequence;
    private long lastPosition;

    /**
     * A log that ends at {@code end}, of which everything up to {@code synced} is known to be synced.
     *
     * @param directory of the log, for people
     * @param epoch of the writer's hold on the log
     */
    public LogPositions(String directory, ControlBlock control, long epoch, WriteMode mode, LogEnd end, long synced) {
        this.directory = directory;
        this.life = new LogLife(directory);
        this.control = control;
        this.epoch = epoch;
        this.publishedIsFlushed = mode == WriteMode.MAPPED;
        this.lastSequence = end.lastSequence();
        this.lastPosition = end.lastPosition();
        long tail = end.tail();
        this.published = tail;
        this.committed = tail;
        this.flushed = tail;
        this.synced = synced;
        control.committed(tail);
        control.flushed(tail);
        control.synced(synced);
        hintAt(synced, end.lastPosition(), 0);
        control.visible(publishedIsFlushed ? Long.MAX_VALUE : tail);
    }

    /** The log's directory, for people. */
    public String directory() {
        return directory;
    }

    /** The end of the log: where the last record ends. */
    public long published() {
        return (long) PUBLISHED.getAcquire(this);
    }

    /** Pairs with {@link #published()}: a thread that sees the position may read the record. */
    public void published(long position) {
        PUBLISHED.setRelease(this, position);
    }

    /**
     * The record {@code sequence}, from {@code start} to {@code end}, is published. Pairs with {@link #published()}: a
     * thread that reads this end also reads this record as the last one, or a later one.
     */
    public void published(long sequence, long start, long end) {
        LAST_SEQUENCE.setOpaque(this, sequence);
        LAST_POSITION.setOpaque(this, start);
        PUBLISHED.setRelease(this, end);
    }

    /** The number of the last record, 0 if there is none. */
    public long lastSequence() {
        return (long) LAST_SEQUENCE.getOpaque(this);
    }

    /** Where the last record begins, 0 if there is none. */
    public long lastPosition() {
        return (long) LAST_POSITION.getOpaque(this);
    }

    /** The end of what is committed. */
    public long committed() {
        return (long) COMMITTED.getAcquire(this);
    }

    /** Everything before {@code position} is committed now. The thread that appends calls it. */
    public void committed(long position) {
        COMMITTED.setRelease(this, position);
        control.committed(position);
        if (publishedIsFlushed) {
            control.flushed(position);
        }
    }

    /** The end of what survives the process. */
    public long flushed() {
        return publishedIsFlushed ? published() : (long) FLUSHED.getAcquire(this);
    }

    /** The bytes up to {@code position} have been written to the file: tailers may look at them. */
    public void flushed(long position) {
        FLUSHED.setRelease(this, position);
        control.flushed(position);
        control.visible(position);
    }

    /** The end of what survives a power cut. */
    public long synced() {
        return (long) SYNCED.getAcquire(this);
    }

    /** Everything before {@code position} is synced, where a record begins at {@code known}; 0 if none is known. */
    void synced(long position, long known) {
        SYNCED.setRelease(this, position);
        control.synced(position);
        hintAt(position, lastPosition(), known);
    }

    /** Says where a record begins below the synced position: the last one, the known one, or one of the last MiB. */
    private void hintAt(long position, long last, long known) {
        long hint = last < position ? last : known > 0 ? known : control.hint();
        if (hint < position) {
            control.syncedHint(hint);
        }
    }

    /** The end of what has {@code level}. */
    public long reached(Durability level) {
        return switch (level) {
            case BUFFERED -> published();
            case FLUSHED -> flushed();
            case SYNCED -> synced();
        };
    }

    /** The threads, futures and listeners that wait for these positions. */
    public Waiters waiters() {
        return waiters;
    }

    /** Throws the first failure, if there was one. */
    public void check() {
        life.check();
    }

    /** Throws if the log has failed or is being closed, or as {@link #checkHeld} says. */
    public void checkWritable() {
        checkNotClosing();
        checkHeld();
    }

    /** Whether the log is open, failed or closed. */
    public LogLife life() {
        return life;
    }

    /** The process that holds the log, and so may write it. */
    public HolderBlock holder() {
        return control.holder();
    }

    /** The hold of this writer. */
    public long epoch() {
        return epoch;
    }

    /** Throws if the log has failed or is being closed. */
    public void checkNotClosing() {
        life.checkNotClosing();
    }

    /** The closing begins: {@link #checkWritable} throws from now on. */
    public void beginClose() {
        life.beginClose();
    }

    /**
     * Throws if another process has opened the log: it is the writer now, and this one must not store anything more.
     * One load of a mapped line that is almost never written; not to be called once the control block is closed.
     */
    public void checkHeld() {
        if (isOvertaken()) {
            throw fail("hold on the log", overtaken());
        }
    }

    /** The same for a thread that the end of the log does not wait for; throws if that has come. */
    void checkHeldIfOpen() {
        LogLockedException overtaken;
        synchronized (this) { // as in close()
            checkNotEnded();
            overtaken = isOvertaken() ? overtaken() : null;
        }
        if (overtaken != null) {
            throw fail("hold on the log", overtaken);
        }
    }

    /** Whether another process has opened the log; the rest as {@link #checkHeld}. */
    public boolean isOvertaken() {
        return holder().epoch() != epoch;
    }

    /** What is thrown then. */
    private LogLockedException overtaken() {
        long pid = holder().holder().pid();
        return new LogLockedException("another process has opened the log for writing: directory=" + directory
                + (pid == 0 ? "" : ", pid=" + pid) + ", epoch=" + holder().epoch() + ", mine=" + epoch
                + "; close this one, what it has not synced may be lost, and make sure that one process writes");
    }

    /** Whether a write or a sync has failed. */
    public boolean hasFailed() {
        return life.hasFailed();
    }

    /** Whether nothing will move any more, for whatever reason. */
    boolean hasEnded() {
        return closed || life.hasFailed();
    }

    /** Says that no position will move any more, and wakes all that still wait. */
    public void close() {
        synchronized (this) { // not while another thread uses the control block, which will be unmapped next
            closed = true;
        }
        waiters.signal();
    }

    /** Throws if what is waited for cannot come any more. */
    void checkNotEnded() {
        check();
        if (closed) {
            throw new IllegalStateException("logger is closed");
        }
    }

    /**
     * Ends the log's life: from now on every call throws this failure, or the one that came before it. A failed write
     * or force is never tried again, because the kernel marks the pages clean all the same.
     */
    public PersistException fail(String what, Throwable cause) {
        return fail(what, LogLife.NO_SEGMENT, cause);
    }

    /** The same of {@code what} was done to the segment at {@code basePosition}. */
    public PersistException fail(String what, long basePosition, Throwable cause) {
        MissingPage.dropHeld(); // an error that came in what follows would keep it from being done
        PersistException first = life.fail(what, basePosition, cause);
        try {
            tellControl();
        } finally {
            if (!syncTurn.isMine()) { // else when it is given back: this may wait for a thread that wants it
                waiters.signal();
                life.say(); // last: it is the application's code, which may take its time
            }
        }
        return first;
    }

    /** The turn to sync. A thread that has it calls no code of the application's. */
    Turn syncTurn() {
        return syncTurn;
    }

    /** Has the control block say so, whose file may be what is gone; unless it is not mapped any more. */
    private synchronized void tellControl() {
        if (closed) {
            return;
        }
        try {
            if (!isOvertaken()) {
                control.failed();
            }
        } catch (InternalError gone) {
            // Recovery believes nothing of a control block that is gone.
        }
        MissingPage.dropHeld();
    }

    private static VarHandle field(String name) {
        return FieldHandle.of(MethodHandles.lookup(), LogPositions.class, name, long.class);
    }
}
